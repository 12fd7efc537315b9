package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What registers live behind. */
abstract class AbstractPort extends BaseNode implements PortNode {
    AbstractPort(NodeContext context, Element element, String name) {
        super(context, element, name);
    }

    abstract void readBytes(long address, ByteBuffer destination);

    abstract void writeBytes(long address, ByteBuffer source);

    @Override
    public final void read(long address, ByteBuffer destination) {
        run(() -> {
            checkReadable();
            try {
                readBytes(address, destination);
            } catch (GenApiException e) {
                throw e;
            } catch (RuntimeException e) {
                throw failure("Port " + name + " could not be read: " + e.getMessage(), e);
            }
        });
    }

    @Override
    public final void write(long address, ByteBuffer source) {
        run(() -> {
            checkWritable();
            writing(true, () -> writeAndForget(address, source));
        });
    }

    private void writeAndForget(long address, ByteBuffer source) {
        int length = source.remaining();
        try {
            writeBytes(address, source);
        } catch (GenApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure("Port " + name + " could not be written: " + e.getMessage(), e);
        }
        drop(address, length, null);
        context.changes.changed(this);
    }

    @Override
    public OptionalLong chunkId() {
        return OptionalLong.empty();
    }

    /** What the caller of a node gets when this has failed. */
    RuntimeException failure(String message, RuntimeException cause) {
        return new GenApiException(message, cause);
    }

    /** Whether what was read may be remembered. */
    abstract boolean caches();

    /** The line of a place, shared by all who ask for it; only of a port that {@link #caches}. */
    CacheLine line(long address, int length, boolean forGood) {
        throw new IllegalStateException("Port " + name + " has no cache");
    }

    /** Forgets everything that touches the range, but for one line. */
    void drop(long address, long length, @Nullable CacheLine kept) {}
}
