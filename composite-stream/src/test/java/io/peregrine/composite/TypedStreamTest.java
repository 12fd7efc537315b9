package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.testing.ExpectedWarning;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@ExpectedWarning("No frame can be received: all .* flow sets of the stream are held")
@Timeout(30)
class TypedStreamTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int IMAGE = 1;
    private static final int IMAGE_3D = 5;
    private static final int CONFIDENCE = 9;
    private static final int CHUNK = 10;

    private final ScriptedChannel channel = new ScriptedChannel(3, 1024);

    private void deliver(BlockInfo block) {
        channel.deliver(block, Blocks::receiveAll);
    }

    private static BlockInfo image() {
        return Blocks.image(12, PfncCodes.MONO8, 8, 4, 0, 32);
    }

    private static BlockInfo points() {
        return Blocks.image(12, PfncCodes.COORD3D_ABC32F, 8, 4, 0, 384);
    }

    private static Composite next(CompositeStream stream) {
        return stream.waitFor(LONG).toOptional().orElseThrow();
    }

    @Test
    void imagesOfAllKindsPassThroughAStreamOfImages() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        int[] formats = {PfncCodes.MONO8, PfncCodes.MONO12P, PfncCodes.RGB8_PLANAR};
        Class<?>[] kinds = {ImageItem.class, PackedItem.class, PlanesItem.class};
        for (int i = 0; i < formats.length; i++) {
            deliver(Blocks.image(12, formats[i], 8, 4, 0, 32));
            try (Composite composite = next(stream)) {
                assertInstanceOf(kinds[i], composite.image().orElseThrow());
            }
        }
    }

    @Test
    void confidenceAndChunkDataMayGoWithAnImage() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        deliver(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 32, PfncCodes.MONO8, 1, 8, 4),
                Blocks.part(CONFIDENCE, 32, 32, PfncCodes.CONFIDENCE8, 6, 8, 4),
                Blocks.part(CHUNK, 64, 16)));

        try (Composite composite = next(stream)) {
            assertEquals(0, composite.image().orElseThrow().data().get(0));
        }
    }

    @Test
    void aStreamOfImagesNamesWhatElseArrived() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        deliver(points());
        deliver(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 32, PfncCodes.MONO8, 1, 8, 4),
                Blocks.part(IMAGE, 32, 32, PfncCodes.MONO8, 2, 8, 4)));

        CompositeException cloud = assertThrows(CompositeException.class, () -> stream.waitFor(LONG));
        assertTrue(cloud.getMessage().contains("PointCloudItem[RANGE Coord3D_ABC32f 8x4"), cloud::getMessage);
        CompositeException two = assertThrows(CompositeException.class, () -> stream.waitFor(LONG));
        assertTrue(two.getMessage().contains("exactly one image"), two::getMessage);
        assertEquals(0, channel.pool().leasedCount());
    }

    @Test
    void aStreamOfPointCloudsGivesThem() {
        PointCloudStream stream = new PointCloudStream(channel, channel);
        stream.start();
        deliver(points());
        deliver(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 32, PfncCodes.MONO8, 1, 8, 4),
                Blocks.part(IMAGE_3D, 32, 384, PfncCodes.COORD3D_ABC32F, 4, 8, 4)));

        for (int i = 0; i < 2; i++) {
            try (Composite composite = next(stream)) {
                assertEquals(
                        32, composite.find(PointCloudItem.class).orElseThrow().pointCount());
            }
        }
    }

    @Test
    void aStreamOfPointCloudsNamesWhatElseArrived() {
        PointCloudStream stream = new PointCloudStream(channel, channel);
        stream.start();
        deliver(image());

        CompositeException thrown =
                assertThrows(CompositeException.class, () -> stream.iterator().hasNext());

        assertTrue(thrown.getMessage().contains("ImageItem[INTENSITY Mono8 8x4"), thrown::getMessage);
        assertEquals(0, channel.pool().leasedCount());
    }

    @Test
    void aFrameThatIsLostIsCountedAndNotTakenForSomethingElse() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        deliver(new BlockInfo(11, 0, 0, 64, Optional.empty(), 0, Optional.of(IncompleteCause.LEADER_MISSING), 1));
        deliver(image());

        try (Composite composite = next(stream)) {
            assertEquals(12, composite.id());
        }
        assertEquals(1, stream.framesUnsuitable());
        assertEquals(0, channel.pool().leasedCount());
    }

    @Test
    void anIncompleteImageIsStillAnImage() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        channel.deliver(
                Blocks.missing(image(), IncompleteCause.PACKETS_MISSING, 1),
                set -> Blocks.receive(set, 0, 0, new byte[8]));

        try (Composite composite = next(stream)) {
            assertEquals(Optional.of("packets missing (1)"), composite.incompleteReason());
        }
    }

    @Test
    void lostFramesDoNotLengthenAWait() {
        ImageStream stream = new ImageStream(channel, channel);
        stream.start();
        deliver(new BlockInfo(11, 0, 0, 64, Optional.empty(), 0, Optional.of(IncompleteCause.LEADER_MISSING), 1));

        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ZERO));
    }

    @Test
    void streamsAreMadeByTheirKind() {
        assertInstanceOf(CompositeStream.class, CompositeStream.create(CompositeStream.class, channel, channel));
        assertInstanceOf(ImageStream.class, CompositeStream.create(ImageStream.class, channel, channel));
        assertInstanceOf(PointCloudStream.class, CompositeStream.create(PointCloudStream.class, channel, channel));
        CompositeException thrown =
                assertThrows(CompositeException.class, () -> CompositeStream.create(String.class, channel, channel));
        assertTrue(thrown.getMessage().contains("String"));
    }

    @Test
    void aWaitThatCanBringNothingBecauseAllIsHeldIsCounted() {
        CompositeStream stream = new CompositeStream(channel, channel);
        stream.start();
        Composite[] held = new Composite[3];
        for (int i = 0; i < 3; i++) {
            deliver(image());
            held[i] = next(stream);
        }
        assertEquals(0, stream.starvations());

        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ZERO));
        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ZERO));
        assertEquals(1, stream.starvations());

        held[0].close();
        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ZERO));
        assertEquals(1, stream.starvations());
    }
}
