package io.peregrine.virtualcamera;

/** A component that the virtual camera can send. */
public enum ComponentKind {
    /** Intensity, in the chosen pixel format. */
    INTENSITY(TestPattern.INTENSITY),
    /** Distance, Coord3D_C16. */
    RANGE(TestPattern.RANGE),
    /** Confidence of the range, Confidence8. */
    CONFIDENCE(TestPattern.CONFIDENCE);

    private final long typeId;

    ComponentKind(long typeId) {
        this.typeId = typeId;
    }

    /**
     * Gives the SFNC ComponentIDValue.
     *
     * @return 1, 4 or 6
     */
    public long typeId() {
        return typeId;
    }
}
