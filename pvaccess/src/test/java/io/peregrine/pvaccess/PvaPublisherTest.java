package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAFloatArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.PVAStructureArray;
import org.epics.pva.data.PVAUnion;
import org.epics.pva.data.PVAny;
import org.epics.pva.data.nt.PVATimeStamp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PvaPublisherTest {
    private static final String IMAGE = "CAM:Pva1:Image";

    private PvaRig rig;

    @BeforeEach
    void start() {
        rig = new PvaRig(PvaRig.settings(1));
    }

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    private static byte[] pixels(PVAStructure value) {
        PVAUnion union = value.get("value");
        PVAByteArray array = union.get();
        return array.get();
    }

    @Test
    void aClientReadsTheNewestFrame() throws Exception {
        try (Composite frame = Frames.mono8(7, 20, 10)) {
            rig.offer(frame);
        }

        PVAStructure value = PvaRig.get(rig.channel(IMAGE));

        assertArrayEquals(Frames.counting(7, 200), pixels(value));
        assertEquals(List.of(20, 10), PvaRig.sizes(value));
    }

    @Test
    void aFrameIsAnNtNdArray() throws Exception {
        try (Composite frame = Frames.mono8(7, 20, 10)) {
            rig.publisher().publish(frame, Map.of("ChunkExposureTime", 12.5));
            rig.offer(frame);
        }

        PVAStructure value = PvaRig.get(rig.channel(IMAGE));

        assertEquals("epics:nt/NTNDArray:1.0", value.getStructureName());
        PVAUnion union = value.get("value");
        assertEquals("ubyteValue", union.get().getName());
        assertEquals("", ((PVAString) value.locate("codec.name")).get());
        assertEquals(200, ((PVALong) value.get("compressedSize")).get());
        assertEquals(200, ((PVALong) value.get("uncompressedSize")).get());
        assertEquals(7, ((PVAInt) value.get("uniqueId")).get());
        PVATimeStamp taken = new PVATimeStamp(
                "dataTimeStamp",
                value.locate("dataTimeStamp.secondsPastEpoch"),
                value.locate("dataTimeStamp.nanoseconds"));
        assertEquals("2023-11-14T22:13:20.123456789Z", taken.instant().toString());
        assertEquals(0, ((PVAInt) value.locate("alarm.severity")).get());
    }

    @Test
    void attributesNameTheFormatAndCarryChunks() throws Exception {
        try (Composite frame = Frames.of(5, Frames.code("BayerGB8"), 4, 2, new byte[8])) {
            rig.offer(frame, Map.of("ChunkGain", 12.5, "ChunkLine", true, "ChunkCounter", 1L << 40));
        }

        PVAStructureArray attributes = PvaRig.get(rig.channel(IMAGE)).get("attribute");

        Map<String, String> found = new TreeMap<>();
        for (PVAStructure attribute : attributes.get()) {
            PVAny any = attribute.get("value");
            found.put(
                    ((PVAString) attribute.get("name")).get(),
                    any.get().toString().replace(" any", "").trim());
        }
        assertEquals(
                "{BayerPattern=int 1, CameraTimestamp=long 1700000000123456789, ChunkCounter=long 1099511627776,"
                        + " ChunkGain=double 12.5, ChunkLine=boolean true, ColorMode=int 1,"
                        + " Component=string Intensity, FrameId=long 5, PixelFormat=string BayerGB8}",
                found.toString());
    }

    @Test
    void framesComeAfterOneWhoseAttributesEndInAnError() throws Exception {
        Object endless = new Object() {
            @Override
            public String toString() {
                throw new StackOverflowError();
            }
        };
        try (Composite frame = Frames.mono8(7, 20, 10)) {
            rig.publisher().publish(frame, Map.of("Endless", endless));
            Await.until(
                    "unusable frame",
                    PvaRig.PATIENCE,
                    () -> rig.publisher().statistics().framesUnusable() == 1);
            rig.offer(frame);
        }
    }

    @Test
    void aMonitorGetsFrameAfterFrame() throws Exception {
        try (Composite first = Frames.mono8(1, 20, 10)) {
            rig.offer(first);
        }
        Queue<Integer> seen = new ConcurrentLinkedQueue<>();
        rig.subscribe(IMAGE, data -> seen.add(((PVAInt) data.get("uniqueId")).get()));
        Await.until("first frame", PvaRig.PATIENCE, () -> seen.contains(1));

        for (int id = 2; id <= 5; id++) {
            int expected = id;
            try (Composite frame = Frames.mono8(id, 20, 10)) {
                rig.publisher().publish(frame);
                Await.until("frame " + id, PvaRig.PATIENCE, () -> seen.contains(expected));
            }
        }

        assertEquals(List.of(1, 2, 3, 4, 5), List.copyOf(seen));
    }

    @Test
    void aFrameThatEqualsTheOneBeforeIsSent() throws Exception {
        try (Composite frame = Frames.mono8(1, 20, 10)) {
            rig.offer(frame);
            Queue<Integer> seen = new ConcurrentLinkedQueue<>();
            rig.subscribe(IMAGE, data -> seen.add(pixels(data).length));
            Await.until("first frame", PvaRig.PATIENCE, () -> seen.size() == 1);

            rig.publisher().publish(frame);

            Await.until("second frame", PvaRig.PATIENCE, () -> seen.size() == 2);
        }
    }

    @Test
    void framesMayGrow() throws Exception {
        try (Composite small = Frames.mono8(1, 20, 10);
                Composite large = Frames.mono8(2, 2000, 1500)) {
            rig.offer(small);
            PVAChannel before = rig.channel(IMAGE);
            rig.offer(large);
            Await.until("closed connection", PvaRig.PATIENCE, () -> !before.isConnected());

            PVAStructure value = PvaRig.get(rig.channel(IMAGE));

            assertEquals(List.of(2000, 1500), PvaRig.sizes(value));
            assertArrayEquals(Frames.counting(2, 3_000_000), pixels(value));
        }
    }

    @Test
    void eachComponentHasAVariable() throws Exception {
        byte[] points = new byte[24];
        ByteBuffer.wrap(points)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(1.5f)
                .putFloat(-2f)
                .putFloat(3e9f);
        try (Composite frame = Frames.imageAndPoints(new byte[] {3, 4}, points)) {
            rig.offer(frame);
        }

        assertEquals(
                List.of(
                        "CAM:Pva1:ArrayCounter_RBV",
                        "CAM:Pva1:DroppedArrays_RBV",
                        "CAM:Pva1:Image",
                        "CAM:Pva1:Intensity",
                        "CAM:Pva1:Range"),
                rig.publisher().names());
        assertArrayEquals(new byte[] {3, 4}, pixels(PvaRig.get(rig.channel(IMAGE))));
        PVAStructure range = PvaRig.get(rig.channel("CAM:Pva1:Range"));
        assertEquals(List.of(3, 2, 1), PvaRig.sizes(range));
        PVAUnion union = range.get("value");
        PVAFloatArray floats = union.get();
        assertArrayEquals(new float[] {1.5f, -2f, 3e9f, 0, 0, 0}, floats.get());
    }

    @Test
    void countersAreVariables() throws Exception {
        PVAChannel channel = rig.channel("CAM:Pva1:ArrayCounter_RBV");
        try (Composite frame = Frames.mono8(1, 20, 10)) {
            rig.offer(frame);
        }

        Await.until(
                "counter", PvaRig.PATIENCE, () -> ((PVALong) PvaRig.get(channel).get("value")).get() >= 1);
    }

    @Test
    void clientsCannotWrite() throws Exception {
        PVAChannel channel = rig.channel("CAM:Pva1:ArrayCounter_RBV");

        Exception refused = assertThrows(
                ExecutionException.class,
                () -> channel.write(false, "value", 5L).get(30, TimeUnit.SECONDS));

        assertTrue(refused.getMessage().contains("No write access"), refused::getMessage);
    }

    @Test
    void framesWithoutAClientAreCounted() {
        IntStream.range(0, 200).forEach(id -> {
            try (Composite frame = Frames.mono8(id, 20, 10)) {
                rig.publisher().publish(frame);
            }
        });

        Await.until("all counted", PvaRig.PATIENCE, () -> {
            PvaPublisher.Statistics counted = rig.publisher().statistics();
            return counted.framesOffered() + counted.framesDropped() == 200;
        });
        assertTrue(rig.publisher().statistics().framesDropped() > 100, rig.publisher()::toString);
    }

    @Test
    void aClosedPublisherTakesNoFrames() {
        rig.publisher().close();
        try (Composite frame = Frames.mono8(1, 20, 10)) {
            assertThrows(IllegalStateException.class, () -> rig.publisher().publish(frame));
        }
    }

    @Test
    void aPortThatIsTakenIsAnError() {
        PvaSettings taken =
                PvaRig.settings(1).withPorts(rig.publisher().address().getPort(), 0);

        assertTrue(assertThrows(PvaException.class, () -> PvaPublisher.start(taken))
                .getMessage()
                .contains("127.61.7.1"));
    }

    @Test
    void nothingElseIsListeningOnTheHost() throws Exception {
        List<String> listening = ListeningSockets.ofThisProcess();

        assertTrue(listening.stream().allMatch(address -> address.startsWith("127.")), () -> "listening: " + listening);
        assertTrue(listening.stream().anyMatch(address -> address.startsWith("127.61.7.1")), () -> "" + listening);
    }
}
