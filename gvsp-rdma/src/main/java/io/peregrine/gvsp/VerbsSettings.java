package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * How raw packets are received by the verbs of an adapter.
 *
 * @param bufferBytes memory for receives that are posted at a time, each of the size of a packet; fewer are posted
 *     where the adapter allows no more
 * @param maxPacketBytes largest packet, in bytes of UDP data; larger ones are rejected and counted as malformed
 * @param completionVector which interrupt of the adapter wakes the receiver, taken modulo those that there are, so that
 *     numbers in sequence spread streams over processors; negative never sleeps
 * @param maxPoll polls in a row without a packet before the interrupt is armed and the receiver sleeps
 * @param endpoints further IPv4 addresses and ports, of groups or this host, that the device sends the stream to
 */
public record VerbsSettings(
        int bufferBytes, int maxPacketBytes, int completionVector, int maxPoll, List<InetSocketAddress> endpoints) {
    /** 16 MiB for packets of up to 9200 bytes, the first interrupt after 10 polls. */
    public static final VerbsSettings DEFAULT = new VerbsSettings(16 << 20, 9200, 0, 10, List.of());

    private static final int MAX_UDP_BYTES = 65507;
    private static final int MIN_PACKETS = 4;

    /** Checks the values. */
    public VerbsSettings {
        endpoints = List.copyOf(endpoints);
        if (maxPacketBytes < 1 || maxPacketBytes > MAX_UDP_BYTES) {
            throw new StreamException(
                    "maxPacketBytes must be between 1 and " + MAX_UDP_BYTES + ", not " + maxPacketBytes);
        }
        if (maxPoll < 1) {
            throw new StreamException("maxPoll must be at least 1, not " + maxPoll);
        }
        if (bufferBytes < minBytes(maxPacketBytes)) {
            throw new StreamException("bufferBytes must hold at least " + MIN_PACKETS + " packets of " + maxPacketBytes
                    + " bytes, not " + bufferBytes + " bytes");
        }
    }

    /** Least memory for packets of a size. */
    public static int minBytes(int maxPacketBytes) {
        return MIN_PACKETS * (maxPacketBytes + RawUdp.HEADER_BYTES);
    }

    /** Receives that the memory has room for. */
    int depth() {
        return bufferBytes / (maxPacketBytes + RawUdp.HEADER_BYTES);
    }

    /**
     * Flow sets that hold as many packets as the memory for receives, so that each of them has a place; 0 where one
     * holds more.
     *
     * @param blockBytes size of a flow set
     */
    public int flowSets(long blockBytes) {
        // With leader and trailer.
        return (int) (depth() / (blockBytes / maxPacketBytes + 2));
    }
}
