package io.peregrine.gendc;

/** What a component shows: the ids of the SFNC feature ComponentIDValue (SFNC 2.7.1), a 64-bit field in GenDC. */
public enum ComponentType {
    /** Reserved. */
    UNDEFINED(0),
    /** Visible light, monochrome or colour. */
    INTENSITY(1),
    /** Infrared light. */
    INFRARED(2),
    /** Ultraviolet light. */
    ULTRAVIOLET(3),
    /** Distance: a depth map, or a point cloud, as Scan3dOutputMode says. */
    RANGE(4),
    /** Reflected intensity of a distance measurement. */
    REFLECTANCE(5),
    /** How far the other components can be trusted; 0 is invalid. */
    CONFIDENCE(6),
    /** Scattered light. */
    SCATTER(7),
    /** Disparity in pixels. */
    DISPARITY(8),
    /** One part per spectral band. */
    MULTISPECTRAL(9),
    /** Chunk data and XML. */
    METADATA(0x8001),
    /** A vendor's own, 0xFF00 to 0xFFFE. */
    CUSTOM(-1),
    /** An id that this library does not know. */
    UNKNOWN(-1);

    /** A copy, because {@link #values()} makes one each time. */
    private static final ComponentType[] BY_ID = values();

    private static final long FIRST_CUSTOM = 0xFF00;
    private static final long LAST_CUSTOM = 0xFFFE;

    private final long id;

    ComponentType(long id) {
        this.id = id;
    }

    /** The id on the wire; -1 for {@link #CUSTOM} and {@link #UNKNOWN}, which stand for many. */
    public long id() {
        return id;
    }

    /**
     * The type of an id.
     *
     * @param id TypeId of a component
     */
    public static ComponentType of(long id) {
        if (id >= FIRST_CUSTOM && id <= LAST_CUSTOM) {
            return CUSTOM;
        }
        if (id >= 0 && id <= 9) {
            return BY_ID[(int) id];
        }
        return id == METADATA.id ? METADATA : UNKNOWN;
    }
}
