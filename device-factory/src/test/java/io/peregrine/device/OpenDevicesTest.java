package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OpenDevicesTest {
    private final BlockingQueue<String> happened = new LinkedBlockingQueue<>();

    @Test
    void theEndOfTheProgramWaitsForAThreadThatIsClosingTheDevice() throws Exception {
        Holdings holdings = new Holdings(Found.nowhere(), true, OpenedAt.outside());
        AutoCloseable closing = () -> happened.add("closed already, it seems");
        OpenDevices.opened(closing, holdings);
        Thread end = new Thread(() -> {
            OpenDevices.close(holdings, closing);
            happened.add("end");
        });
        end.start();
        while (end.isAlive() && end.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        happened.add("closed");
        OpenDevices.closed(holdings);
        end.join();
        assertEquals(List.of("closed already, it seems", "closed", "end"), List.copyOf(happened));
    }

    @Test
    void aDeviceThatWasReleasedWhileItWasBeingOpenedIsNotOpen() {
        Holdings holdings = new Holdings(Found.nowhere(), true, OpenedAt.outside());
        OpenDevices.opening(holdings);
        try {
            holdings.release();
            assertThrows(DeviceException.class, () -> OpenDevices.opened(() -> {}, holdings));
        } finally {
            OpenDevices.closed(holdings);
        }
    }
}
