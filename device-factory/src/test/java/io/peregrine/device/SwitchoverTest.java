package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One application hands its camera to another. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(60)
class SwitchoverTest {
    private VirtualCamera camera;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(
                Scenario.builder().bindAddress("127.52.0.1").port(0).build());
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Device open(String key) {
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        return factory.open(
                factory.find("127.52.0.1:" + camera.address().getPort()).setParameter("SwitchoverKey", key));
    }

    @Test
    void whoeverKnowsTheKeyTakesControlOver() throws Exception {
        CompletableFuture<String> lost = new CompletableFuture<>();
        try (Device first = open("")) {
            first.connection().onLost(cause -> lost.complete(cause.getMessage()));
            first.nodes().integer("Width").set(320);
            first.control().allowSwitchover(4711);
            try (Device second = open("4711")) {
                assertEquals(320, second.nodes().integer("Width").value(), "settings stay");
                assertEquals(camera.controller(), second.control().primaryApplication());
                String reason = lost.get(30, TimeUnit.SECONDS);
                assertTrue(
                        reason.contains(second.control()
                                        .primaryApplication()
                                        .orElseThrow()
                                        .getPort() + " holds it: open it again"),
                        reason);
            }
        }
    }

    @Test
    void theFirstApplicationHearsOfItByAnEvent() throws Exception {
        CompletableFuture<Integer> heard = new CompletableFuture<>();
        try (Device first = open("")) {
            first.events().onEvent("PrimaryApplicationSwitch", event -> heard.complete(event.id()));
            first.events().enable("PrimaryApplicationSwitch");
            first.control().allowSwitchover(4711);
            try (Device second = open("4711")) {
                assertTrue(second.connection().connected());
                assertEquals(0x0007, heard.get(30, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void aWrongKeyIsRefused() {
        try (Device first = open("")) {
            first.control().allowSwitchover(4711);
            assertThrows(DeviceAccessDeniedException.class, () -> open("4712"));
            assertTrue(first.connection().connected());
        }
    }

    @Test
    void aKeyDoesNotHelpWhereNobodyAllowedIt() {
        try (Device first = open("")) {
            first.control().allowSwitchover(4711);
            first.control().denySwitchover();
            assertThrows(DeviceAccessDeniedException.class, () -> open("4711"));
            assertTrue(first.connection().connected());
        }
    }

    @Test
    void aKeyOfMoreThanSixteenBitsIsRefused() {
        try (Device first = open("")) {
            assertThrows(IllegalArgumentException.class, () -> first.control().allowSwitchover(0x10000));
        }
    }
}
