package io.peregrine.composite;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whatever a leader, trailer or descriptor says: a composite, whose items lie within the memory of their frame. */
class CompositeMapperFuzzTest {
    private static final int FLOW_BYTES = 4096;
    private static final int EDIT_BYTES = 10;
    private static final int PART_BYTES = 40;

    /** Every kind of part, so that changes reach every row of the rule. */
    private static final byte[] GOOD = GenDcDescriptor.builder()
            .component(c -> c.typeId(1)
                    .format(PfncCodes.RGB8_PLANAR)
                    .part2d(p -> p.format(PfncCodes.R8).size(4, 2))
                    .part2d(p -> p.format(PfncCodes.G8).size(4, 2).flow(1))
                    .part2d(p -> p.format(PfncCodes.B8).size(4, 2).flow(1)))
            .component(c -> c.typeId(1)
                    .format(PfncCodes.MONO10P)
                    .part2d(p -> p.format(PfncCodes.MONO10P).size(5, 3)))
            .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part2d(p -> p.size(4, 2)))
            .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part1d(p -> p.size(2)))
            .component(c -> c.typeId(6).format(PfncCodes.CONFIDENCE8).part2d(p -> p.size(4, 2)))
            .component(c -> c.typeId(1)
                    .format(PfncCodes.RGB8)
                    .partJpeg(p -> p.size(4, 2).dataSize(9)))
            .component(c -> c.typeId(1)
                    .format(PfncCodes.RGB8)
                    .partH264(
                            new H264Parameters(66, 0, 1, 30, 0, 0, 0, 0),
                            p -> p.size(4, 2).dataSize(9)))
            .component(c -> c.typeId(ComponentType.METADATA.id())
                    .format(PfncCodes.DATA8)
                    .partChunk(p -> p.size(4).padding(4))
                    .partXml(p -> p.size(4)))
            .build()
            .toBytes();

    private final FlowSetPool one = FlowSetPool.allocate(1, new long[] {FLOW_BYTES}, Blocks.LIMIT_BYTES);
    private final FlowSetPool two = FlowSetPool.allocate(1, new long[] {FLOW_BYTES, 100}, Blocks.LIMIT_BYTES);

    @FuzzTest(maxDuration = "60s")
    void mapsAnyContainer(byte[] edits) {
        byte[] descriptor = changed(edits);
        for (FlowSetPool pool : List.of(one, two)) {
            readAll(Blocks.map(pool, Blocks.genDc(12), set -> {
                receiveAll(set);
                set.flow(0).put(0, descriptor);
            }));
        }
        readAll(Composite.of(ByteBuffer.wrap(descriptor)));
    }

    @FuzzTest(maxDuration = "60s")
    void mapsAnyBlock(byte[] input) {
        ByteBuffer from = ByteBuffer.wrap(input);
        if (from.remaining() < PART_BYTES) {
            return;
        }
        int payloadType = Short.toUnsignedInt(from.getShort());
        int switches = from.get();
        long payloadBytes = Integer.toUnsignedLong(from.getInt());
        int received = Short.toUnsignedInt(from.getShort()) % (FLOW_BYTES + 1);
        Optional<ImageGeometry> image = (switches & 1) == 0 ? Optional.empty() : Optional.of(geometry(from));
        Optional<ChunkRange> chunk = (switches & 2) == 0 || from.remaining() < 16
                ? Optional.empty()
                : Optional.of(
                        new ChunkRange(from.getLong() & Long.MAX_VALUE, from.getLong() & Long.MAX_VALUE, switches));
        List<BlockInfo.Part> parts = new ArrayList<>();
        while (from.remaining() >= PART_BYTES) {
            parts.add(part(from));
        }
        BlockInfo block = Blocks.of(
                (switches & 4) == 0 ? payloadType : PayloadType.MULTI_PART,
                payloadBytes,
                image,
                parts,
                chunk,
                Optional.of(new BlockInfo.Compression(
                        switches,
                        0,
                        Optional.of(new BlockInfo.H264Parameters(switches, 0, 0, 0, 0, payloadBytes, 0, 0)))));
        BlockInfo told = (switches & 8) == 0
                ? block
                : Blocks.missing(block, IncompleteCause.values()[(switches & 0xFF) % 10], 1);
        readAll(Blocks.map(one, told, set -> {
            receiveAll(set);
            set.forgetReceived();
            set.markReceived(0, 0, received);
        }));
    }

    private static byte[] changed(byte[] edits) {
        ByteBuffer bytes = ByteBuffer.allocate(GOOD.length + 256).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, GOOD);
        ByteBuffer from = ByteBuffer.wrap(edits);
        while (from.remaining() >= EDIT_BYTES) {
            bytes.putLong(Short.toUnsignedInt(from.getShort()) % (GOOD.length - 8), from.getLong());
        }
        return bytes.array();
    }

    private static ImageGeometry geometry(ByteBuffer from) {
        return new ImageGeometry(
                from.getInt(),
                Integer.toUnsignedLong(from.getInt()),
                Integer.toUnsignedLong(from.getInt()),
                1,
                2,
                Short.toUnsignedInt(from.getShort()),
                Short.toUnsignedInt(from.getShort()));
    }

    private static BlockInfo.Part part(ByteBuffer from) {
        int dataType = from.get();
        long offset = from.getLong() & Long.MAX_VALUE;
        long length = from.getLong() & Long.MAX_VALUE;
        // Few of them, so that planes find each other.
        int purpose = from.get() & 3;
        boolean has = from.get() >= 0;
        ImageGeometry geometry = geometry(from);
        return new BlockInfo.Part(
                dataType,
                dataType % 2 == 0 ? offset % FLOW_BYTES : offset,
                dataType % 3 == 0 ? length : length % FLOW_BYTES,
                geometry.pixelFormat(),
                0,
                purpose,
                0,
                0,
                has ? Optional.of(geometry) : Optional.empty());
    }

    private static void receiveAll(FlowSet set) {
        for (int flow = 0; flow < set.flowCount(); flow++) {
            set.markReceived(flow, 0, set.flowSizeBytes(flow));
        }
    }

    private static void readAll(Composite composite) {
        try (composite;
                Composite copy = composite.copy()) {
            if (!composite.toString().equals(copy.toString())) {
                throw new AssertionError(composite + " was copied to " + copy);
            }
            composite.descriptor();
            for (Item item : composite.items()) {
                read(item);
            }
            List<Item> parts = composite.parts();
            for (int i = 0; i < parts.size(); i++) {
                read(parts.get(i));
                if (!parts.get(i).data().equals(copy.parts().get(i).data())) {
                    throw new AssertionError(parts.get(i) + " has other data in its copy");
                }
            }
        }
    }

    private static void read(Item item) {
        ByteBuffer data = item.data();
        boolean isImage = item instanceof ImageItem || item instanceof PackedItem;
        if (isImage && item.complete() && item.strideBytes() * item.height() > data.remaining()) {
            throw new AssertionError(item + " has only " + data.remaining() + " bytes of data");
        }
        if (item instanceof ChunkItem chunk && chunk.chunkData().remaining() > data.remaining()) {
            throw new AssertionError(chunk + " walks beyond its data");
        }
        if (item instanceof PlanesItem planes) {
            planes.planes().forEach(CompositeMapperFuzzTest::readPlane);
        }
        if (item instanceof PointCloudItem cloud) {
            cloud.planes().forEach(CompositeMapperFuzzTest::readPlane);
        }
        if (item instanceof PlaneItem plane) {
            readPlane(plane);
        }
    }

    /** Strides never lead out of a plane that is said to be there. */
    private static void readPlane(PlaneItem plane) {
        ByteBuffer data = plane.data();
        boolean sized = plane.complete() && plane.width() > 0 && plane.height() > 0 && plane.pixelStrideBytes() > 0;
        if (!sized) {
            return;
        }
        long last = plane.strideBytes() * (plane.height() - 1)
                + (long) plane.pixelStrideBytes() * (plane.width() - 1)
                + plane.format().lineSizeBytes(1);
        if (last > data.remaining()) {
            throw new AssertionError(plane + " ends at " + last + " of " + data.remaining() + " bytes");
        }
    }
}
