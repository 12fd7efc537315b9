package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.NodeMap;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was set in a camera that restarts, and has forgotten it. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(90)
class ReconnectSettingsTest {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int DEVICE_KEY = 0x600DCA4E;
    private static final int GROUP_KEY = 0x77;
    private static final int OTHER_GROUP_KEY = 0x78;

    private LosableCamera camera;
    private Device device;
    private NodeMap nodes;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.53.4.1")
                .serial("BACK5")
                .size(320, 240)
                .frameRate(100)
                .components(Set.of(ComponentKind.values())));
        device = camera.open("Reconnect", "1");
        nodes = device.nodes();
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private void expectAllTaken(Connection.Event event) {
        assertEquals(List.of(), event.problems());
    }

    private int answers(int deviceKey, int groupKey, int groupMask) {
        return camera.factory()
                .actions()
                .send(Action.of(deviceKey, groupKey, groupMask), List.of(device.info()), SHORT)
                .size();
    }

    @Test
    void aCameraWhoseOwnSettingsAreTheTruthGetsNothingSet() throws InterruptedException {
        device.close();
        device = camera.open("Reconnect", "1", "Restore", "none");
        device.nodes().integer("Width").set(64);
        device.control().actionSettings().deviceKey(DEVICE_KEY);
        expectAllTaken(camera.awayAndBack());
        assertEquals(320, device.nodes().integer("Width").value());
        assertEquals(0, answers(DEVICE_KEY, GROUP_KEY, 1));
    }

    // ---- actions

    @Test
    void keysAndGroupsOfActionsComeBack() throws InterruptedException {
        ActionSettings actions = device.control().actionSettings();
        actions.deviceKey(DEVICE_KEY);
        actions.group(0, GROUP_KEY, 1);
        actions.group(1, OTHER_GROUP_KEY, 2);
        expectAllTaken(camera.awayAndBack());
        assertEquals(1, answers(DEVICE_KEY, GROUP_KEY, 1));
        assertEquals(1, answers(DEVICE_KEY, OTHER_GROUP_KEY, 2));
        assertEquals(0, answers(DEVICE_KEY, GROUP_KEY, 2));
        assertEquals(0, answers(DEVICE_KEY + 1, GROUP_KEY, 1));
        actions.group(0, GROUP_KEY, 4);
        assertEquals(1, answers(DEVICE_KEY, GROUP_KEY, 4), "the same object goes on");
    }

    @Test
    void featuresOfActionsComeBackForEachSignal() throws InterruptedException {
        nodes.integer("ActionDeviceKey").set(DEVICE_KEY);
        nodes.integer("ActionSelector").set(1);
        nodes.integer("ActionGroupKey").set(OTHER_GROUP_KEY);
        nodes.integer("ActionGroupMask").set(2);
        nodes.integer("ActionSelector").set(0);
        nodes.integer("ActionGroupKey").set(GROUP_KEY);
        nodes.integer("ActionGroupMask").set(1);
        nodes.integer("ActionSelector").set(1);
        expectAllTaken(camera.awayAndBack());
        assertEquals(1, nodes.integer("ActionSelector").value());
        assertEquals(OTHER_GROUP_KEY, nodes.integer("ActionGroupKey").value());
        assertEquals(2, nodes.integer("ActionGroupMask").value());
        nodes.integer("ActionSelector").set(0);
        assertEquals(GROUP_KEY, nodes.integer("ActionGroupKey").value());
        assertEquals(1, nodes.integer("ActionGroupMask").value());
        assertEquals(1, answers(DEVICE_KEY, GROUP_KEY, 1));
    }

    // ---- other registers

    @Test
    void theLastPacketDelayComesBackWhicheverWayItWasSet() throws InterruptedException {
        nodes.integer("GevSCPD").set(500);
        device.network().packetDelay(0, 700);
        expectAllTaken(camera.awayAndBack());
        assertEquals(700, nodes.integer("GevSCPD").value());
        nodes.integer("GevSCPD").set(900);
        expectAllTaken(camera.awayAndBack());
        assertEquals(900, nodes.integer("GevSCPD").value());
    }

    @Test
    void clockHeartbeatAndEventChannelAreSetUpAgain() throws InterruptedException {
        device.clock().ptp(true);
        nodes.integer("GevHeartbeatTimeout").set(1200);
        nodes.integer("GevMCTT").set(1234);
        nodes.integer("GevMCRC").set(5);
        expectAllTaken(camera.awayAndBack());
        assertTrue(nodes.bool("PtpEnable").value());
        assertEquals(1200, nodes.integer("GevHeartbeatTimeout").value());
        assertEquals(1234, nodes.integer("GevMCTT").value());
        assertEquals(5, nodes.integer("GevMCRC").value());
    }

    // ---- selectors

    @Test
    void valuesComeBackInEachSelection() throws InterruptedException {
        nodes.enumeration("ComponentSelector").set("Confidence");
        nodes.bool("ComponentEnable").set(false);
        nodes.enumeration("ComponentSelector").set("Intensity");
        nodes.bool("ComponentEnable").set(false);
        for (String event : List.of("Test", "FrameEnd", "FrameStart")) {
            nodes.enumeration("EventSelector").set(event);
            nodes.enumeration("EventNotification").set("On");
        }
        nodes.enumeration("EventNotification").set("Off");
        nodes.enumeration("EventSelector").set("ExposureEnd");
        expectAllTaken(camera.awayAndBack());
        assertEquals("Intensity", nodes.enumeration("ComponentSelector").value());
        assertEquals("ExposureEnd", nodes.enumeration("EventSelector").value());
        assertEquals("Off", notification("ExposureEnd"));
        assertEquals("On", notification("Test"));
        assertEquals("On", notification("FrameEnd"));
        assertEquals("Off", notification("FrameStart"));
        assertEquals(List.of(false, true, false), components());
    }

    private String notification(String event) {
        nodes.enumeration("EventSelector").set(event);
        return nodes.enumeration("EventNotification").value();
    }

    private List<Boolean> components() {
        return List.of("Intensity", "Range", "Confidence").stream()
                .map(component -> {
                    nodes.enumeration("ComponentSelector").set(component);
                    return nodes.bool("ComponentEnable").value();
                })
                .toList();
    }

    @Test
    void aSelectorThatAnotherOneSelectsIsWhereItWasLeft() throws InterruptedException {
        nodes.enumeration("FileSelector").set("UserFile1");
        nodes.enumeration("FileOperationSelector").set("Read");
        nodes.enumeration("FileSelector").set("Firmware");
        nodes.enumeration("FileOperationSelector").set("Write");
        expectAllTaken(camera.awayAndBack());
        assertEquals("Firmware", nodes.enumeration("FileSelector").value());
        assertEquals("Write", nodes.enumeration("FileOperationSelector").value());
    }

    // ---- user sets

    /** The camera restarts by itself and keeps its user sets, but starts with the one that it came with. */
    private Connection.Event reset() throws InterruptedException {
        nodes.command("DeviceReset").execute();
        camera.await(Connection.State.LOST);
        return camera.await(Connection.State.CONNECTED);
    }

    private void saveNarrowAs(String userSet) {
        nodes.integer("Width").set(160);
        nodes.floating("Gain").set(6);
        device.userSets().save(userSet);
    }

    @Test
    void theUserSetThatWasLoadedReplacesWhatWasSetBefore() throws InterruptedException {
        saveNarrowAs("UserSet1");
        nodes.integer("Width").set(200);
        nodes.integer("Height").set(100);
        nodes.floating("Gain").set(3);
        device.userSets().load("UserSet1");
        expectAllTaken(reset());
        assertEquals(160, nodes.integer("Width").value());
        assertEquals(240, nodes.integer("Height").value());
        assertEquals(6, nodes.floating("Gain").value());
    }

    @Test
    void whatWasSetAfterTheUserSetIsSetAfterIt() throws InterruptedException {
        saveNarrowAs("UserSet1");
        device.userSets().load("UserSet1");
        nodes.floating("Gain").set(9);
        expectAllTaken(reset());
        assertEquals(160, nodes.integer("Width").value());
        assertEquals(9, nodes.floating("Gain").value());
        expectAllTaken(reset());
        assertEquals(160, nodes.integer("Width").value());
        assertEquals(9, nodes.floating("Gain").value());
    }

    @Test
    void whatTheUserSetDoesNotHaveInItStaysAsItWasSet() throws InterruptedException {
        saveNarrowAs("UserSet2");
        nodes.integer("GevSCPD").set(700);
        device.control().actionSettings().deviceKey(DEVICE_KEY);
        device.control().actionSettings().group(0, GROUP_KEY, 1);
        nodes.integer("ActionSelector").set(1);
        device.userSets().load("Default");
        device.userSets().load("UserSet2");
        expectAllTaken(reset());
        assertEquals(160, nodes.integer("Width").value());
        assertEquals(700, nodes.integer("GevSCPD").value());
        assertEquals(1, answers(DEVICE_KEY, GROUP_KEY, 1));
        assertEquals(1, nodes.integer("ActionSelector").value());
        assertEquals("UserSet2", nodes.enumeration("UserSetSelector").value());
    }

    @Test
    void theSelectorOfUserSetsStaysWhereItWasPutAfterLoading() throws InterruptedException {
        saveNarrowAs("UserSet1");
        device.userSets().load("UserSet1");
        nodes.enumeration("UserSetSelector").set("UserSet2");
        camera.robbedAndBack(device);
        assertEquals(160, nodes.integer("Width").value());
        assertEquals("UserSet2", nodes.enumeration("UserSetSelector").value());
        expectAllTaken(reset());
        assertEquals(160, nodes.integer("Width").value());
        assertEquals("UserSet2", nodes.enumeration("UserSetSelector").value());
    }

    @Test
    void whatTheCameraDoesNotTakeIsToldAndTheRestIsSet() throws InterruptedException {
        nodes.enumeration("PixelFormat").set("Mono16");
        nodes.floating("Gain").set(9);
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        // One that has a single pixel format.
        camera.comeBack(same -> same.components(Set.of(ComponentKind.INTENSITY)).content(Content.MULTISPECTRAL));
        List<String> problems = camera.await(Connection.State.CONNECTED).problems();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.get(0).contains("PixelFormat"), problems::toString);
        assertEquals(9, nodes.floating("Gain").value());
    }
}
