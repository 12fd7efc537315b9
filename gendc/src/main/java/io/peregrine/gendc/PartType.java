package io.peregrine.gendc;

import java.util.Locale;

/** Header types of parts (GenDC 1.1, tables 2-3 to 2-5): class 0x4, then category, then kind. */
public final class PartType {
    /** GenICam chunk data. */
    public static final int METADATA_CHUNK = 0x4000;
    /** GenICam XML that describes chunk data. */
    public static final int METADATA_XML = 0x4001;
    /** One-dimensional array, for example a point cloud. */
    public static final int ARRAY_1D = 0x4100;
    /** Uncompressed image. */
    public static final int IMAGE_2D = 0x4200;
    /** JPEG image. */
    public static final int IMAGE_2D_JPEG = 0x4201;
    /** JPEG 2000 image. */
    public static final int IMAGE_2D_JPEG2000 = 0x4202;
    /** H.264 image. */
    public static final int IMAGE_2D_H264 = 0x4203;

    private static final int CLASS_MASK = 0xF000;
    private static final int CLASS_PART = 0x4000;
    private static final int CATEGORY_MASK = 0xFF00;
    private static final int CATEGORY_METADATA = 0x4000;
    private static final int CATEGORY_1D = 0x4100;
    private static final int CATEGORY_2D = 0x4200;
    private static final int CATEGORY_CUSTOM = 0x4F00;
    private static final int LAST_PART = 0x4FFF;
    private static final int FIRST_CUSTOM_KIND = 0xF0;

    private PartType() {}

    /** Whether the type belongs to a part at all. */
    public static boolean isPart(int type) {
        return (type & CLASS_MASK) == CLASS_PART;
    }

    /** Whether the part holds metadata, of a standard kind or a vendor's own. */
    public static boolean isMetadata(int type) {
        return (type & CATEGORY_MASK) == CATEGORY_METADATA;
    }

    /** Whether the part is one-dimensional, of a standard kind or a vendor's own. */
    public static boolean is1d(int type) {
        return (type & CATEGORY_MASK) == CATEGORY_1D;
    }

    /** Whether the part is two-dimensional: uncompressed, compressed, or a vendor's own. */
    public static boolean is2d(int type) {
        return (type & CATEGORY_MASK) == CATEGORY_2D;
    }

    /** Whether the part holds compressed image data. */
    public static boolean isCompressed(int type) {
        return type >= IMAGE_2D_JPEG && type <= IMAGE_2D_H264;
    }

    /** Whether the type is a vendor's own. */
    public static boolean isCustom(int type) {
        int category = type & CATEGORY_MASK;
        boolean ownKind =
                category >= CATEGORY_METADATA && category <= CATEGORY_2D && (type & 0xFF) >= FIRST_CUSTOM_KIND;
        return ownKind || (category == CATEGORY_CUSTOM && type != LAST_PART);
    }

    /** Whether GenDC 1.1 defines the type, vendors' own not included. */
    public static boolean isStandard(int type) {
        return type == METADATA_CHUNK
                || type == METADATA_XML
                || type == ARRAY_1D
                || (type >= IMAGE_2D && type <= IMAGE_2D_H264);
    }

    /** A name for messages. */
    public static String name(int type) {
        return switch (type) {
            case METADATA_CHUNK -> "Chunk";
            case METADATA_XML -> "XML";
            case ARRAY_1D -> "1D";
            case IMAGE_2D -> "2D";
            case IMAGE_2D_JPEG -> "JPEG";
            case IMAGE_2D_JPEG2000 -> "JPEG2000";
            case IMAGE_2D_H264 -> "H264";
            default -> String.format(Locale.ROOT, isCustom(type) ? "custom 0x%04X" : "unknown 0x%04X", type);
        };
    }
}
