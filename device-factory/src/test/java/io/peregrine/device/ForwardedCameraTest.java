package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.spi.CameraLink;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.recording.Camera;
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

    private static ForwardedCamera open(CameraLink link) {
        PublishedLine stream = new PublishedLine() {
            @Override
            public Optional<CameraLink> link(Path keyFile) {
                return Optional.of(link);
            }
        };
        Camera camera = new Camera(Map.of(), "", Optional.empty(), Optional.of(XML));
        return ForwardedCamera.open(stream, camera, Path.of("key"));
    }

    /** Costs one second: it looks every half. */
    @Test
    @ExpectedWarning("The client of the media driver is closed")
    void followsTheCameraAfterAnyFailureOfTheWayToIt() throws InterruptedException {
        FailingOnce link = new FailingOnce();
        try (ForwardedCamera forwarded = open(link)) {
            NodeMap nodes = NodeMap.load(XML, forwarded);
            forwarded.follow(nodes, "line");
            assertTrue(link.lookedAgain.await(20, TimeUnit.SECONDS), "the thread has ended");
            assertTrue(nodes.find("Root").isPresent());
        }
    }
}
