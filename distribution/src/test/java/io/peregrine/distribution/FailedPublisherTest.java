package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class FailedPublisherTest {
    /** An outlet that finds no memory behind what it has mapped. */
    private static FrameOutlet withoutRoom(FrameOutlet real) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("turn")) {
                throw new InternalError("a fault occurred in an unsafe memory access operation");
            }
            return method.invoke(real, arguments);
        };
        return (FrameOutlet)
                Proxy.newProxyInstance(FrameOutlet.class.getClassLoader(), new Class<?>[] {FrameOutlet.class}, handler);
    }

    private static FramePublisher failed() {
        FramePublisher publisher =
                FramePublisher.start(PublisherSettings.of("cam", "ipc"), FailedPublisherTest::withoutRoom);
        Await.until(
                "failure", DistributionRig.PATIENCE, () -> publisher.failure().isPresent());
        return publisher;
    }

    @Test
    void sharedMemoryWithoutRoomIsAFailureThatSaysSo() {
        String reason =
                assertThrows(DistributionException.class, failed()::close).getMessage();
        assertTrue(String.valueOf(reason).contains("/dev/shm"), reason);
    }

    /** A program that only publishes would go on as if all were well. */
    @Test
    void nothingIsPublishedAfterAFailureWithoutAnException() {
        try (FramePublisher publisher = failed();
                Composite frame = Containers.frame(1, 4, 4)) {
            DistributionException thrown = assertThrows(DistributionException.class, () -> publisher.publish(frame));
            assertSame(publisher.failure().orElseThrow(), thrown.getCause());
        }
    }

    @Test
    void closingThrowsAFailureAfterTheLastFrame() {
        FramePublisher publisher = failed();
        DistributionException thrown = assertThrows(DistributionException.class, publisher::close);
        assertSame(publisher.failure().orElseThrow(), thrown.getCause());
    }

    @Test
    void closingAgainThrowsNothing() {
        FramePublisher publisher = failed();
        assertThrows(DistributionException.class, publisher::close);
        publisher.close();
    }

    @Test
    void closingThrowsNoFailureThatPublishingHasThrown() {
        FramePublisher publisher = failed();
        try (Composite frame = Containers.frame(1, 4, 4)) {
            assertThrows(DistributionException.class, () -> publisher.publish(frame));
        }
        publisher.close();
    }
}
