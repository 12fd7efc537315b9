package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.spi.CameraLink;
import io.peregrine.device.spi.PublishedStream;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.recording.Camera;
import io.peregrine.stream.engine.StreamSource;
import io.peregrine.testing.ExpectedWarning;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ForwardedCameraTest {
    private static final byte[] XML = ("<RegisterDescription ModelName=\"M\" VendorName=\"V\""
                    + " SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" SchemaSubMinorVersion=\"0\""
                    + " xmlns=\"http://www.genicam.org/GenApi/Version_1_1\">"
                    + "<Category Name=\"Root\"/><Port Name=\"Device\"/></RegisterDescription>")
            .getBytes(StandardCharsets.UTF_8);

    /** Of a media driver that is gone, for example. Registers are never read. */
    private static final class FailingOnce implements CameraLink {
        private final AtomicInteger looks = new AtomicInteger();
        final CountDownLatch lookedAgain = new CountDownLatch(1);

        @Override
        public void read(List<Port.Request> requests) {
            throw new AssertionError("nothing is to be read");
        }

        @Override
        public void write(long address, ByteBuffer source) {
            throw new AssertionError("nothing is to be written");
        }

        @Override
        public State state() {
            if (looks.incrementAndGet() == 1) {
                throw new IllegalStateException("The client of the media driver is closed");
            }
            lookedAgain.countDown();
            return new State(false, 0);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private record Stream(CameraLink way) implements PublishedStream {
        @Override
        public String accessToken() {
            return "aeron:line";
        }

        @Override
        public String name() {
            return "line";
        }

        @Override
        public String route() {
            return "ipc";
        }

        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public Camera camera() {
            return Camera.UNKNOWN;
        }

        @Override
        public Optional<CameraLink> link(Path keyFile) {
            return Optional.of(way);
        }

        @Override
        public StreamSource source(int flowSetCount, long memoryLimitBytes) {
            throw new AssertionError("no frames are wanted");
        }
    }

    /** Costs one second: it looks every half. */
    @Test
    @ExpectedWarning("The client of the media driver is closed")
    void followsTheCameraAfterAnyFailureOfTheWayToIt() throws InterruptedException {
        FailingOnce link = new FailingOnce();
        Camera camera = new Camera(Map.of(), "", Optional.empty(), Optional.of(XML));
        try (ForwardedCamera forwarded = ForwardedCamera.open(new Stream(link), camera, Path.of("key"))) {
            NodeMap nodes = NodeMap.load(XML, forwarded);
            forwarded.follow(nodes, "line");
            assertTrue(link.lookedAgain.await(20, TimeUnit.SECONDS), "the thread has ended");
            assertTrue(nodes.find("Root").isPresent());
        }
    }
}
