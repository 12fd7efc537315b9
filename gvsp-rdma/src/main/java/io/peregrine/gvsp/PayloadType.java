package io.peregrine.gvsp;

/** Payload type codes of leaders and trailers (GigE Vision 2.2; dissector facts). */
public final class PayloadType {
    /** Image: {@value}. */
    public static final int IMAGE = 0x0001;
    /** Raw data: {@value}. */
    public static final int RAW = 0x0002;
    /** GenDC container: {@value}. */
    public static final int GENDC = 0x000B;

    private PayloadType() {}
}
