package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenDcReaderTest {

    private static ByteBuffer container(int width, int components) {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder().id(width);
        for (int i = 0; i < components; i++) {
            int typeId = i + 1;
            builder.component(c -> c.typeId(typeId)
                    .format(PfncCodes.MONO8)
                    .part2d(p -> p.size(width, 2).flow(0)));
        }
        GenDcDescriptor descriptor = builder.build();
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) descriptor.containerSizeBytes());
        bytes.put(0, descriptor.toBytes());
        return bytes.put(bytes.limit() - 1, (byte) width);
    }

    @Test
    void movesTheSameViewsToEachContainer() {
        GenDcReader reader = new GenDcReader();
        GenDcContainer first = reader.read(container(4, 3));
        GenDcComponent component = first.components().get(0);
        assertEquals(4, first.id());

        GenDcContainer second = reader.read(container(6, 2));

        assertSame(first, second);
        assertSame(component, second.components().get(0));
        assertEquals(6, second.id());
        assertEquals(2, second.components().size());
        assertEquals(6, component.parts().get(0).sizeX());
        assertEquals(6, second.data(second.components().get(1).parts().get(0)).get(11));
        assertThrows(IndexOutOfBoundsException.class, () -> second.components().get(2));
    }

    @Test
    void readsWhateverTheByteOrderAndPositionOfTheBuffer() {
        ByteBuffer source = container(4, 1);
        ByteBuffer moved = ByteBuffer.allocate(source.limit() + 9).order(ByteOrder.BIG_ENDIAN);
        moved.position(5).put(source).position(5).limit(5 + source.limit());

        GenDcContainer container = new GenDcReader().read(moved);

        assertEquals(4, container.components().get(0).parts().get(0).sizeX());
        assertEquals(
                4, container.data(container.components().get(0).parts().get(0)).get(7));
        assertEquals(5, moved.position());
        assertEquals(ByteBuffer.wrap(container.descriptor().toBytes()), source.slice(0, 176));
    }

    @Test
    void hasNothingAfterAContainerThatWasRejected() {
        GenDcReader reader = new GenDcReader();
        GenDcContainer container = reader.read(container(4, 3));

        assertThrows(GenDcException.class, () -> reader.read(ByteBuffer.allocate(100)));

        assertEquals(List.of(), container.components());
        assertEquals(0, container.descriptor().dataSize());
    }

    @Test
    void forgetsTheProblemsOfTheContainerBefore() {
        GenDcReader reader = new GenDcReader();
        ByteBuffer odd = container(4, 1).put(7, (byte) 1);

        assertEquals(1, reader.read(odd).problems().size());
        assertEquals(0, reader.read(container(4, 1)).problems().size());
    }

    @Test
    void selectsTheDataOfAPartInABufferOfTheUser() {
        ByteBuffer bytes = container(4, 3);
        ByteBuffer window = bytes.duplicate();
        GenDcPart part =
                new GenDcReader().read(bytes).components().get(2).parts().get(0);

        part.selectLinear(window);

        assertEquals(416 + 16, window.position());
        assertEquals(416 + 24, window.limit());
        part.selectFlow(window);
        assertEquals(416 + 16, window.position());
        assertThrows(GenDcException.class, () -> part.selectLinear(ByteBuffer.allocate(439)));
    }

    @Test
    void allocatesNothingOnceItKnowsTheSizes() {
        GenDcReader reader = new GenDcReader();
        ByteBuffer bytes = container(640, 3);
        ByteBuffer other = container(480, 3);
        ByteBuffer window = bytes.duplicate();
        long sum = 0;
        long before = 0;
        // The interpreter and the first runs of the compiler allocate, too: only the last runs count.
        for (int i = 0; i < 30_000; i++) {
            if (i == 20_000) {
                before = Allocations.bytes();
            }
            sum += readAll(reader.read(i % 2 == 0 ? bytes : other), window);
        }
        long allocated = Allocations.bytes() - before;

        assertTrue(sum != 0);
        // Less than a byte each: what remains is the measurement's own.
        assertTrue(allocated < 10_000, allocated + " bytes for 10000 containers");
    }

    private static long readAll(GenDcContainer container, ByteBuffer window) {
        long sum = container.id() + container.problems().size();
        for (int c = 0; c < container.components().size(); c++) {
            GenDcComponent component = container.components().get(c);
            sum += component.type().ordinal() + component.timestamp() + component.groupId();
            sum += component.pixelFormat().bitsPerPixel();
            for (int p = 0; p < component.parts().size(); p++) {
                GenDcPart part = component.parts().get(p);
                sum += part.sizeX() * part.sizeY() + part.dataSize() + part.typeSpecificCount();
                sum += part.pixelFormat().bitsPerPixel();
                window.clear();
                part.selectLinear(window);
                sum += window.remaining();
            }
        }
        return sum;
    }

    @Test
    void allocatesNothingForPartsOutOfOrderAndSeveralFlows() {
        ByteBuffer bytes = ByteBuffer.wrap(GenDcDescriptor.builder()
                .component(c -> c.typeId(4)
                        .format(PfncCodes.MONO16)
                        .part2d(p -> p.size(8, 8).flow(2)))
                .component(c -> c.typeId(6)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.size(8, 8).flow(1)))
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.size(8, 8).flow(0)))
                .build()
                .toBytes());
        GenDcReader reader = new GenDcReader();
        long before = 0;
        for (int i = 0; i < 30_000; i++) {
            if (i == 20_000) {
                before = Allocations.bytes();
            }
            assertTrue(reader.readDescriptor(bytes).problems().isEmpty());
        }
        long allocated = Allocations.bytes() - before;

        assertTrue(allocated < 10_000, allocated + " bytes for 10000 descriptors");
    }
}
