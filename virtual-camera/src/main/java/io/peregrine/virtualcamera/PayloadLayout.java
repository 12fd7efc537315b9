package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A block of one part, the first of the composition: image, compressed image, raw, file, with and without chunk data.
 */
final class PayloadLayout extends BlockLayout {
    static final int IMAGE = 0x0001;
    static final int RAW = 0x0002;
    static final int FILE = 0x0003;
    static final int CHUNK = 0x0004;
    static final int EXTENDED_CHUNK = 0x0005;
    static final int JPEG = 0x0006;
    static final int JPEG_2000 = 0x0007;
    static final int H_264 = 0x0008;
    static final int MULTI_ZONE = 0x0009;
    static final int WITH_CHUNKS = 0x4000;

    /** Name in the leader of a file. */
    static final String FILE_NAME = "block.bin";

    static final int ZONES = 4;
    /** Zones 1 and 3 go from their end to their start. */
    static final int ZONE_DIRECTIONS = 0x50000000;

    private static final long TICKS_PER_SECOND = 1_000_000_000L;

    private final int payloadType;
    private final boolean allIn;
    private final Component component;
    private final Part part;
    private final Optional<ChunkData> chunks;

    /**
     * A layout.
     *
     * @param composition components, of which the first part of the first one is sent
     * @param payloadType payload type, with the bit 0x4000 for an image with chunk data
     * @param allIn whether to send it in one packet if it fits
     * @param kinds chunks of payloads with chunk data
     * @param values their values
     */
    PayloadLayout(
            Composition composition, int payloadType, boolean allIn, List<ChunkKind> kinds, ChunkData.Values values) {
        super(composition);
        this.payloadType = payloadType;
        this.allIn = allIn;
        component = composition.components().get(0);
        part = component.parts().get(0);
        boolean hasChunks = payloadType == CHUNK || payloadType == EXTENDED_CHUNK || (payloadType & WITH_CHUNKS) != 0;
        chunks = hasChunks
                ? Optional.of(new ChunkData(kinds, ByteOrder.BIG_ENDIAN, values, part.data()))
                : Optional.empty();
    }

    /** The payload type for the first part by itself. */
    static int payloadTypeOf(Composition composition) {
        return switch (composition.components().get(0).parts().get(0).type()) {
            case Part.IMAGE -> IMAGE;
            case Part.JPEG -> JPEG;
            case Part.JPEG_2000 -> JPEG_2000;
            case Part.H_264 -> H_264;
            default -> RAW;
        };
    }

    private int dataBytes(Stamp stamp) {
        return part.data().bytes(stamp);
    }

    /** The image is the first chunk where there are chunks. */
    private int bytes(Stamp stamp) {
        return chunks.map(chunk -> chunk.bytes(stamp))
                .orElseGet(() -> part.data().bytes(stamp));
    }

    @Override
    int payloadType() {
        return payloadType;
    }

    @Override
    int blockBytes() {
        return chunks.map(ChunkData::maxBytes).orElseGet(part.data()::maxBytes);
    }

    @Override
    boolean imagesOnly() {
        return chunks.isEmpty();
    }

    @Override
    void render(Stamp stamp, boolean damaged, ByteBuffer memory) {
        memory.clear();
        PartData data = chunks.isPresent() ? chunks.get() : part.data();
        data.fill(stamp, memory);
        memory.clear();
    }

    @Override
    Wire wire(Stamp stamp) {
        int format = payloadType == H_264 ? Wire.H_264 : payloadType == MULTI_ZONE ? Wire.MULTI_ZONE : Wire.GENERIC;
        int extra = payloadType == MULTI_ZONE ? ZONES - 1 : 0;
        List<Wire.Run> runs = payloadType == MULTI_ZONE
                ? zones(stamp)
                : List.of(new Wire.Run(0, 0, 0, bytes(stamp), 0, Wire.NO_DESCRIPTOR, false));
        return new Wire(
                format,
                extra,
                leader(stamp),
                trailer(stamp),
                stamp.timestamp(),
                runs,
                payloadType == MULTI_ZONE,
                allIn);
    }

    /** Strips of whole lines, as equal as can be. */
    private List<Wire.Run> zones(Stamp stamp) {
        int lines = part.data().count(stamp);
        int lineBytes = Math.toIntExact(TestPattern.lineBytes(part.format(), part.width())) + part.paddingX();
        List<Wire.Run> zones = new ArrayList<>();
        for (int zone = 0; zone < ZONES; zone++) {
            int from = lines * zone / ZONES * lineBytes;
            int to = zone == ZONES - 1 ? dataBytes(stamp) : lines * (zone + 1) / ZONES * lineBytes;
            boolean backwards = (ZONE_DIRECTIONS << zone) < 0;
            zones.add(new Wire.Run(zone, from, from, to - from, 0, Wire.NO_DESCRIPTOR, backwards));
        }
        return zones;
    }

    private ByteBuffer leader(Stamp stamp) {
        ByteBuffer out = ByteBuffer.allocate(64).putShort((short) 0).putShort((short) payloadType);
        int base = payloadType & ~WITH_CHUNKS;
        if (base == H_264) {
            out.putLong(dataBytes(stamp));
            H264Fields.putLeader(out);
            return out.flip();
        }
        out.putLong(stamp.timestamp());
        switch (base) {
            case MULTI_ZONE -> {
                out.putInt(ZONE_DIRECTIONS);
                image(out);
            }
            case IMAGE, EXTENDED_CHUNK -> image(out);
            case JPEG, JPEG_2000 ->
                out.putLong(dataBytes(stamp)).putLong(TICKS_PER_SECOND).putInt(part.format());
            case FILE ->
                out.putLong(dataBytes(stamp))
                        .put(FILE_NAME.getBytes(StandardCharsets.US_ASCII))
                        .put((byte) 0);
            case CHUNK -> {}
            default -> out.putLong(dataBytes(stamp));
        }
        return out.flip();
    }

    private void image(ByteBuffer out) {
        // The leader has the full height: that of the block is known at its end.
        out.putInt(part.format()).putInt(part.width()).putInt(part.data().count(Composition.full()));
        out.putInt(component.offsetX()).putInt(component.offsetY());
        out.putShort((short) part.paddingX()).putShort((short) part.paddingY());
    }

    private ByteBuffer trailer(Stamp stamp) {
        ByteBuffer out = ByteBuffer.allocate(32).putShort((short) 0).putShort((short) payloadType);
        int lines = part.data().count(stamp);
        switch (payloadType & ~WITH_CHUNKS) {
            case IMAGE, MULTI_ZONE -> out.putInt(lines);
            case CHUNK -> out.putInt(bytes(stamp));
            case EXTENDED_CHUNK -> out.putInt(bytes(stamp)).putInt(lines).putInt(layoutId());
            default -> {}
        }
        if ((payloadType & WITH_CHUNKS) != 0) {
            out.putInt(chunks.orElseThrow().bytes(stamp)).putInt(layoutId());
        }
        return out.flip();
    }

    private int layoutId() {
        return chunks.map(ChunkData::layoutId).orElse(0);
    }

    @Override
    SentBlock sent(Stamp stamp) {
        return new SentBlock(
                payloadType,
                bytes(stamp),
                parts(stamp).subList(0, 1),
                chunks.map(chunk -> bytes(chunk, stamp)),
                payloadType == CHUNK ? 0 : layoutId());
    }
}
