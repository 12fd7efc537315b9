package io.peregrine.gendc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Whatever the bytes: a container, or a GenDcException; what the container says can be read; views that are used again
 * show what fresh ones show; and memory stays in proportion to the input.
 */
class GenDcParserFuzzTest {

    private static final int EDIT_BYTES = 10;

    /** What the messages of problems and exceptions take, however small the input. */
    private static final long FIXED_BYTES = 128 << 10;

    /** A part's header of 40 bytes needs a view, its place in two arrays, and perhaps a format of its own. */
    private static final long BYTES_PER_BYTE = 64;

    /** Every kind of part, so that changes reach every check. */
    private static final byte[] GOOD = GenDcDescriptor.builder()
            .variableFields(0xFF)
            .component(c -> c.typeId(1)
                    .format(PfncCodes.RGB8_PLANAR)
                    .part2d(p -> p.format(PfncCodes.R8).size(4, 2))
                    .part2d(p -> p.format(PfncCodes.G8).size(4, 2).flow(1)))
            .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part1d(p -> p.size(2)))
            .component(c -> c.typeId(0x8001)
                    .format(PfncCodes.DATA8)
                    .partChunk(p -> p.size(4))
                    .partXml(p -> p.size(4)))
            .component(c -> c.typeId(2)
                    .format(PfncCodes.MONO8)
                    .invalid(true)
                    .partJpeg(p -> p.size(4, 2).dataSize(4))
                    .partH264(
                            new H264Parameters(1, 2, 1, 4, 5, 6, 7, 8),
                            p -> p.size(4, 2).dataSize(4))
                    .partCustom(0x42F1, p -> p.size(4, 2).dataSize(4).typeSpecific(9)))
            .build()
            .toBytes();

    private static final GenDcReader USED_AGAIN = new GenDcReader();

    @FuzzTest(maxDuration = "120s")
    void readsAnythingWithoutHarm(byte[] input) {
        check(ByteBuffer.wrap(input));
        check(changed(input));
    }

    @FuzzTest(maxDuration = "120s")
    void readsAnyFlowTableWithoutHarm(byte[] input) {
        requireProportion(input.length, () -> FlowTable.parse(ByteBuffer.wrap(input)));
        try {
            FlowTable table = FlowTable.parse(ByteBuffer.wrap(input));
            require(table.flowCount() * 8L + 16 <= input.length, "more flows than bytes");
            for (int i = 0; i < table.flowCount(); i++) {
                require(table.flowSize(i) >= 0, "a negative size");
            }
            require(table.equals(FlowTable.parse(ByteBuffer.wrap(table.toBytes()))), "another table when written");
        } catch (GenDcException e) {
            require(!e.problems().isEmpty(), "no reason");
        }
    }

    /** A good container with changes: two bytes of position, eight of value, and so on. */
    private static ByteBuffer changed(byte[] edits) {
        ByteBuffer bytes = ByteBuffer.allocate(GOOD.length + 64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, GOOD);
        ByteBuffer from = ByteBuffer.wrap(edits);
        while (from.remaining() >= EDIT_BYTES) {
            int at = Short.toUnsignedInt(from.getShort()) % (GOOD.length - 8);
            bytes.putLong(at, from.getLong());
        }
        return bytes;
    }

    private static void check(ByteBuffer bytes) {
        requireProportion(bytes.remaining(), () -> GenDcContainer.parse(bytes));
        requireProportion(bytes.remaining(), () -> GenDcDescriptor.parse(bytes).flowTable());
        String fresh = "";
        try {
            GenDcContainer container = GenDcContainer.parse(bytes);
            readAll(container);
            fresh = container.toString();
            require(!fresh.isEmpty(), "nothing printed");
        } catch (GenDcException e) {
            require(e.problems().size() == 1, "no reason");
        }
        checkUsedAgain(bytes, fresh);
        checkDescriptor(bytes);
        checkFlows(bytes);
    }

    private static void checkUsedAgain(ByteBuffer bytes, String fresh) {
        try {
            require(USED_AGAIN.read(bytes).toString().equals(fresh), "views that were used again show something else");
        } catch (GenDcException e) {
            require(fresh.isEmpty(), "views that were used again reject it");
        }
        GenDcReport report = GenDcReport.of(bytes);
        require(report.container().isPresent() != fresh.isEmpty(), "another verdict of the report");
        try {
            GenDcContainer.parse(bytes, CheckMode.STRICT);
            require(report.strictlyConformant(), "strict mode lives with problems");
        } catch (GenDcException e) {
            require(!report.strictlyConformant(), "strict mode finds problems where there is none");
        }
    }

    private static void checkDescriptor(ByteBuffer bytes) {
        try {
            GenDcDescriptor descriptor = GenDcDescriptor.parse(bytes);
            require(descriptor.changesFrom(descriptor).size() <= 101, "too many changes");
            for (int flow = 0; flow < 3; flow++) {
                descriptor.flowBase(flow);
            }
        } catch (GenDcException e) {
            // The declared answer to what is no descriptor.
        }
    }

    private static void checkFlows(ByteBuffer bytes) {
        try {
            GenDcContainer container =
                    GenDcContainer.parseFlows(List.of(bytes, ByteBuffer.allocate(8)), CheckMode.TOLERANT);
            readAll(container);
            container.toLinear(4096);
        } catch (GenDcException e) {
            // The declared answer to what is no container, or none that can be put together.
        }
    }

    private static void readAll(GenDcContainer container) {
        for (GenDcComponent component : container.components()) {
            for (GenDcPart part : component.parts()) {
                require(part.typeSpecific().length == part.typeSpecificCount(), "other fields");
                require(part.h264().isPresent() == part.isH264(), "other parameters");
                if (part.usable()) {
                    require(container.data(part).remaining() == part.dataSize(), "a part with other data");
                }
            }
        }
    }

    private static void requireProportion(int inputBytes, Runnable action) {
        long most = BYTES_PER_BYTE * inputBytes + FIXED_BYTES;
        // What the JVM allocates to load and instrument classes is gone the second time.
        if (allocated(action) > most) {
            long allocated = allocated(action);
            require(allocated <= most, allocated + " bytes allocated for " + inputBytes + " of input");
        }
    }

    private static long allocated(Runnable action) {
        long before = Allocations.bytes();
        try {
            action.run();
        } catch (GenDcException e) {
            // The declared answer, which counts, too.
        }
        return Allocations.bytes() - before;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
