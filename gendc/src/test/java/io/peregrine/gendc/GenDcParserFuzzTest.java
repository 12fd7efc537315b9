package io.peregrine.gendc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

/** Whatever the bytes: a container, or a GenDcException; and what the container says can be read. */
class GenDcParserFuzzTest {

    @FuzzTest(maxDuration = "20s")
    void readsAnythingWithoutHarm(byte[] input) {
        ByteBuffer bytes = ByteBuffer.wrap(input);
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
