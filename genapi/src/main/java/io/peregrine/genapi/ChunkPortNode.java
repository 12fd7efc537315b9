package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * A chunk port: its registers lie in a chunk of the frame that is attached, and are not available when there is none
 * (R23). It holds no cache, as its memory is the host's.
 */
final class ChunkPortNode extends AbstractPort {
    private static final int UNKNOWN = -1;

    private final ChunkMemory memory;
    private final long literalId;
    private final boolean linked;
    private final Link chunkId;
    private int chunk = UNKNOWN;

    ChunkPortNode(NodeContext context, Element element, String name, ChunkMemory memory) {
        super(context, element, name);
        this.memory = memory;
        String literal = element.valueOrNull("ChunkID");
        linked = literal == null;
        chunkId = new Link(this, element.value("pChunkID").orElse(""));
        // Chunk ids are hexadecimal without a prefix, though some write one.
        literalId = literal == null ? 0 : Numbers.parseHex(name, literal);
    }

    /** Looks for the chunk in what is attached now. */
    void attached() {
        chunk = UNKNOWN;
        if (memory.attached()) {
            try {
                chunk = memory.find(linked ? linkedId() : literalId);
            } catch (RuntimeException e) {
                // An id that cannot be read now belongs to no chunk; the port says so when it is asked.
                chunk = UNKNOWN;
            }
        }
    }

    /** The id that another node holds, as a number or as hexadecimal text. */
    private long linkedId() {
        return chunkId.node() instanceof StringNode text
                ? Numbers.parseHex(name, text.value())
                : chunkId.number().readLong();
    }

    @Override
    public OptionalLong chunkId() {
        return operate(() -> OptionalLong.of(linked ? linkedId() : literalId));
    }

    @Override
    AccessMode ownAccess() {
        return chunk == UNKNOWN ? AccessMode.NA : AccessMode.RO;
    }

    @Override
    void readBytes(long address, ByteBuffer destination) {
        if (chunk == UNKNOWN) {
            throw new GenApiAccessException("The chunk of port " + name + " is not in the attached frame");
        }
        memory.read(chunk, name, address, destination);
    }

    @Override
    void writeBytes(long address, ByteBuffer source) {
        throw new GenApiAccessException(
                "The chunk of port " + name + " belongs to a received frame: it cannot be written");
    }

    @Override
    boolean caches() {
        return false;
    }
}
