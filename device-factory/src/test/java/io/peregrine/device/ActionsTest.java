package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions to two cameras on the GVCP port, whose groups have bits 0 and 1 of their masks. */
@Timeout(60)
class ActionsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int DEVICE_KEY = 0x600DCA4E;
    private static final int GROUP_KEY = 0x77;

    private final List<VirtualCamera> cameras = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private Devices factory;

    @BeforeEach
    void start() {
        factory = DeviceFactory.create(PeregrineSettings.load());
        for (int i = 0; i < 2; i++) {
            String address = "127.51.3." + (i + 1);
            cameras.add(VirtualCamera.start(
                    Scenario.builder().bindAddress(address).size(64, 32).build()));
            Device device = factory.open(address);
            devices.add(device);
            device.control().actionSettings().deviceKey(DEVICE_KEY);
            device.control().actionSettings().group(0, GROUP_KEY, 1 << i);
        }
    }

    @AfterEach
    void stop() {
        devices.forEach(Device::close);
        cameras.forEach(VirtualCamera::close);
    }

    private List<DiscoveryInformation> infos() {
        return devices.stream().map(Device::info).toList();
    }

    private List<Actions.Answer> send(Action action) {
        return factory.actions().send(action, infos(), SHORT);
    }

    private static Set<String> addresses(List<Actions.Answer> answers) {
        return answers.stream()
                .map(answer -> answer.camera().getAddress().getHostAddress())
                .collect(Collectors.toSet());
    }

    @Test
    void everyCameraThatIsMeantAnswers() {
        List<Actions.Answer> answers = factory.actions().send(Action.of(DEVICE_KEY, GROUP_KEY, 3), infos(), LONG);
        assertEquals(Set.of("127.51.3.1", "127.51.3.2"), addresses(answers));
        assertTrue(answers.stream().allMatch(answer -> answer.status().equals("SUCCESS")));
    }

    @Test
    void aCameraThatIsNamedTwiceHearsItOnce() throws IOException {
        InetSocketAddress address = new InetSocketAddress("127.51.3.9", 0);
        try (DatagramSocket camera = new DatagramSocket(address)) {
            camera.setSoTimeout(1);
            DiscoveryInformation info = Found.at(camera.getLocalAddress(), camera.getLocalPort());
            factory.actions().send(Action.of(DEVICE_KEY, GROUP_KEY, 1), List.of(info, info.copy()), Duration.ZERO);
            DatagramPacket packet = new DatagramPacket(new byte[64], 64);
            camera.receive(packet);
            assertThrows(SocketTimeoutException.class, () -> camera.receive(packet));
        }
    }

    @Test
    void aCameraThatIsNotMeantKeepsSilent() {
        assertEquals(Set.of("127.51.3.2"), addresses(send(Action.of(DEVICE_KEY, GROUP_KEY, 2))));
    }

    @Test
    void nothingIsBroadcastWithoutAnInterface() {
        assertThrows(
                DeviceException.class,
                () -> factory.actions().broadcast(Action.of(DEVICE_KEY, GROUP_KEY, 3), List.of(), SHORT, 0));
    }

    @Test
    void aScheduledActionIsRefusedByAClockThatIsNotSynchronised() {
        List<Actions.Answer> answers = send(Action.of(DEVICE_KEY, GROUP_KEY, 1).at(1));
        assertEquals(
                List.of("NO_REF_TIME"),
                answers.stream().map(Actions.Answer::status).toList());
    }

    @Test
    void aLateActionIsCalledLateAndAccepted() {
        DeviceClock clock = devices.get(0).clock();
        clock.ptp(true);
        assertTrue(clock.awaitSynchronised(LONG).synchronised());
        Actions.Answer answer = send(Action.of(DEVICE_KEY, GROUP_KEY, 1).at(1)).get(0);
        assertTrue(answer.late() && answer.accepted(), answer::toString);
    }

    @Test
    void aLateActionIsAnEvent() throws Exception {
        Device device = devices.get(0);
        device.clock().ptp(true);
        assertTrue(device.clock().awaitSynchronised(LONG).synchronised());
        BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
        device.events().onEvent(heard::add);
        device.events().enable("ActionLate");
        send(Action.of(DEVICE_KEY, GROUP_KEY, 1).at(1));
        DeviceEvent event = heard.poll(20, TimeUnit.SECONDS);
        assertEquals(Optional.of("ActionLate"), event.name());
        assertEquals(9, event.id());
        assertEquals(OptionalInt.empty(), event.streamChannel());
    }

    @Test
    void anActionTriggersAFrame() {
        Device device = devices.get(0);
        device.nodes().enumeration("TriggerMode").set("On");
        device.nodes().enumeration("TriggerSource").set("Action0");
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            factory.actions().send(Action.of(DEVICE_KEY, GROUP_KEY, 1), infos(), Duration.ZERO);
            WaitResult result = stream.waitFor(LONG);
            assertTrue(result instanceof WaitResult.Ok, result::toString);
            try (Composite composite = ((WaitResult.Ok) result).composite()) {
                assertEquals(1, composite.blockId());
            }
        }
    }

    @Test
    void theFeaturesOfActionControlSayTheSame() {
        Device device = devices.get(0);
        device.nodes().integer("ActionSelector").set(1);
        device.nodes().integer("ActionGroupKey").set(0x1234);
        device.nodes().integer("ActionGroupMask").set(0x8);
        device.nodes().integer("ActionDeviceKey").set(0x4321);
        assertEquals(Set.of("127.51.3.1"), addresses(send(Action.of(0x4321, 0x1234, 0x8))));
    }

    @Test
    void aFeatureThatWasReadShowsTheNewGroup() {
        Device device = devices.get(0);
        assertEquals(GROUP_KEY, device.nodes().integer("ActionGroupKey").value());
        device.control().actionSettings().group(0, 0x99, 1);
        assertEquals(0x99, device.nodes().integer("ActionGroupKey").value());
    }

    @Test
    void anUnconditionalActionNeedsNoController() {
        devices.get(0).control().actionSettings().unconditional(true);
        devices.forEach(Device::close);
        assertEquals(Set.of("127.51.3.1"), addresses(send(Action.of(DEVICE_KEY, GROUP_KEY, 3))));
    }

    @Test
    void aSignalThatTheCameraDoesNotHaveIsRefused() {
        ActionSettings settings = devices.get(0).control().actionSettings();
        assertEquals(2, settings.signalCount());
        assertThrows(DeviceException.class, () -> settings.group(2, 1, 1));
    }
}
