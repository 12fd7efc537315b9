package io.peregrine.virtualcamera;

/**
 * The GVSP payload in which a camera sends its content at start; an application may change it as far as SCC offers it.
 */
public enum StreamPayload {
    /** GenDC when an application asks for it, else as {@link #IMAGE}. */
    AUTOMATIC(0x81, 0),
    /** The first part alone: image 0x0001, JPEG 0x0006, JPEG 2000 0x0007, H.264 0x0008, or raw 0x0002. */
    IMAGE(0, 0),
    /** Raw 0x0002. */
    RAW(0, 0),
    /** File 0x0003. */
    FILE(0, 0),
    /** Image with the bit 0x4000: the image is the first chunk, with its own tag, and others follow. */
    IMAGE_WITH_CHUNKS(0x1, 0x1),
    /** Chunk data 0x0004; the image is one of the chunks. */
    CHUNK(0, 0),
    /** Extended chunk data 0x0005; the image is one of the chunks. */
    EXTENDED_CHUNK(0x1, 0x1),
    /** Image in one packet, leader and trailer included, when it fits one. */
    ALL_IN(0x4, 0x4),
    /** Multi-zone image 0x0009: four alternating zones, every other one from its end to its start. */
    MULTI_ZONE(0x10, 0),
    /** Multi-part 0x000A: the packets of the parts alternate. */
    MULTI_PART(0x60, 0x60);

    private final int capability;
    private final int configuration;

    StreamPayload(int capability, int configuration) {
        this.capability = capability;
        this.configuration = configuration;
    }

    /** Bits of SCC that it adds. */
    int capability() {
        return capability;
    }

    /** SCCFG at start. */
    int configuration() {
        return configuration;
    }

    boolean hasChunks() {
        return this == IMAGE_WITH_CHUNKS || this == CHUNK || this == EXTENDED_CHUNK;
    }
}
