package io.peregrine.device;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gvsp.GenDcPayload;
import io.peregrine.gvsp.GvspHeader;
import io.peregrine.gvsp.GvspLeader;
import io.peregrine.gvsp.GvspStatus;
import io.peregrine.gvsp.GvspTrailer;
import io.peregrine.gvsp.PacketSink;
import io.peregrine.gvsp.PlacedPayload;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;

/** The packets of a small block that no device sent, to be sent again and again with other block ids. */
final class MadeUpBlock {
    private static final int WIDTH = 512;
    private static final int HEIGHT = 5;
    private static final int IMAGE_BYTES = WIDTH * HEIGHT;
    /** Data of a packet. The last one has less, as in nearly all streams. */
    private static final int DATA_BYTES = 2 * WIDTH;

    private static final int PART_TYPE_IMAGE = 1;
    private static final int MAX_PACKET_BYTES = 1200;
    private static final int MAX_PACKETS = 8;
    /** Where no packet is. */
    private static final int NONE = -1;

    private final int payloadType;
    private final boolean extended;
    private final ByteBuffer packets = ByteBuffer.allocateDirect(MAX_PACKET_BYTES * MAX_PACKETS);
    private final int flowBytes;
    private int firstPayload;
    private int payloadLength;
    private int packetCount;
    private int trailer;

    private MadeUpBlock(int payloadType, int flowBytes) {
        this.payloadType = payloadType;
        this.flowBytes = flowBytes;
        extended = payloadType != PayloadType.IMAGE;
    }

    /**
     * Makes a block of an image, of the payload type that a stream will have.
     *
     * @param payloadType {@link PayloadType#GENDC} or {@link PayloadType#MULTI_PART}; an image for all others
     */
    static MadeUpBlock of(int payloadType) {
        return switch (payloadType) {
            case PayloadType.GENDC -> container();
            case PayloadType.MULTI_PART -> parts();
            default -> image();
        };
    }

    private static MadeUpBlock image() {
        MadeUpBlock block = new MadeUpBlock(PayloadType.IMAGE, IMAGE_BYTES);
        int leader = block.leader(GvspLeader.minimumLengthBytes(PayloadType.IMAGE), 0);
        block.packets
                .putInt(leader + GvspLeader.PIXEL_FORMAT_OFFSET, PfncCodes.MONO8)
                .putInt(leader + GvspLeader.SIZE_X_OFFSET, WIDTH)
                .putInt(leader + GvspLeader.SIZE_Y_OFFSET, HEIGHT);
        for (int from = 0; from < IMAGE_BYTES; from += DATA_BYTES) {
            block.payload(GvspHeader.FORMAT_PAYLOAD, dataBytes(from));
        }
        int trailer = block.trailer(GvspTrailer.lengthBytes(PayloadType.IMAGE, 0));
        block.packets.putInt(trailer + GvspTrailer.SIZE_Y_OFFSET, HEIGHT);
        return block;
    }

    private static MadeUpBlock parts() {
        MadeUpBlock block = new MadeUpBlock(PayloadType.MULTI_PART, IMAGE_BYTES);
        int part = block.leader(GvspLeader.lengthBytes(1), 1) + GvspLeader.PARTS_OFFSET;
        // Type, length, format; size X and size Y among what depends on the type.
        block.packets
                .putShort(part, (short) PART_TYPE_IMAGE)
                .putInt(part + 4, IMAGE_BYTES)
                .putInt(part + 8, PfncCodes.MONO8)
                .putInt(part + 24, WIDTH)
                .putInt(part + 28, HEIGHT);
        for (int from = 0; from < IMAGE_BYTES; from += DATA_BYTES) {
            int body = block.payload(GvspHeader.FORMAT_MULTI_PART, PlacedPayload.HEAD_LENGTH_BYTES + dataBytes(from));
            block.packets.putInt(body + PlacedPayload.DESTINATION_OFFSET + 2, from);
        }
        int trailer = block.trailer(GvspTrailer.lengthBytes(PayloadType.MULTI_PART, 1)) + GvspTrailer.PARTS_OFFSET;
        block.packets
                .putShort(trailer, (short) PART_TYPE_IMAGE)
                .putInt(trailer + 4, IMAGE_BYTES)
                .putInt(trailer + 8, HEIGHT);
        return block;
    }

    private static MadeUpBlock container() {
        byte[] descriptor = descriptor();
        MadeUpBlock block = new MadeUpBlock(PayloadType.GENDC, descriptor.length + IMAGE_BYTES);
        int leader = block.leader(GvspLeader.minimumLengthBytes(PayloadType.GENDC), 0);
        block.packets
                .putLong(leader + GvspLeader.PAYLOAD_SIZE_OFFSET, block.flowBytes)
                .putInt(leader + GvspLeader.DESCRIPTOR_SIZE_OFFSET, descriptor.length);
        for (int from = 0; from < IMAGE_BYTES; from += DATA_BYTES) {
            int body = block.genDc(descriptor.length + from, dataBytes(from));
            block.packets.put(body + GenDcPayload.DATA_FLAGS_OFFSET, (byte) (GenDcPayload.KIND_DATA << 6));
        }
        int body = block.genDc(0, descriptor.length);
        // Start and end of the descriptor.
        block.packets
                .put(body + GenDcPayload.DATA_FLAGS_OFFSET, (byte) (GenDcPayload.KIND_FINAL << 6 | 0x30))
                .put(body + GenDcPayload.HEAD_LENGTH_BYTES, descriptor);
        block.trailer(GvspTrailer.lengthBytes(PayloadType.GENDC, 0));
        return block;
    }

