package io.peregrine.traffic;

import io.peregrine.rocev2.ObservedPacket;
import io.peregrine.rocev2.ObservedPacket.Kind;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What one host sends to one queue pair of another: how many packets of each operation, and the messages that they
 * make. Of a message only its length is kept, and its bytes if they are too few for an image.
 */
final class RoceFlow {
    /** Messages whose bytes are kept. Announcements and reports are as short; lines of images are longer. */
    static final int SMALL_MESSAGE_BYTES = 128;

    /** Messages of a queue pair that are written down one by one. */
    private static final int MAX_MESSAGES = 256;
    /** Different lengths of messages that are counted apart. */
    private static final int MAX_LENGTHS = 64;
    /** Fields of the first header of a GenDC container. */
    static final int CONTAINER_HEADER_BYTES = 56;

    private static final int CONTAINER_SIGNATURE = 0x474E4443;
    private static final int PSN_BITS = 24;
    private static final int UNUSED_BITS = Integer.SIZE - PSN_BITS;

    /**
     * A whole message.
     *
     * @param begun when its first packet was seen
     * @param kind send or write
     * @param lengthBytes payload
     * @param packets how many
     * @param psn of the first packet
     * @param target where a write goes
     * @param immediate immediate data
     * @param content all bytes of a small message; else empty
     * @param container header of a GenDC container that the message begins with; else empty
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside of this package
    record Message(
            long begun,
            Kind kind,
            long lengthBytes,
            int packets,
            int psn,
            Optional<ObservedPacket.Target> target,
            OptionalInt immediate,
            byte[] content,
            byte[] container) {}

    private static final byte[] NONE = {};

    private final long[] packets = new long[256];
    private final long[] bytes = new long[256];
    private final Map<Integer, Long> syndromes = new TreeMap<>();
    private final Map<Long, Long> lengths = new TreeMap<>();
    private final String[] names = new String[256];
    private final long firstNanos;
    private final int firstPsn;
    private long lastNanos;
    private int lastPsn;
    private long messages;
    private long otherLengths;
    private long repeated;
    private long gaps;

    // The message that has begun.
    private boolean within;
    private int expectedPsn = -1;
    private long begun;
    private Kind kind = Kind.OTHER;
    private long lengthBytes;
    private int messagePackets;
    private int messagePsn;
    private Optional<ObservedPacket.Target> target = Optional.empty();
    private byte[] container = NONE;

    RoceFlow(long nanos, int psn) {
        firstNanos = nanos;
        firstPsn = psn;
    }

    /**
     * Counts a packet.
     *
     * @param datagram what was captured of it
     * @return the message that ends with it, if it is one of the first
     */
    Optional<Message> accept(long nanos, ObservedPacket packet, ByteBuffer datagram) {
        packets[packet.opcode()]++;
        bytes[packet.opcode()] += packet.payloadBytes();
        names[packet.opcode()] = packet.operation();
        lastNanos = nanos;
        lastPsn = packet.psn();
        packet.syndrome().ifPresent(syndrome -> syndromes.merge(syndrome, 1L, Long::sum));
        if (packet.kind() == Kind.OTHER) {
            return Optional.empty();
        }
        if (!inOrder(packet.psn())) {
            return Optional.empty();
        }
        if (packet.begins()) {
            begin(nanos, packet, datagram);
        } else if (!within || packet.kind() != kind) {
            // Begun before the recording did.
            within = false;
            return Optional.empty();
        }
        lengthBytes += packet.payloadBytes();
        messagePackets++;
        return packet.ends() ? end(packet, datagram) : Optional.empty();
    }

    /** Packets that are sent again belong to no new message; after packets that were not seen one has to begin. */
    private boolean inOrder(int psn) {
        if (expectedPsn >= 0) {
            int ahead = ((psn - expectedPsn) << UNUSED_BITS) >> UNUSED_BITS;
            if (ahead < 0) {
                repeated++;
                return false;
            }
            if (ahead > 0) {
                gaps++;
                within = false;
            }
        }
        expectedPsn = (psn + 1) & ((1 << PSN_BITS) - 1);
        return true;
    }

    private void begin(long nanos, ObservedPacket packet, ByteBuffer datagram) {
        within = true;
        begun = nanos;
        kind = packet.kind();
        lengthBytes = 0;
        messagePackets = 0;
        messagePsn = packet.psn();
        target = packet.target();
        int at = packet.payloadOffset();
        boolean header = packet.payloadBytes() >= CONTAINER_HEADER_BYTES
                && datagram.limit() >= at + CONTAINER_HEADER_BYTES
                && datagram.getInt(at) == CONTAINER_SIGNATURE;
        container = header ? copy(datagram, at, CONTAINER_HEADER_BYTES) : NONE;
    }

    private Optional<Message> end(ObservedPacket packet, ByteBuffer datagram) {
        within = false;
        messages++;
        if (lengths.containsKey(lengthBytes) || lengths.size() < MAX_LENGTHS) {
            lengths.merge(lengthBytes, 1L, Long::sum);
        } else {
            otherLengths++;
        }
        if (messages > MAX_MESSAGES) {
            return Optional.empty();
        }
        boolean small = messagePackets == 1
                && lengthBytes > 0
                && lengthBytes <= SMALL_MESSAGE_BYTES
                && datagram.limit() >= packet.payloadOffset() + lengthBytes;
        return Optional.of(new Message(
                begun,
                kind,
                lengthBytes,
                messagePackets,
                messagePsn,
                target,
                packet.immediate(),
                small ? copy(datagram, packet.payloadOffset(), (int) lengthBytes) : NONE,
                container));
    }

    private static byte[] copy(ByteBuffer from, int at, int count) {
        byte[] bytes = new byte[count];
        from.get(at, bytes);
        return bytes;
    }

    // ---- What was counted

    /** Packets of each operation, by its name. */
    Map<String, Long> packets() {
        return counted(packets);
    }

    /** Bytes of payload of each operation, by its name. */
    Map<String, Long> bytes() {
        return counted(bytes);
    }

    private Map<String, Long> counted(long... counts) {
        Map<String, Long> named = new LinkedHashMap<>();
        for (int opcode = 0; opcode < counts.length; opcode++) {
            if (packets[opcode] > 0) {
                named.put(names[opcode], counts[opcode]);
            }
        }
        return named;
    }

    /** Acknowledgements by their syndrome. */
    Map<Integer, Long> syndromes() {
        return syndromes;
    }

    /** Messages by their length in bytes, as many lengths as are counted apart. */
    Map<Long, Long> lengths() {
        return lengths;
    }

    /** Messages of other lengths. */
    long otherLengths() {
        return otherLengths;
    }

    /** Messages that were seen whole. */
    long messages() {
        return messages;
    }

    /** Packets with a sequence number that was there before. */
    long repeated() {
        return repeated;
    }

    /** How often packets are missing between two, because they were lost or not captured. */
    long gaps() {
        return gaps;
    }

    long firstNanos() {
        return firstNanos;
    }

    long lastNanos() {
        return lastNanos;
    }

    int firstPsn() {
        return firstPsn;
    }

    int lastPsn() {
        return lastPsn;
    }
}
