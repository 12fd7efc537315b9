package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** What a block holds and where; a block is one run of bytes. */
abstract class BlockLayout {
    private final Composition composition;

    BlockLayout(Composition composition) {
        this.composition = composition;
    }

    final Composition composition() {
        return composition;
    }

    /** GVSP payload type. */
    abstract int payloadType();

    /** Most bytes that a block has. */
    abstract int blockBytes();

    /** Bytes of memory that a block needs while it is sent; not less than those that it has. */
    int memoryBytes() {
        return blockBytes();
    }

    /** How a block is sent by GVSP. */
    abstract Wire wire(Stamp stamp);

    /** Whether two blocks consist of the same bytes when their images and heights are the same. */
    boolean imagesOnly() {
        return false;
    }

    /** Writes the whole block from byte 0 of the buffer on. */
    abstract void render(Stamp stamp, boolean damaged, ByteBuffer memory);

    /** What a receiver sees of a block. */
    abstract SentBlock sent(Stamp stamp);

    final Stamp stamp(long blockId, long timestamp) {
        return composition.stamp(blockId, timestamp);
    }

    static ByteBuffer bytes(PartData data, Stamp stamp) {
        ByteBuffer bytes = ByteBuffer.allocate(data.bytes(stamp));
        data.fill(stamp, bytes);
        return bytes.flip().asReadOnlyBuffer();
    }

    /** The parts as they are; a component that is invalid has no bytes. */
    final List<SentBlock.Part> parts(Stamp stamp) {
        return composition.components(stamp).stream()
                .flatMap(component -> component.parts().stream().map(part -> sentPart(component, part, stamp)))
                .toList();
    }

    private SentBlock.Part sentPart(Component component, Part part, Stamp stamp) {
        boolean invalid = component.invalid(stamp);
        boolean shapeless = part.type() == Part.CUSTOM;
        int count = part.data().count(stamp);
        return new SentBlock.Part(
                component.typeId(),
                component.format(),
                component.groupId(),
                component.sourceId(),
                component.regionId(),
                component.offsetX(),
                component.offsetY(),
                invalid,
                part.type(),
                dataType(component, part),
                part.format(),
                shapeless ? 0 : part.twoDimensional() ? part.width() : count,
                shapeless ? 0 : part.twoDimensional() ? count : 1,
                part.paddingX(),
                part.paddingY(),
                part.layoutId(),
                invalid ? ByteBuffer.allocate(0) : bytes(part.data(), stamp));
    }

    /** Data type of GVSP multi-part; 0 for other payloads. */
    int dataType(Component component, Part part) {
        return 0;
    }

    /** Chunk data as GigE Vision has it, empty when there is none outside of parts. */
    Optional<ByteBuffer> chunk(Stamp stamp) {
        return Optional.empty();
    }
}
