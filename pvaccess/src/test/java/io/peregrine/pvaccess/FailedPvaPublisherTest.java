package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import org.junit.jupiter.api.Test;

/** A publisher whose thread has ended. */
class FailedPvaPublisherTest {
    private static PvaPublisher failed() {
        PvaPublisher publisher = PvaPublisher.start(PvaRig.settings(1));
        Thread thread = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("peregrine-pvaccess-CAM"))
                .findFirst()
                .orElseThrow();
        thread.interrupt();
        Await.until("failure", PvaRig.PATIENCE, () -> publisher.failure().isPresent());
        return publisher;
    }

    @Test
    void closingThrowsAFailureAfterTheLastFrame() {
        PvaPublisher publisher = failed();
        PvaException thrown = assertThrows(PvaException.class, publisher::close);
        assertSame(publisher.failure().orElseThrow(), thrown.getCause());
    }

    @Test
    void closingThrowsNoFailureThatPublishingHasThrown() {
        PvaPublisher publisher = failed();
        try (Composite frame = Frames.mono8(1, 4, 4)) {
            assertThrows(PvaException.class, () -> publisher.publish(frame));
        }
        publisher.close();
    }
}
