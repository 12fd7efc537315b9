package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.stream.ByteRange;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.TestPattern;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of an image of which packets were lost, and what is in its place. */
@Timeout(60)
class IncompleteImageTest {
    private static final String CAMERA = "127.59.0.1";
    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;

    private VirtualCamera camera;
    private Device device;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .serial("PG-59")
                .size(WIDTH, HEIGHT)
                .frameRate(100)
                .build());
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private Composite incomplete(CompositeStream stream) {
        // Each flow set has held a whole frame before.
        for (int i = 0; i < 4; i++) {
            Frames.next(stream).close();
        }
        camera.faults().seed(7).lossPerMille(100);
        Composite next = Frames.next(stream);
        while (next.complete() || next.items().isEmpty()) {
            next.close();
            next = Frames.next(stream);
        }
        return next;
    }

    private CompositeStream open(String missingBytes) {
        device = DeviceFactory.open(Found.of(camera)
                .setParameter("Payload", "Image")
                .setParameter("PacketSize", "1400")
                .setParameter("ResendEnabled", "0")
                .setParameter("FlowSetCount", "2")
                .setParameter("MissingBytes", missingBytes));
        return device.stream(CompositeStream.class, 0);
    }

    @Test
    void whatArrivedIsToldAndTheRestIsMarked() {
        try (CompositeStream stream = open("90")) {
            stream.start();
            try (Composite composite = incomplete(stream)) {
                Item item = composite.items().get(0);
                ByteBuffer data = item.data();
                boolean[] arrived = new boolean[data.capacity()];
                for (ByteRange range : item.arrivedRanges()) {
                    for (long i = range.offset(); i < range.end(); i++) {
                        arrived[(int) i] = true;
                    }
                }
                int missing = 0;
                for (int i = 0; i < arrived.length; i++) {
                    if (!arrived[i]) {
                        assertEquals(90, data.get(i), "byte " + i);
                        missing++;
                    }
                }
                assertTrue(missing > 0 && missing < arrived.length, missing + " bytes missing");
                assertEquals(lines(arrived), item.arrivedLines());
            }
        }
    }

    private static BitSet lines(boolean[] arrived) {
        BitSet lines = new BitSet();
        for (int y = 0; y < HEIGHT; y++) {
            boolean whole = true;
            for (int x = 0; x < WIDTH; x++) {
                whole &= arrived[y * WIDTH + x];
            }
            lines.set(y, whole);
        }
        return lines;
    }

    @Test
    void linesThatArrivedAreThoseOfThisFrame() {
        try (CompositeStream stream = open("0")) {
            stream.start();
            try (Composite composite = incomplete(stream)) {
                Item item = composite.items().get(0);
                assertFalse(item.arrivedLines().isEmpty());
                ByteBuffer sent = ByteBuffer.allocate(WIDTH * HEIGHT);
                TestPattern.fill(
                        item.typeId(), item.format().code(), composite.blockId(), item.width(), item.height(), sent);
                ByteBuffer data = item.data();
                item.arrivedLines().stream()
                        .forEach(y ->
                                assertEquals(sent.slice(y * WIDTH, WIDTH), data.slice(y * WIDTH, WIDTH), "line " + y));
            }
        }
    }
}
