package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Frames;
import io.peregrine.composite.Frames.Frame;
import io.peregrine.composite.Item;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinearContainerTest {

    private static GenDcContainer write(Frame frame) throws IOException {
        return GenDcContainer.parse(ByteBuffer.wrap(bytes(frame)));
    }

    private static byte[] bytes(Frame frame) throws IOException {
        try (Composite composite = frame.composite()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            LinearContainer.of(composite).orElseThrow().writeTo(Channels.newChannel(bytes));
            return bytes.toByteArray();
        }
    }

    @Test
    void aGenDcFrameKeepsItsDescriptor() throws IOException {
        Frame frame = Frames.oneFlow(1);
        byte[] descriptor = frame.composite().descriptor().orElseThrow().toBytes();
        byte[] container = bytes(frame);
        assertArrayEquals(descriptor, java.util.Arrays.copyOf(container, descriptor.length));
    }

    @Test
    void aFrameOfTwoFlowsBecomesTheSameContainerAsOneOfOneFlow() throws IOException {
        GenDcContainer one = write(Frames.oneFlow(1));
        GenDcContainer two = write(Frames.twoFlows(1));
        for (int c = 0; c < 4; c++) {
            assertEquals(
                    one.data(one.components().get(c).parts().get(0)),
                    two.data(two.components().get(c).parts().get(0)));
        }
    }

    @Test
    void theContainerIsAsLargeAsItsDescriptorSays() throws IOException {
        byte[] container = bytes(Frames.twoFlows(1));
        assertEquals(GenDcContainer.parse(ByteBuffer.wrap(container)).containerSizeBytes(), container.length);
    }

    @Test
    void gapsHoldNothingOfOtherFrames() throws IOException {
        for (byte value : bytes(Frames.oneFlow(1))) {
            assertTrue(value != (byte) 0xEE);
        }
    }

    @Test
    void anImageIsWrapped() throws IOException {
        GenDcContainer container = write(Frames.image(5));
        GenDcPart part = container.components().get(0).parts().get(0);
        assertEquals(5, container.id());
        assertEquals(1, container.components().get(0).typeId());
        assertEquals(77, container.components().get(0).timestamp());
        assertEquals(3, container.components().get(0).regionOffsetX());
        assertEquals(PartType.IMAGE_2D, part.headerType());
        assertEquals(PfncCodes.MONO16, part.format());
        assertEquals(4, part.sizeX());
        assertEquals(3, part.sizeY());
        assertEquals(1, part.paddingX());
        // Bytes 0 to 26 are what the stream received.
        assertEquals("000102030405060708090a0b0c0d0e0f101112131415161718191a", Descriptions.hex(container.data(part)));
    }

    @Test
    void planesOfAMultiPartBlockBecomePartsOfOneComponent() throws IOException {
        GenDcContainer container = write(Frames.multiPart(5));
        assertEquals(2, container.components().get(0).parts().size());
        assertEquals(
                "1011121314151617",
                Descriptions.hex(
                        container.data(container.components().get(0).parts().get(1))));
    }

    @Test
    void chunkDataOfGigEVisionIsNoChunkPart() throws IOException {
        GenDcContainer container = write(Frames.imageWithChunks(5));
        GenDcPart part = container.components().get(1).parts().get(0);
        assertEquals(0x40F0, part.headerType());
        assertEquals("0c0d0e0f101112131415161718191a1b1c1d1e1f", Descriptions.hex(container.data(part)));
    }

    @Test
    void wrappedContainersHaveNoProblems() throws IOException {
        assertEquals(0, write(Frames.image(5)).problems().size());
        assertEquals(0, write(Frames.planarImage(5)).problems().size());
        assertEquals(0, write(Frames.imageWithChunks(5)).problems().size());
    }

    /** A device that gives the same DataOffset to parts of different flows. */
    @Test
    void partsThatOverlapAreLaidOneAfterAnother() throws IOException {
        GenDcDescriptor good = twoImages();
        ByteBuffer quirky = ByteBuffer.wrap(good.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
        long component = quirky.getLong(56 + 8);
        long part = quirky.getLong((int) component + 48);
        long first = good.components().get(0).parts().get(0).dataOffset();
        quirky.putLong((int) part + 32, first);
        GenDcContainer container = write(received(quirky, good));
        assertEquals(
                "0101",
                Descriptions.hex(
                        container.data(container.components().get(0).parts().get(0))));
        assertEquals(
                "0202",
                Descriptions.hex(
                        container.data(container.components().get(1).parts().get(0))));
    }

    /** A DataOffset far away must not fill the disk with zeros. */
    @Test
    void aGapLargerThanTheDataIsNotWritten() throws IOException {
        GenDcDescriptor good = twoImages();
        ByteBuffer quirky = ByteBuffer.wrap(good.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
        long component = quirky.getLong(56 + 8);
        long part = quirky.getLong((int) component + 48);
        quirky.putLong((int) part + 32, 1L << 40);
        quirky.putLong(32, 1L << 41);
        byte[] container = bytes(received(quirky, good));
        assertEquals(good.descriptorSizeBytes() + 4, container.length);
        GenDcContainer parsed = GenDcContainer.parse(ByteBuffer.wrap(container));
        assertEquals(
                "0202",
                Descriptions.hex(parsed.data(parsed.components().get(1).parts().get(0))));
    }

    private static GenDcDescriptor twoImages() {
        return GenDcDescriptor.builder()
                .component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(2, 1)))
                .component(c -> c.typeId(2)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.size(2, 1).flow(1)))
                .build();
    }

    private static Frame received(ByteBuffer descriptor, GenDcDescriptor good) {
        BlockInfo block = new BlockInfo(1, PayloadType.GENDC, 77, 0, Optional.empty(), 0, Optional.empty(), 0);
        long at = good.components().get(0).parts().get(0).flowOffset();
        return Frames.map(
                block,
                set -> {
                    set.flow(0).put(0, descriptor, 0, descriptor.limit()).put((int) at, new byte[] {1, 1});
                    set.flow(1).put(0, new byte[] {2, 2});
                    set.markReceived(0, 0, at + 2);
                    set.markReceived(1, 0, 2);
                },
                at + 2,
                2);
    }

    @Test
    void aFrameOfWhichNothingIsKnownHasNoContainer() {
        try (Composite composite = Frames.unknown(1).composite()) {
            assertEquals(Optional.empty(), LinearContainer.of(composite).map(LinearContainer::sizeBytes));
        }
    }

    @Test
    void everyKindOfFrameIsReadableByItself() throws IOException {
        for (Frame frame : new Frame[] {
            Frames.oneFlow(1),
            Frames.twoFlows(1),
            Frames.planar(1),
            Frames.image(1),
            Frames.planarImage(1),
            Frames.imageWithChunks(1),
            Frames.multiPart(1),
            Frames.raw(1)
        }) {
            try (Composite read = Composite.of(ByteBuffer.wrap(bytes(frame)))) {
                assertTrue(read.complete(), read::toString);
                for (Item item : read.items()) {
                    assertEquals(Optional.empty(), item.valid() ? item.incompleteReason() : Optional.empty());
                }
            }
        }
    }
}
