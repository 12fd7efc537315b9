package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Needs;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollSetTest {
    @BeforeEach
    void callable() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    @Test
    void onlyTheOneThatWasSetIsReady() {
        try (WakeEvent first = new WakeEvent();
                WakeEvent second = new WakeEvent()) {
            PollSet set = new PollSet(first.fileDescriptor(), second.fileDescriptor());
            second.set();
            second.set();

            assertTrue(set.await(-1));
            assertEquals(List.of(false, true), List.of(set.ready(0), set.ready(1)));
        }
    }

    @Test
    void aClearedEventIsNotReady() {
        try (WakeEvent event = new WakeEvent()) {
            PollSet set = new PollSet(event.fileDescriptor());
            event.set();
            event.clear();

            assertFalse(set.await(1_000_000));
        }
    }

    @Test
    void aDescriptorThatIsNoneIsIgnored() {
        PollSet set = new PollSet(-1);

        assertFalse(set.await(0));
    }

    @Test
    void aClosedEventMayBeSet() {
        WakeEvent event = new WakeEvent();
        event.close();
        event.close();

        event.set();
    }
}
