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
    private static final int HEIGHT = 9;
    private static final int IMAGE_BYTES = WIDTH * HEIGHT;
    /** Data of a packet. The last one has less, as in nearly all streams. */
    private static final int DATA_BYTES = 2 * WIDTH;

    private static final int PART_TYPE_IMAGE = 1;
    private static final int MAX_PACKET_BYTES = 1200;
    private static final int MAX_PACKETS = 8;

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

    /** Number of its packets, whose ids are from 0, that of the leader, on. */
    int packetCount() {
        return packetCount;
    }

    /**
     * Hands all packets over, as if they had just arrived, payload packets as one run.
     *
     * @param blockId from 1 to 65535
     */
    void sendAsRunTo(PacketSink sink, int blockId) {
        long now = System.nanoTime();
        number(blockId);
        sink.onPacket(packets, 0, firstPayload, now);
        sink.onRun(packets, firstPayload, trailer - firstPayload, payloadLength, now);
        sink.onPacket(packets, trailer, packets.position() - trailer, now);
    }

    /**
     * Hands packets over one by one, as if they had just arrived.
     *
     * @param blockId from 1 to 65535
     * @param from first packet id
     * @param end packet id after the last one
     */
    void sendTo(PacketSink sink, int blockId, int from, int end) {
        long now = System.nanoTime();
        for (int packetId = from; packetId < end; packetId++) {
            int at = at(packetId);
            number(at, blockId);
            sink.onPacket(packets, at, lengthBytes(packetId), now);
        }
    }

    /**
     * Hands packets over that were asked for.
     *
     * @param status {@link GvspStatus#PACKET_RESEND}, or why they do not come
     */
    void answerTo(PacketSink sink, int blockId, int from, int end, int status) {
        for (int packetId = from; packetId < end; packetId++) {
            int at = at(packetId) + GvspHeader.STATUS_OFFSET;
            packets.putShort(at, (short) status);
            sendTo(sink, blockId, packetId, packetId + 1);
            packets.putShort(at, (short) 0);
        }
    }

    private int at(int packetId) {
        if (packetId == packetCount - 1) {
            return trailer;
        }
        return packetId == 0 ? 0 : firstPayload + (packetId - 1) * payloadLength;
    }

    private int lengthBytes(int packetId) {
        int end = packetId == packetCount - 1 ? packets.position() : at(packetId + 1);
        return end - at(packetId);
    }

    private void number(int blockId) {
        for (int packetId = 0; packetId < packetCount; packetId++) {
            number(at(packetId), blockId);
        }
    }

    private void number(int at, int blockId) {
        if (extended) {
            packets.putLong(at + GvspHeader.EXTENDED_BLOCK_ID_OFFSET, blockId);
        } else {
            packets.putShort(at + GvspHeader.BLOCK_ID_OFFSET, (short) blockId);
        }
    }
}