    private static byte[] descriptor() {
        return GenDcDescriptor.builder()
                .component(component -> component
                        .typeId(ComponentType.INTENSITY.id())
                        .format(PfncCodes.MONO8)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(WIDTH, HEIGHT)))
                .build()
                .toBytes();
    }

    private static int dataBytes(int from) {
        return Math.min(DATA_BYTES, IMAGE_BYTES - from);
    }

    // ---- Packets. Each method returns where the bytes after the header are.

    private int leader(int bodyBytes, int parts) {
        int body = packet(GvspHeader.FORMAT_LEADER, bodyBytes);
        if (extended) {
            packets.put(GvspHeader.EXTENDED_PART_COUNT_OFFSET, (byte) parts);
        }
        packets.putShort(body + GvspLeader.PAYLOAD_TYPE_OFFSET, (short) payloadType);
        firstPayload = packets.position();
        return body;
    }

    private int payload(int format, int bodyBytes) {
        int before = packets.position();
        int body = packet(format, bodyBytes);
        payloadLength = payloadLength == 0 ? packets.position() - before : payloadLength;
        return body;
    }

    private int genDc(long destination, int dataBytes) {
        // All of the same length, as in a run of packets; the descriptor does not fill its packet.
        int body = payload(GvspHeader.FORMAT_GENDC, GenDcPayload.HEAD_LENGTH_BYTES + DATA_BYTES);
        packets.putInt(body + GenDcPayload.DATA_SIZE_OFFSET, dataBytes)
                .putLong(body + GenDcPayload.DESTINATION_OFFSET, destination);
        return body;
    }

    private int trailer(int bodyBytes) {
        trailer = packets.position();
        int body = packet(GvspHeader.FORMAT_TRAILER, bodyBytes);
        packets.putShort(body + GvspTrailer.PAYLOAD_TYPE_OFFSET, (short) payloadType);
        return body;
    }

    private int packet(int format, int bodyBytes) {
        int packetId = packetCount++;
        int at = packets.position();
        if (extended) {
            packets.put(at + GvspHeader.FORMAT_OFFSET, (byte) (GvspHeader.EXTENDED_BIT | format))
                    .putInt(at + GvspHeader.EXTENDED_PACKET_ID_OFFSET, packetId);
        } else {
            packets.putInt(at + GvspHeader.FORMAT_OFFSET, format << 24 | packetId);
        }
        int body = at + (extended ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES);
        packets.position(body + bodyBytes);
        return body;
    }

    // ---- Sending

    /** Size of the flow that it needs. */
    int flowBytes() {
        return flowBytes;
    }

    /**
     * Hands all packets over, as if they had just arrived: payload packets as one run, or one by one.
     *
     * @param blockId from 1 to 65535
     */
    void sendTo(PacketSink sink, int blockId, boolean run) {
        sendTo(sink, blockId, run, NONE);
    }

    /**
     * Hands all packets over but the second payload packet, as if it had been lost.
     *
     * @param blockId from 1 to 65535
     */
    void sendWithALossTo(PacketSink sink, int blockId) {
        sendTo(sink, blockId, false, second());
    }

    private void sendTo(PacketSink sink, int blockId, boolean run, int lost) {
        long now = System.nanoTime();
        number(blockId);
        sink.onPacket(packets, 0, firstPayload, now);
        if (run) {
            sink.onRun(packets, firstPayload, trailer - firstPayload, payloadLength, now);
        } else {
            for (int at = firstPayload; at < trailer; at += payloadLength) {
                if (at != lost) {
                    payloadTo(sink, at, now);
                }
            }
        }
        sink.onPacket(packets, trailer, packets.position() - trailer, now);
    }

    /** Hands the packet over that was lost, as a device sends it again. */
    void sendAgainTo(PacketSink sink, int blockId) {
        number(second(), blockId);
        packets.putShort(second() + GvspHeader.STATUS_OFFSET, (short) GvspStatus.PACKET_RESEND);
        payloadTo(sink, second(), System.nanoTime());
        packets.putShort(second() + GvspHeader.STATUS_OFFSET, (short) 0);
    }

    private int second() {
        return firstPayload + payloadLength;
    }

    private void payloadTo(PacketSink sink, int at, long now) {
        sink.onPacket(packets, at, Math.min(payloadLength, trailer - at), now);
    }

    private void number(int blockId) {
        number(0, blockId);
        for (int at = firstPayload; at < trailer; at += payloadLength) {
            number(at, blockId);
        }
        number(trailer, blockId);
    }

    private void number(int at, int blockId) {
        if (extended) {
            packets.putLong(at + GvspHeader.EXTENDED_BLOCK_ID_OFFSET, blockId);
        } else {
            packets.putShort(at + GvspHeader.BLOCK_ID_OFFSET, (short) blockId);
        }
    }
}
