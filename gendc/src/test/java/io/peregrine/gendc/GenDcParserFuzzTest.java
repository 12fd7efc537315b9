package io.peregrine.gendc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Whatever the bytes: a container, or a GenDcException; and what the container says can be read. */
class GenDcParserFuzzTest {

    private static final int EDIT_BYTES = 10;

    /** Images, points and metadata, so that changes reach every check. */
    private static final byte[] GOOD = GenDcDescriptor.builder()
            .component(c -> c.typeId(1)
                    .format(PfncCodes.RGB8_PLANAR)
                    .part2d(p -> p.format(PfncCodes.R8).size(4, 2))
                    .part2d(p -> p.format(PfncCodes.G8).size(4, 2).flow(1)))
            .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part1d(p -> p.size(2)))
            .component(c -> c.typeId(0x8001)
                    .format(PfncCodes.DATA8)
                    .partChunk(p -> p.size(4))
                    .partXml(p -> p.size(4)))
            .build()
            .toBytes();

    @FuzzTest(maxDuration = "60s")
    void readsAnythingWithoutHarm(byte[] input) {
        read(ByteBuffer.wrap(input));
        read(changed(input));
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

    private static void read(ByteBuffer bytes) {
        try {
            GenDcContainer container = GenDcContainer.parse(bytes);
            readAll(container);
        } catch (GenDcException e) {
            // The declared answer to what is no container.
        }
        try {
            GenDcDescriptor.parse(bytes).flowTable();
        } catch (GenDcException e) {
            // The declared answer to what is no descriptor.
        }
        try {
            FlowTable.parse(bytes).toBytes();
        } catch (GenDcException e) {
            // The declared answer to what is no flow table.
        }
    }

    private static void readAll(GenDcContainer container) {
        if (container.toString().isEmpty()) {
            throw new AssertionError("Nothing printed");
        }
        for (GenDcComponent component : container.components()) {
            for (GenDcPart part : component.parts()) {
                if (part.usable() && container.data(part).remaining() != part.dataSize()) {
                    throw new AssertionError("Part of " + part.dataSize() + " bytes has other data");
                }
            }
        }
    }
}
