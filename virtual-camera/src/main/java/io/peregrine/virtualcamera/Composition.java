package io.peregrine.virtualcamera;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The components of a block.
 *
 * @param components the components, in order
 * @param variableHeight lines by which blocks may fall short of their full height; 0 for none
 * @param variableCount whether blocks may lack the last components
 * @param distinctImages after how many blocks the images repeat; 0 for never
 */
record Composition(List<Component> components, int variableHeight, boolean variableCount, int distinctImages) {
    private static final long INFRARED = 2;
    private static final long ULTRAVIOLET = 3;
    private static final long MULTISPECTRAL = 9;
    private static final long METADATA = 0x8001;
    private static final long VENDOR_1 = 0xFF01;
    private static final long VENDOR_2 = 0xFF02;
    private static final int ALL_GROUPS = 0xFFFF;
    private static final int BANDS = 4;
    private static final String CHUNK_XML = "chunks.xml";

    Composition {
        components = List.copyOf(components);
    }

    /**
     * What a camera is set to.
     *
     * @param content what it sends
     * @param kinds components that are switched on
     * @param format PFNC code of the intensity
     * @param width pixels
     * @param height lines
     * @param offsetX pixels from the left edge of the sensor
     * @param offsetY lines from its top edge
     * @param flows how components are spread over flows
     * @param chunks chunks that are switched on; empty when the chunk mode is off
     * @param chunkXml whether the XML for them is sent, too
     * @param values the values of the chunks
     * @param distinctImages after how many blocks the images repeat; 0 for never
     */
    record Settings(
            Content content,
            Set<ComponentKind> kinds,
            int format,
            int width,
            int height,
            int offsetX,
            int offsetY,
            Scenario.Flows flows,
            Optional<List<ChunkKind>> chunks,
            boolean chunkXml,
            ChunkData.Values values,
            int distinctImages) {}

