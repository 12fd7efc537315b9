package io.peregrine.virtualcamera;

/**
 * One part of a component.
 *
 * @param type header type of GenDC
 * @param flags flags of its GenDC header
 * @param format PFNC code
 * @param width pixels in a line; 0 for one-dimensional data
 * @param paddingX bytes after each line
 * @param paddingY bytes at the end
 * @param layoutId layout id of metadata
 * @param data its bytes
 */
record Part(int type, int flags, int format, int width, int paddingX, int paddingY, int layoutId, PartData data) {
    static final int CHUNK = 0x4000;
    static final int XML = 0x4001;
    static final int ARRAY = 0x4100;
    static final int IMAGE = 0x4200;
    static final int JPEG = 0x4201;
    static final int JPEG_2000 = 0x4202;
    static final int H_264 = 0x4203;
    /** Two-dimensional, of a kind of this vendor. */
    static final int CUSTOM_2D = 0x42F1;
    /** Of a category of this vendor. */
    static final int CUSTOM = 0x4F21;

    /** Of XML: it describes the chunk data. */
    static final int FLAG_FOR_CHUNK = 0x200;

    private static final int METADATA_CATEGORY = 0x4000;
    private static final int IMAGE_CATEGORY = 0x4200;

    boolean metadata() {
        return (type & 0xFF00) == METADATA_CATEGORY;
    }

    boolean twoDimensional() {
        return (type & 0xFF00) == IMAGE_CATEGORY;
    }

    boolean compressed() {
        return type >= JPEG && type <= H_264;
    }
}
