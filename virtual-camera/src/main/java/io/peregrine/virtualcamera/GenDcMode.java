package io.peregrine.virtualcamera;

/** The SFNC feature GenDCStreamingMode. */
public enum GenDcMode {
    /** Never GenDC. */
    OFF(0),
    /** Always GenDC. */
    ON(1),
    /** GenDC when the application sets bit 0x80 of the stream channel configuration. */
    AUTOMATIC(2);

    private final int registerValue;

    GenDcMode(int registerValue) {
        this.registerValue = registerValue;
    }

    int registerValue() {
        return registerValue;
    }
}
