package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What registers live behind. */
abstract class AbstractPort extends BaseNode implements PortNode {
    AbstractPort(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    abstract void readBytes(long address, ByteBuffer destination);

    abstract void writeBytes(long address, ByteBuffer source);

    @Override
    public final void read(long address, ByteBuffer destination) {
        map.enter(this);
        try {
            checkReadable();
            readBytes(address, destination);
        } catch (GenApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure("Port " + name + " could not be read: " + e.getMessage(), e);
        } finally {
            map.exit();
        }
    }

    @Override
    public final void write(long address, ByteBuffer source) {
        map.enter(this);
        try {
            checkWritable();
            int length = source.remaining();
            writing(true, () -> {
                writeBytes(address, source);
                drop(address, length, null);
                map.changed(this);
            });
        } catch (GenApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure("Port " + name + " could not be written: " + e.getMessage(), e);
        } finally {
            map.exit();
        }
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