    /**
     * Makes the components.
     *
     * @param settings what the camera is set to
     * @param tagOrder byte order of chunk ids and lengths: big-endian for GigE Vision, little-endian for GenDC; empty
     *     when chunk data is no separate part
     */
    static Composition of(Settings settings, Optional<ByteOrder> tagOrder) {
        List<Component> components = new Builder(settings).components();
        if (settings.chunks.isPresent() && tagOrder.isPresent()) {
            components.add(metadata(settings, tagOrder.get()));
        }
        List<Component> placed = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) {
            boolean perComponent = settings.flows == Scenario.Flows.PER_COMPONENT;
            boolean twoFlows = settings.content == Content.TWO_FLOWS;
            int flow = twoFlows ? Math.min(i, 1) : perComponent ? i : 0;
            placed.add(components.get(i).withFlow(flow));
        }
        int variableHeight = settings.content == Content.VARIABLE_HEIGHT ? settings.height / 2 : 0;
        return new Composition(
                placed, variableHeight, settings.content == Content.VARIABLE_COMPONENTS, settings.distinctImages);
    }

    /** What is special about a block. */
    Stamp stamp(long blockId, long timestamp) {
        int missing = variableHeight == 0 ? 0 : (int) Long.remainderUnsigned(blockId * 5, variableHeight);
        int without = variableCount ? (int) Long.remainderUnsigned(blockId, components.size()) : 0;
        long image = distinctImages == 0 ? blockId : Long.remainderUnsigned(blockId - 1, distinctImages) + 1;
        return new Stamp(blockId, timestamp, missing, without, image);
    }

    /** The components that a block has. */
    List<Component> components(Stamp stamp) {
        return components.subList(0, components.size() - stamp.missingComponents());
    }

    /** Whether a block becomes known only while it is sent. */
    boolean knownLate(Stamp stamp) {
        return variableHeight > 0 || (variableCount && (stamp.blockId() & 1) != 0);
    }

    /** The block with the most bytes. */
    static Stamp full() {
        return new Stamp(0, 0, 0, 0, 0);
    }

    private static Component metadata(Settings settings, ByteOrder tagOrder) {
        ChunkData chunks = new ChunkData(settings.chunks.orElseThrow(), tagOrder, settings.values);
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(Part.CHUNK, 0, Formats.DATA8, 0, 0, 0, chunks.layoutId(), chunks));
        if (settings.chunkXml) {
            FixedData xml = new FixedData(chunkXml());
            parts.add(new Part(Part.XML, Part.FLAG_FOR_CHUNK, Formats.DATA8, 0, 0, 0, chunks.layoutId(), xml));
        }
        return new Component(METADATA, Formats.DATA8, 0, 0, 0, 0, 0, 0, false, parts);
    }

    static byte[] chunkXml() {
        try (InputStream in = Composition.class.getResourceAsStream(CHUNK_XML)) {
            if (in == null) {
                throw new VirtualCameraException("The XML of the chunks is missing from the program");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the components of one content. */
    private static final class Builder {
        private final Settings settings;
        private final int width;
        private final int height;
        private final int format;

        Builder(Settings settings) {
            this.settings = settings;
            width = settings.width;
            height = settings.height;
            format = settings.format;
        }

        List<Component> components() {
            return new ArrayList<>(
                    switch (settings.content) {
                        case COMPONENTS, METADATA -> chosen();
                        case REGIONS -> regions();
                        case SOURCES -> sources();
                        case PLANAR ->
                            List.of(planes(
                                    TestPattern.INTENSITY,
                                    Formats.RGB8_PLANAR,
                                    List.of(Formats.R8, Formats.G8, Formats.B8)));
                        case PACKED -> packed();
                        case PADDED ->
                            List.of(
                                    plain(image(TestPattern.INTENSITY, format, width, height, 6, 10)),
                                    plain(image(TestPattern.RANGE, Formats.COORD3D_C16, width, height, 4, 0)));
                        case POINT_CLOUD -> List.of(plain(points()));
                        case COORDINATES ->
                            List.of(
                                    plain(image(TestPattern.RANGE, Formats.COORD3D_ABC32F)),
                                    plain(image(TestPattern.INTENSITY, Formats.MONO8)),
                                    plain(image(TestPattern.CONFIDENCE, Formats.CONFIDENCE8)));
                        case PLANAR_COORDINATES ->
                            List.of(planes(
                                    TestPattern.RANGE,
                                    Formats.COORD3D_ABC32F_PLANAR,
                                    List.of(Formats.COORD3D_A32F, Formats.COORD3D_B32F, Formats.COORD3D_C32F)));
                        case MULTISPECTRAL -> List.of(bands());
                        case JPEG -> List.of(plain(compressed(Part.JPEG, JpegData.of(width, height))));
                        case JPEG_2000 ->
                            List.of(plain(compressed(Part.JPEG_2000, opaque("ff4fff5100290000", width * height / 4))));
                        case H_264 ->
                            List.of(plain(compressed(Part.H_264, opaque("0000000167640028", width * height / 8))));
                        case CUSTOM -> custom();
                        case INVALID -> three(true);
                        case VARIABLE_HEIGHT, VARIABLE_COMPONENTS, TWO_FLOWS -> three(false);
                    });
        }

        private List<Component> chosen() {
            List<Component> list = new ArrayList<>();
            for (ComponentKind kind : ComponentKind.values()) {
                if (settings.kinds.contains(kind)) {
                    list.add(plain(image(kind.typeId(), format(kind))));
                }
            }
            return list;
        }

        private int format(ComponentKind kind) {
            return switch (kind) {
                case INTENSITY -> format;
                case RANGE -> Formats.COORD3D_C16;
                case CONFIDENCE -> Formats.CONFIDENCE8;
            };
        }

        private List<Component> three(boolean invalid) {
            Part confidence = image(TestPattern.CONFIDENCE, Formats.CONFIDENCE8);
            return List.of(
                    plain(image(TestPattern.INTENSITY, format)),
                    plain(image(TestPattern.RANGE, Formats.COORD3D_C16)),
                    component(TestPattern.CONFIDENCE, 0, 0, 0, 0, 0, invalid, confidence));
        }

        private List<Component> regions() {
            int half = even(width / 2);
            int quarter = even(width / 4);
            return List.of(
                    plain(image(TestPattern.INTENSITY, format)),
                    component(
                            TestPattern.INTENSITY,
                            0,
                            0,
                            1,
                            quarter,
                            height / 4,
                            false,
                            image(TestPattern.INTENSITY, format, half, (height + 1) / 2, 0, 0)),
                    component(
                            TestPattern.INTENSITY,
                            0,
                            0,
                            2,
                            half,
                            0,
                            false,
                            image(TestPattern.INTENSITY, format, quarter, height, 0, 0)));
        }

        private List<Component> sources() {
            int half = even(width / 2);
            return List.of(
                    component(TestPattern.INTENSITY, 1, 0, 0, 0, 0, false, image(TestPattern.INTENSITY, format)),
                    component(TestPattern.INTENSITY, 2, 1, 0, 0, 0, false, image(TestPattern.INTENSITY, format)),
                    component(INFRARED, 2, 1, 3, 2, 4, false, image(INFRARED, Formats.MONO16, half, height, 0, 0)),
                    component(ULTRAVIOLET, ALL_GROUPS, 2, 0, 0, 0, false, image(ULTRAVIOLET, Formats.MONO8)));
        }

        private static int even(int pixels) {
            return Math.max(4, pixels & ~3);
        }

        private List<Component> packed() {
            List<Integer> formats = List.of(
                    Formats.MONO10P,
                    Formats.MONO12P,
                    Formats.MONO10_PACKED,
                    Formats.MONO12_PACKED,
                    Formats.BAYER_RG12P,
                    Formats.YCBCR422_8);
            return IntStream.range(0, formats.size())
                    .mapToObj(i -> component(
                            TestPattern.INTENSITY, 0, 0, i, 0, 0, false, image(TestPattern.INTENSITY, formats.get(i))))
                    .toList();
        }

        private List<Component> custom() {
            return List.of(
                    plain(image(TestPattern.INTENSITY, format)),
                    new Component(
                            VENDOR_1,
                            Formats.DATA8,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            false,
                            List.of(new Part(
                                    Part.CUSTOM_2D,
                                    0,
                                    Formats.DATA8,
                                    width,
                                    0,
                                    0,
                                    0,
                                    new PatternData(VENDOR_1, Formats.DATA8, width, height, 0, 0, false)))),
                    new Component(
                            VENDOR_2,
                            Formats.DATA8,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            false,
                            List.of(new Part(Part.CUSTOM, 0, Formats.DATA8, 0, 0, 0, 0, opaque("5645", 1000)))));
        }

        private Component bands() {
            List<Part> parts = IntStream.range(0, BANDS)
                    .mapToObj(band -> new Part(
                            Part.IMAGE,
                            0,
                            Formats.MONO8,
                            width,
                            0,
                            0,
                            0,
                            new PatternData(MULTISPECTRAL + 16L * band, Formats.MONO8, width, height, 0, 0, false)))
                    .toList();
            return new Component(
                    MULTISPECTRAL, Formats.MONO8, 0, 0, 0, settings.offsetX, settings.offsetY, 0, false, parts);
        }

        private Component planes(long typeId, int planarFormat, List<Integer> planeFormats) {
            List<Part> parts =
                    planeFormats.stream().map(plane -> image(typeId, plane)).toList();
            return new Component(typeId, planarFormat, 0, 0, 0, settings.offsetX, settings.offsetY, 0, false, parts);
        }

        private Part points() {
            return new Part(
                    Part.ARRAY,
                    0,
                    Formats.COORD3D_ABC32F,
                    0,
                    0,
                    0,
                    0,
                    new PatternData(TestPattern.RANGE, Formats.COORD3D_ABC32F, width, height, 0, 0, true));
        }

        private Part compressed(int type, PartData data) {
            return new Part(type, 0, Formats.MONO8, width, 0, 0, 0, data);
        }

        private OpaqueData opaque(String startHex, int maxBytes) {
            return new OpaqueData(startHex, Math.max(64, maxBytes), height, startHex.hashCode());
        }

        private Part image(long typeId, int pixelFormat) {
            return image(typeId, pixelFormat, width, height, 0, 0);
        }

        private Part image(long typeId, int pixelFormat, int pixels, int lines, int paddingX, int paddingY) {
            return new Part(
                    Part.IMAGE,
                    0,
                    pixelFormat,
                    pixels,
                    paddingX,
                    paddingY,
                    0,
                    new PatternData(typeId, pixelFormat, pixels, lines, paddingX, paddingY, false));
        }

        /** A component of one part that shows what its pattern shows. */
        private Component plain(Part part) {
            long typeId = part.data() instanceof PatternData pattern ? pattern.typeId() : TestPattern.INTENSITY;
            return component(typeId, 0, 0, 0, 0, 0, false, part);
        }

        private Component component(
                long typeId, int group, int source, int region, int addX, int addY, boolean invalid, Part part) {
            return new Component(
                    typeId,
                    part.format(),
                    group,
                    source,
                    region,
                    settings.offsetX + addX,
                    settings.offsetY + addY,
                    0,
                    invalid,
                    List.of(part));
        }
    }
}
