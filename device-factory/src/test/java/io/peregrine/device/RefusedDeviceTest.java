package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.GvcpChannel;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvcp.RegisterValue;
import io.peregrine.gvcp.WriteRegisterCommand;
import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who holds a device that cannot be opened. */
@Timeout(30)
class RefusedDeviceTest {
    private static final int GVCP_CAPABILITY = 0x0934;
    private static final int CAPABILITY_OF_APPLICATION_REGISTERS = 0x08000000;
    private static final int CONTROL_CHANNEL_PRIVILEGE = 0x0A00;
    private static final int PRIMARY_APPLICATION_PORT = 0x0A04;
    private static final int PRIMARY_APPLICATION_IP_ADDRESS = 0x0A14;

    private static String refusal(String name, String... parameters) {
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        DiscoveryInformation info = factory.find(name);
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        return assertThrows(DeviceAccessDeniedException.class, () -> factory.open(info))
                .getMessage();
    }

    private static VirtualCamera camera() {
        return VirtualCamera.start(
                Scenario.builder().bindAddress("127.55.9.41").port(0).build());
    }

    private static String name(VirtualCamera camera) {
        return "127.55.9.41:" + camera.address().getPort();
    }

    @Test
    void thatIsOpenInThisProgramIsNamedWithThePlace() {
        try (VirtualCamera camera = camera();
                Device first = DeviceFactory.open(name(camera))) {
            String text = refusal(name(camera));
            assertTrue(
                    text.startsWith(
                            first.info().macAddress() + " at 127.55.9.41 is open in this program already, since "
                                    + "io.peregrine.device.RefusedDeviceTest.thatIsOpenInThisProgram"),
                    text);
            assertTrue(text.endsWith("or open this one with AccessMode=ReadOnly"), text);
        }
    }

    @Test
    void thatIsBeingOpenedInThisProgramIsNamedWithThePlace() throws InterruptedException {
        try (VirtualCamera camera = camera()) {
            camera.faults().pendingAcknowledge(Duration.ofSeconds(1));
            Thread opening = new Thread(() -> DeviceFactory.open(name(camera)).close());
            opening.start();
            Await.until("control", LosableCamera.LONG, () -> camera.controller().isPresent());
            camera.faults().pendingAcknowledge(Duration.ZERO);
            String text = refusal(name(camera));
            opening.join();
            assertTrue(
                    text.contains(" is open in this program already, since io.peregrine.device.RefusedDeviceTest."),
                    text);
        }
    }

    @Test
    void thatIsClosedAgainIsNotRefused() {
        try (VirtualCamera camera = camera()) {
            DeviceFactory.open(name(camera)).close();
            try (Device again = DeviceFactory.open(name(camera))) {
                assertTrue(again.connection().connected());
            }
        }
    }

    @Test
    void thatIsOnlyReadInThisProgramIsNotTakenForOpen() {
        try (VirtualCamera camera = camera();
                GvcpChannel holder = GvcpChannel.open(camera.address(), GvcpSettings.defaults())) {
            holder.takePrivilege(Privilege.CONTROL);
            try (Device monitor = DeviceFactory.create(PeregrineSettings.load())
                    .open(DeviceFactory.create(PeregrineSettings.load())
                            .find(name(camera))
                            .setParameter("AccessMode", "ReadOnly"))) {
                String text = refusal(name(camera));
                assertFalse(text.contains("in this program"), text);
                assertTrue(monitor.connection().connected());
            }
        }
    }

    @Test
    void thatAnotherProgramOfThisHostHoldsIsNamedWithItsPort() {
        try (VirtualCamera camera = camera();
                GvcpChannel holder = GvcpChannel.open(camera.address(), GvcpSettings.defaults())) {
            holder.takePrivilege(Privilege.CONTROL);
            String text = refusal(name(camera));
            InetSocketAddress address = holder.localSocketAddress();
            assertTrue(
                    text.contains("is controlled by another program on this host, "
                            + address.getAddress().getHostAddress() + ":" + address.getPort() + ": end that program"),
                    text);
        }
    }

    @Test
    void thatAProgramHoldsThatHasEndedIsFreeAfterItsHeartbeatTimeout() throws IOException {
        try (VirtualCamera camera = camera()) {
            InetSocketAddress ended = takeControlAndVanish(camera);
            String text = refusal(name(camera));
            assertTrue(
                    text.contains(" is controlled by a program on this host that has ended or lost it, "
                            + ended.getAddress().getHostAddress() + ":" + ended.getPort()
                            + "; the camera lets go after its heartbeat timeout"),
                    text);
        }
    }

    /** Leaves a camera as a program does that is killed. */
    private static InetSocketAddress takeControlAndVanish(VirtualCamera camera) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(10_000);
            socket.connect(camera.address());
            byte[] command = new WriteRegisterCommand(
                            1, List.of(new RegisterValue(CONTROL_CHANNEL_PRIVILEGE, BootstrapRegister.CCP_CONTROL)))
                    .encode();
            socket.send(new DatagramPacket(command, command.length));
            socket.receive(new DatagramPacket(new byte[64], 64));
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    @Test
    void thatAnotherProgramHoldsExclusivelyIsRefusedToReadersToo() {
        try (VirtualCamera camera = camera();
                GvcpChannel holder = GvcpChannel.open(camera.address(), GvcpSettings.defaults())) {
            holder.takePrivilege(Privilege.EXCLUSIVE);
            String text = refusal(name(camera), "AccessMode", "ReadOnly");
            assertTrue(text.contains("is controlled by another"), text);
        }
    }

    @Test
    void thatAnotherHostHoldsIsNamedWithTheAddressOfThatHost() {
        try (ScriptedDevice camera = new ScriptedDevice("127.55.9.42", 0x00020002)
                .with(GVCP_CAPABILITY, CAPABILITY_OF_APPLICATION_REGISTERS)
                .with(PRIMARY_APPLICATION_PORT, 40123)
                .with(PRIMARY_APPLICATION_IP_ADDRESS, 0xC0A80707)
                .refusing(CONTROL_CHANNEL_PRIVILEGE)) {
            String text = refusal(camera.name());
            assertTrue(
                    text.endsWith(" at 127.55.9.42 is controlled by an application on another host, 192.168.7.7:40123:"
                            + " end that program, or open the camera with AccessMode=ReadOnly"),
                    text);
        }
    }

    @Test
    void thatDoesNotSayWhoHoldsItIsRefusedAllTheSame() {
        try (ScriptedDevice camera = new ScriptedDevice("127.55.9.43", 0x00020002)
                .with(GVCP_CAPABILITY, 0)
                .refusing(CONTROL_CHANNEL_PRIVILEGE)) {
            String text = refusal(camera.name());
            assertEquals(
                    "another application, and does not say which",
                    text.substring(text.indexOf("another"), text.indexOf(": end that program")));
        }
    }
}
