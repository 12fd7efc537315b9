package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * The project's own mapping, version 0, spoken by devices that publish its marker, as the virtual camera does. It uses
 * nothing but what is public about RDMA and GigE Vision 2.2: registers in the device's own space, connections by the
 * RDMA connection manager, sends and plain writes. {@code docs/gvrsp.md} has all of it.
 */
public final class InterimMapping implements GvrspMapping {
    /** Name of the feature that holds the address of the marker. */
    public static final String ADDRESS_FEATURE = "GvrspInterimAddress";

    /** Marker register, and the first bytes of all private data: GVR0. */
    static final int MAGIC = 0x47565230;

    static final int VERSION = 0;

    /** Registers below belong to the standard (GigE Vision: device-specific space). */
    private static final long FIRST_DEVICE_SPECIFIC = 0xA000;

    private static final long LAST_ADDRESS = 0xFFFF_FFFFL;

    private static final int AT_VERSION = 0x04;
    private static final int AT_CAPABILITY = 0x08;
    private static final int AT_PORT = 0x0C;
    private static final int AT_CHANNELS = 0x10;
    private static final int CHANNEL_BYTES = 0x40;
    private static final int CHANNEL_MODE = 0x00;
    private static final int CHANNEL_DROPPED = 0x04;
    private static final int CHANNEL_NONCE_HIGH = 0x10;
    private static final int CHANNEL_NONCE_LOW = 0x14;
    private static final int MAX_CHANNELS = 512;

    private static final int CAPABILITY_SEND = 1;
    private static final int CAPABILITY_WRITE = 2;

    private static final int REQUEST_BYTES = 32;
    private static final int REPLY_BYTES = 16;
    private static final int REJECTION_BYTES = 6;
    private static final int ANNOUNCEMENT_BYTES = 8;
    private static final int ANNOUNCED_FLOW_BYTES = 24;
    private static final int DONE_BYTES = 32;
    private static final int DONE_FLOW_BYTES = 8;

    private static final int STATUS_INVALID_PARAMETER = 0x8002;
    private static final int STATUS_ACCESS_DENIED = 0x8006;
    private static final int STATUS_BUSY = 0x8007;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final long address;

    private InterimMapping(long address) {
        this.address = address;
    }

    /**
     * The mapping of a device.
     *
     * @param address address of the marker, from the feature {@link #ADDRESS_FEATURE}
     * @throws RdmaException if the marker cannot be there: it must lie in the device's own register space
     */
    public static InterimMapping at(long address) {
        long end = address + AT_CHANNELS + (long) CHANNEL_BYTES * MAX_CHANNELS;
        if (address < FIRST_DEVICE_SPECIFIC || end > LAST_ADDRESS || address % 4 != 0) {
            throw new RdmaException("The device gives 0x" + Long.toHexString(address) + " as " + ADDRESS_FEATURE
                    + ": only multiples of 4 in the device's own register space, from 0x"
                    + Long.toHexString(FIRST_DEVICE_SPECIFIC) + " on, are possible");
        }
        return new InterimMapping(address);
    }

    @Override
    public String name() {
        return "interim mapping 0";
    }

    @Override
    public Probe probe(RegisterAccess registers) {
        int magic = registers.read(address);
        if (magic != MAGIC) {
            return new Probe(
                    Set.of(),
                    "the device's marker for RDMA is 0x" + Integer.toHexString(magic) + " instead of 0x"
                            + Integer.toHexString(MAGIC));
        }
        int version = registers.read(address + AT_VERSION);
        if (version != VERSION) {
            return new Probe(
                    Set.of(),
                    "the device speaks version " + Integer.toUnsignedString(version)
                            + " of the interim mapping, this library only version " + VERSION);
        }
        int capability = registers.read(address + AT_CAPABILITY);
        Set<RdmaMode> modes = EnumSet.noneOf(RdmaMode.class);
        if ((capability & CAPABILITY_SEND) != 0) {
            modes.add(RdmaMode.SEND);
        }
        if ((capability & CAPABILITY_WRITE) != 0) {
            modes.add(RdmaMode.WRITE);
        }
        if (modes.isEmpty()) {
            return new Probe(modes, "the device says that it cannot stream over RDMA now");
        }
        if (registers.read(address + AT_PORT) == 0) {
            return new Probe(Set.of(), "the device does not listen for RDMA connections");
        }
        return new Probe(modes, "");
    }

