package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How a GigE Vision stream is carried by RDMA: which registers, which private data, which messages. How GigE Vision 3.0
 * does it is not public, so whatever is assumed about it is behind this interface and nowhere else.
 *
 * <p>Stateless: everything that belongs to one connection is passed in.
 */
public interface GvrspMapping {

    /**
     * What a device can do.
     *
     * @param modes how it can stream, in this mapping; empty if it cannot
     * @param reason why it cannot, as part of a sentence; empty text if it can
     */
    record Probe(Set<RdmaMode> modes, String reason) {
        /** Keeps a copy of the modes. */
        public Probe {
            modes = modes.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(modes));
            Objects.requireNonNull(reason, "reason");
        }

        /** Whether the device can stream in this way. */
        public boolean usable() {
            return !modes.isEmpty();
        }
    }

    /** Short name, for people to read. */
    String name();

    /** Looks, by reading alone, what the device can do. */
    Probe probe(RegisterAccess registers);

    /**
     * Prepares a stream channel for a connection. Only after {@link #probe} found the device usable.
     *
     * @return the nonce of the session
     */
    long configure(RegisterAccess registers, int streamChannel, RdmaMode mode);

    /**
     * Prepares another connection of a stream channel that is configured, after one was lost.
     *
     * @return the nonce of the session from now on
     */
    long renew(RegisterAccess registers, int streamChannel);

    /**
     * The port on which the device listens now.
     *
     * @throws RdmaException if it does not listen
     */
    int endpoint(RegisterAccess registers, int streamChannel);

    /** Blocks that the device dropped for lack of an announced flow set, since {@link #configure}; unsigned 32 bit. */
    long blocksDropped(RegisterAccess registers, int streamChannel);

    /** Takes {@link #configure} back. */
    void close(RegisterAccess registers, int streamChannel);

    /**
     * What to tell the device when connecting.
     *
     * @param session what was agreed on
     * @param flowCount flows of a flow set
     * @param receiveDepth most flow sets that are announced at a time
     * @return at most 56 bytes
     */
    byte[] requestPrivateData(GvrspSession session, int flowCount, int receiveDepth);

    /**
     * Reads what the device said when it accepted.
     *
     * @param privateData what came, maybe zero padded
     * @return bytes of a whole container
     * @throws RdmaException if it is no answer of this mapping, or not a good one
     */
    long parseReply(byte[] privateData);

    /** Says in words why the device refused. */
    RdmaException explain(ConnectionRejectedException rejection);

    /** Bytes of the message that announces a flow set. */
    int announcementBytes(RdmaMode mode, int flowCount);

    /**
     * Writes the message that announces a flow set.
     *
     * @param target takes {@link #announcementBytes} bytes from its position on
     * @param setId id of the flow set, the host's own
     * @param flows the registered flows
     */
    void announcement(ByteBuffer target, RdmaMode mode, int setId, MemoryRegion[] flows);

    /** Bytes of the largest message of the device that is not the bytes of a flow; 0 if it sends none. */
    int messageBytes(RdmaMode mode, int flowCount);

    /**
     * A receive into a flow ended well.
     *
     * @param setId id of the flow set
     * @param flow flow id
     * @param flowCount flows of a flow set
     * @param lengthBytes bytes that arrived
     * @param events told what it means
     */
    void onFlow(int setId, int flow, int flowCount, long lengthBytes, GvrspEvents events);

    /**
     * A message that is not the bytes of a flow arrived.
     *
     * @param message little-endian; the message begins at index 0
     * @param lengthBytes bytes that arrived
     * @param flowCount flows of a flow set
     * @param events told what it means
     */
    void onMessage(ByteBuffer message, int lengthBytes, int flowCount, GvrspEvents events);
}
