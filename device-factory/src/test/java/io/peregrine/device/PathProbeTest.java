package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetAddress;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class PathProbeTest {
    private static final int REGISTERS = StreamChannelRegister.address(0, 0);

    private VirtualCamera camera;
    private Devices factory;
    private DiscoveryInformation info;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.52.0.1")
                .port(0)
                .serial("PATH1")
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load());
        info = factory.find("127.52.0.1:" + camera.address().getPort());
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private byte[] registers() {
        try (DeviceRegisters open = factory.openRegisters(info)) {
            return open.read(REGISTERS, 0x24);
        }
    }

    @Test
    void theLargestPacketPassesWhereNothingHoldsItBack() {
        try (Device device = factory.open(info)) {
            DeviceNetwork.PacketPath path = device.network().probePath(0);
            assertTrue(path.complete(), path::toString);
            assertEquals(OptionalInt.of(16260), path.largestBytes());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PacketReceiverKind.class,
            names = {"AUTO", "NIO"})
    void itsReceiverHasRoomForAFewPacketsOnly(PacketReceiverKind kind) {
        InetAddress here = InetAddress.getLoopbackAddress();
        GvspSettings settings = PathProbe.forFewPackets(GvspSettings.defaults(here, here));
        FlowSetPool pool = FlowSetPool.allocate(2, new long[] {4096}, 1 << 20);
        try (GvspSource receiver = GvspSource.open(settings, pool, (block, first, last, extended) -> {}, kind)) {
            // The system doubles what is asked for.
            assertTrue(receiver.receiveBufferBytes() <= 4 << 20, receiver::toString);
        }
    }

    @Test
    void theRegistersAreAsTheyWereAfterwards() {
        byte[] before = registers();
        try (Device device = factory.open(info)) {
            device.network().probePath(0);
            assertArrayEquals(before, registers());
        }
    }

    @Test
    void aStreamThatRunsIsNotDisturbed() {
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            DeviceException refusal =
                    assertThrows(DeviceException.class, () -> device.network().probePath(0));
            assertTrue(refusal.getMessage().contains("stop it"), refusal::getMessage);
            WaitResult.Ok frame = assertInstanceOf(WaitResult.Ok.class, stream.waitFor(Duration.ofSeconds(20)));
            frame.composite().close();
        }
    }

    @Test
    void aMonitorMayNotProbe() {
        info.setParameter("AccessMode", "ReadOnly");
        try (Device device = factory.open(info)) {
            DeviceException refusal =
                    assertThrows(DeviceException.class, () -> device.network().probePath(0));
            assertTrue(refusal.getMessage().contains("AccessMode=Control"), refusal::getMessage);
        }
    }

    @Test
    void aStreamThatIsNotThereCannotBeProbed() {
        try (Device device = factory.open(info)) {
            assertThrows(DeviceException.class, () -> device.network().probePath(1));
        }
    }
}
