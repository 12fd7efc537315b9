package io.peregrine.virtualcamera;

/** The contents of a camera's blocks, apart from size and pixel format. */
public enum Content {
    /** The components that are switched on, each a plain image. */
    COMPONENTS(0),
    /** Three regions of one sensor: ids 0 to 2, with different positions and sizes. */
    REGIONS(0),
    /** Two intensities, infrared and ultraviolet of three sensors, in groups. */
    SOURCES(0),
    /** RGB8_Planar: three parts, one for each colour. */
    PLANAR(Formats.RGB8_PLANAR),
    /** Intensity in the packed formats Mono10p, Mono12p, Mono10Packed, Mono12Packed, BayerRG12p and YCbCr422_8. */
    PACKED(Formats.MONO10P),
    /** Intensity and range with bytes after each line and at the end. */
    PADDED(0),
    /** Range as a one-dimensional array of Coord3D_ABC32f. */
    POINT_CLOUD(Formats.COORD3D_ABC32F),
    /** Range as an image of Coord3D_ABC32f, with intensity and confidence. */
    COORDINATES(Formats.COORD3D_ABC32F),
    /** Range as Coord3D_ABC32f_Planar: three parts, one for each coordinate. */
    PLANAR_COORDINATES(Formats.COORD3D_ABC32F_PLANAR),
    /** A multispectral component with four bands. */
    MULTISPECTRAL(Formats.MONO8),
    /** A JPEG image, of a different length in each block. */
    JPEG(Formats.MONO8),
    /** Bytes declared as JPEG 2000, of a different number in each block. */
    JPEG_2000(Formats.MONO8),
    /** Bytes declared as H.264, of a different number in each block. */
    H_264(Formats.MONO8),
    /** Intensity and parts of types that only the vendor knows. */
    CUSTOM(0),
    /** Components, GenICam chunk data and the XML that describes it. */
    METADATA(0),
    /** Three components; the confidence is invalid in blocks with an odd id. */
    INVALID(0),
    /** Three components whose height is known only after the data was sent; it differs in each block. */
    VARIABLE_HEIGHT(0),
    /**
     * Up to three components: one less in each block, down to one, then three again. In blocks with an odd id it is
     * known only when the data was sent.
     */
    VARIABLE_COMPONENTS(0),
    /** Three components: intensity in flow 0, range and confidence in flow 1. */
    TWO_FLOWS(0);

    private final int fixedFormat;

    Content(int fixedFormat) {
        this.fixedFormat = fixedFormat;
    }

    /** PFNC code that PixelFormat has and keeps; 0 where it can be chosen. */
    int fixedFormat() {
        return fixedFormat;
    }
}
