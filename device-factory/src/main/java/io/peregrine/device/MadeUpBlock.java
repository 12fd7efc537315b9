package io.peregrine.device;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gvsp.GenDcPayload;
import io.peregrine.gvsp.GvspHeader;
import io.peregrine.gvsp.GvspLeader;
import io.peregrine.gvsp.GvspTrailer;
import io.peregrine.gvsp.PacketSink;
import io.peregrine.gvsp.PlacedPayload;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;

/** The packets of a small block that no device sent, to be sent again and again with other block ids. */
final class MadeUpBlock {
    /** Payload of a packet, so that each line of the image is one. */
    private static final int WIDTH = 1024;

    private static final int HEIGHT = 2;
    private static final int IMAGE_BYTES = WIDTH * HEIGHT;
    private static final int PART_TYPE_IMAGE = 1;
    private static final int MAX_PACKET_BYTES = 1200;

    private final int payloadType;
    private final boolean extended;
    private final ByteBuffer packets = ByteBuffer.allocateDirect(MAX_PACKET_BYTES * (HEIGHT + 8));
    private final int flowBytes;
    private int firstPayload;
    private int payloadLength;
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
        for (int line = 0; line < HEIGHT; line++) {
            block.payload(GvspHeader.FORMAT_PAYLOAD, WIDTH);
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
        for (int line = 0; line < HEIGHT; line++) {
            int body = block.payload(GvspHeader.FORMAT_MULTI_PART, PlacedPayload.HEAD_LENGTH_BYTES + WIDTH);
            block.packets.putInt(body + PlacedPayload.DESTINATION_OFFSET + 2, line * WIDTH);
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
        for (int line = 0; line < HEIGHT; line++) {
            int body = block.genDc(descriptor.length + line * WIDTH, WIDTH);
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

    // ---- Packets. Each method returns where the bytes after the header are.

    private int leader(int bodyBytes, int parts) {
        int body = packet(GvspHeader.FORMAT_LEADER, bodyBytes, 0);
        if (extended) {
            packets.put(GvspHeader.EXTENDED_PART_COUNT_OFFSET, (byte) parts);
        }
        packets.putShort(body + GvspLeader.PAYLOAD_TYPE_OFFSET, (short) payloadType);
        firstPayload = packets.position();
        return body;
    }

    private int payload(int format, int bodyBytes) {
        int before = packets.position();
        int id = payloadLength == 0 ? 1 : 1 + (before - firstPayload) / payloadLength;
        int body = packet(format, bodyBytes, id);
        payloadLength = payloadLength == 0 ? packets.position() - before : payloadLength;
        return body;
    }

    private int genDc(long destination, int dataBytes) {
        // All of the same length, as in a run of packets; the descriptor does not fill its packet.
        int body = payload(GvspHeader.FORMAT_GENDC, GenDcPayload.HEAD_LENGTH_BYTES + WIDTH);
        packets.putInt(body + GenDcPayload.DATA_SIZE_OFFSET, dataBytes)
                .putLong(body + GenDcPayload.DESTINATION_OFFSET, destination);
        return body;
    }

    private int trailer(int bodyBytes) {
        trailer = packets.position();
        int body = packet(GvspHeader.FORMAT_TRAILER, bodyBytes, 1 + (trailer - firstPayload) / payloadLength);
        packets.putShort(body + GvspTrailer.PAYLOAD_TYPE_OFFSET, (short) payloadType);
        return body;
    }

    private int packet(int format, int bodyBytes, int packetId) {
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
        int end = packets.position();
        long now = System.nanoTime();
        number(0, blockId);
        for (int at = firstPayload; at < trailer; at += payloadLength) {
            number(at, blockId);
        }
        number(trailer, blockId);
        sink.onPacket(packets, 0, firstPayload, now);
        if (run) {
            sink.onRun(packets, firstPayload, trailer - firstPayload, payloadLength, now);
        } else {
            for (int at = firstPayload; at < trailer; at += payloadLength) {
                sink.onPacket(packets, at, payloadLength, now);
            }
        }
        sink.onPacket(packets, trailer, end - trailer, now);
    }

    private void number(int at, int blockId) {
        if (extended) {
            packets.putLong(at + GvspHeader.EXTENDED_BLOCK_ID_OFFSET, blockId);
        } else {
            packets.putShort(at + GvspHeader.BLOCK_ID_OFFSET, (short) blockId);
        }
    }
}
