package io.peregrine.distribution;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that come in several fragments, within limits for all senders together: Aeron's own assembler keeps what
 * never ends, of any number of strangers. Where there is no room, that of the sender that is silent longest goes. For
 * one thread.
 */
final class Reassembly {
    /** Room for a few of the longest messages at the same time. */
    static final long MAX_BYTES = 4L * Route.MAX_MESSAGE_BYTES;

    static final int MAX_SENDERS = 1024;

    /** By the image that each comes from, the one that is silent longest first. */
    private final Map<Object, Partial> partials = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private long dropped;

    /** A message of which more comes. */
    private static final class Partial {
        private byte[] bytes = new byte[0];
        private int length;
        private int nextOffset;
    }

    /** Hands over whole messages, each with the header of its last fragment. */
    FragmentHandler to(BiConsumer<byte[], Header> taker) {
        return (buffer, offset, length, header) -> {
            byte[] whole = add(buffer, offset, length, header);
            if (whole != null) {
                taker.accept(whole, header);
            }
        };
    }

    private byte @Nullable [] add(DirectBuffer buffer, int offset, int length, Header header) {
        byte flags = header.flags();
        if ((flags & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED) {
            byte[] whole = new byte[length];
            buffer.getBytes(offset, whole);
            return whole;
        }
        Object from = header.context();
        boolean first = (flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0;
        if (first) {
            remove(from);
            partials.put(from, new Partial());
        }
        Partial partial = partials.get(from);
        if (partial == null) {
            // The receiver joined within it, or it was dropped.
            return null;
        }
        if (!first && header.termOffset() != partial.nextOffset) {
            remove(from);
            return null;
        }
        if (partial.length + length > Route.MAX_MESSAGE_BYTES) {
            drop(from);
            return null;
        }
        append(partial, buffer, offset, length);
        partial.nextOffset = header.nextTermOffset();
        if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0) {
            remove(from);
            return Arrays.copyOf(partial.bytes, partial.length);
        }
        return null;
    }

    private void append(Partial partial, DirectBuffer buffer, int offset, int length) {
        int needed = partial.length + length;
        if (needed > partial.bytes.length) {
            int before = partial.bytes.length;
            int room = Math.max(needed, Math.min(2 * before, Route.MAX_MESSAGE_BYTES));
            partial.bytes = Arrays.copyOf(partial.bytes, room);
            bytes += partial.bytes.length - before;
        }
        buffer.getBytes(offset, partial.bytes, partial.length, length);
        partial.length = needed;
        // The one that has just grown is the last of them, and within the limit by itself.
        while (bytes > MAX_BYTES || partials.size() > MAX_SENDERS) {
            drop(partials.keySet().iterator().next());
        }
    }

    private void drop(Object from) {
        remove(from);
        dropped++;
    }

    private void remove(Object from) {
        Partial gone = partials.remove(from);
        if (gone != null) {
            bytes -= gone.bytes.length;
        }
    }

    /** Memory of all that is not whole yet. */
    long bytes() {
        return bytes;
    }

    /** Number of senders of which something is not whole yet. */
    int senders() {
        return partials.size();
    }

    /** Number of messages that were longer than any can be, or did not end while others needed the room. */
    long dropped() {
        return dropped;
    }
}