    @Override
    public long configure(RegisterAccess registers, int streamChannel, RdmaMode mode) {
        long nonce = renew(registers, streamChannel);
        registers.write(channel(streamChannel) + CHANNEL_MODE, code(mode));
        return nonce;
    }

    @Override
    public long renew(RegisterAccess registers, int streamChannel) {
        long channel = channel(streamChannel);
        long nonce = RANDOM.nextLong();
        registers.write(channel + CHANNEL_NONCE_HIGH, (int) (nonce >>> 32));
        registers.write(channel + CHANNEL_NONCE_LOW, (int) nonce);
        return nonce;
    }

    @Override
    public int endpoint(RegisterAccess registers, int streamChannel) {
        int port = registers.read(address + AT_PORT);
        if (port < 1 || port > 0xFFFF) {
            throw new RdmaException("The device does not listen for RDMA connections: it gives the port "
                    + Integer.toUnsignedString(port));
        }
        return port;
    }

    @Override
    public long blocksDropped(RegisterAccess registers, int streamChannel) {
        return Integer.toUnsignedLong(registers.read(channel(streamChannel) + CHANNEL_DROPPED));
    }

    @Override
    public void close(RegisterAccess registers, int streamChannel) {
        registers.write(channel(streamChannel) + CHANNEL_MODE, 0);
    }

    private long channel(int streamChannel) {
        if (streamChannel < 0 || streamChannel >= MAX_CHANNELS) {
            throw new RdmaException("There is no stream channel " + streamChannel);
        }
        return address + AT_CHANNELS + (long) CHANNEL_BYTES * streamChannel;
    }

    private static int code(RdmaMode mode) {
        return mode == RdmaMode.SEND ? 1 : 2;
    }

    @Override
    public byte[] requestPrivateData(GvrspSession session, int flowCount, int receiveDepth) {
        if (flowCount < 1 || flowCount > 0xFFFF) {
            throw new RdmaException("A flow set of " + flowCount + " flows cannot be asked for: 1 to 65535");
        }
        byte[] bytes = new byte[REQUEST_BYTES];
        ByteBuffer data = little(bytes);
        // Bytes in the order of the text, whatever the order of numbers.
        data.putInt(Integer.reverseBytes(MAGIC));
        data.putShort((short) VERSION);
        data.putShort((short) session.streamChannel());
        data.putShort((short) code(session.mode()));
        data.putShort((short) flowCount);
        data.putInt(receiveDepth);
        data.putLong(session.nonce());
        return bytes;
    }

    @Override
    public long parseReply(byte[] privateData) {
        if (privateData.length < REPLY_BYTES || !hasMagic(privateData)) {
            throw new RdmaException("What listens on the device's RDMA port accepted with " + hex(privateData)
                    + ", which is no answer of the interim mapping");
        }
        ByteBuffer data = little(privateData);
        int version = Short.toUnsignedInt(data.getShort(4));
        int status = Short.toUnsignedInt(data.getShort(6));
        long containerBytes = data.getLong(8);
        if (version != VERSION || status != 0 || containerBytes < 1) {
            throw new RdmaException("The device accepted the RDMA connection with version " + version + ", status 0x"
                    + Integer.toHexString(status) + " and containers of " + Long.toUnsignedString(containerBytes)
                    + " bytes, which cannot be used");
        }
        return containerBytes;
    }

    @Override
    public RdmaException explain(ConnectionRejectedException rejection) {
        byte[] data = rejection.privateData();
        if (data.length < REJECTION_BYTES || !hasMagic(data)) {
            return new RdmaException(
                    rejection.reason() == ConnectionRejectedException.REASON_NO_LISTENER
                            ? "Nothing listens on the device's RDMA port: " + rejection.getMessage()
                            : "The device refused the RDMA connection: " + rejection.getMessage(),
                    rejection);
        }
        int status = Short.toUnsignedInt(little(data).getShort(4));
        String reason = switch (status) {
            case STATUS_ACCESS_DENIED ->
                "access denied: the session nonce is not that of the control channel, or control was lost";
            case STATUS_INVALID_PARAMETER ->
                "invalid parameter: mode, flow count or stream channel are not as the device has them now";
            case STATUS_BUSY -> "busy: the stream channel is connected already";
            default -> "for an unknown reason";
        };
        return new RdmaException(
                "The device refused the RDMA connection with status 0x" + Integer.toHexString(status) + ", " + reason,
                rejection);
    }

    @Override
    public int announcementBytes(RdmaMode mode, int flowCount) {
        return mode == RdmaMode.SEND ? ANNOUNCEMENT_BYTES : ANNOUNCEMENT_BYTES + ANNOUNCED_FLOW_BYTES * flowCount;
    }

    @Override
    public void announcement(ByteBuffer target, RdmaMode mode, int setId, MemoryRegion[] flows) {
        ByteOrder before = target.order();
        target.order(ByteOrder.LITTLE_ENDIAN);
        target.putInt(setId);
        target.putShort((short) (mode == RdmaMode.SEND ? 0 : flows.length));
        target.putShort((short) 0);
        if (mode == RdmaMode.WRITE) {
            for (MemoryRegion flow : flows) {
                target.putLong(flow.remoteAddress());
                target.putInt(flow.remoteKey());
                target.putInt(0);
                target.putLong(flow.lengthBytes());
            }
        }
        target.order(before);
    }

    @Override
    public int messageBytes(RdmaMode mode, int flowCount) {
        return mode == RdmaMode.SEND ? 0 : DONE_BYTES + DONE_FLOW_BYTES * flowCount;
    }

    @Override
    public void onFlow(int setId, int flow, int flowCount, long lengthBytes, GvrspEvents events) {
        events.flowDone(setId, flow, lengthBytes);
        if (flow == flowCount - 1) {
            events.blockDone(setId);
        }
    }

    @Override
    public void onMessage(ByteBuffer message, int lengthBytes, int flowCount, GvrspEvents events) {
        if (lengthBytes != DONE_BYTES + DONE_FLOW_BYTES * flowCount) {
            events.broken("it ended a block with a message of " + lengthBytes + " bytes");
            return;
        }
        int count = Short.toUnsignedInt(message.getShort(6));
        if (count != flowCount) {
            events.broken("it ended a block of " + count + " flows, not " + flowCount);
            return;
        }
        long setId = Integer.toUnsignedLong(message.getInt(0));
        for (int flow = 0; flow < flowCount; flow++) {
            long length = message.getLong(DONE_BYTES + DONE_FLOW_BYTES * flow);
            // Unsigned on the wire; whatever is beyond 63 bits is beyond every flow too.
            events.flowDone(setId, flow, length < 0 ? Long.MAX_VALUE : length);
        }
        events.blockReported(
                setId,
                Short.toUnsignedInt(message.getShort(4)),
                message.getLong(8),
                message.getLong(16),
                message.getLong(24));
        events.blockDone(setId);
    }

    private static boolean hasMagic(byte[] data) {
        return little(data).getInt(0) == Integer.reverseBytes(MAGIC);
    }

    private static ByteBuffer little(byte[] data) {
        return ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String hex(byte[] data) {
        return data.length == 0
                ? "no private data"
                : "the private data "
                        + HexFormat.of().formatHex(Arrays.copyOf(data, Math.min(data.length, REPLY_BYTES)));
    }
}
