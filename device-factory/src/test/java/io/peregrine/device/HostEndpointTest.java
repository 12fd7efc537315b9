package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where streams and events arrive, and what the camera is told of it. */
@Timeout(60)
class HostEndpointTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String CAMERA = "127.58.0.1";
    private static final String HOST = "127.58.0.2";
    private static final String OUTSIDE = "127.58.0.3";
    private static final int WIDTH = 64;
    private static final int MESSAGE_PORT_REGISTER = 0x0B00;
    private static final int MESSAGE_ADDRESS_REGISTER = 0x0B10;
    private static final int STREAM_PORT_REGISTER = 0x0D00;
    private static final int STREAM_ADDRESS_REGISTER = 0x0D18;

    private VirtualCamera camera;
    private Devices factory;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .serial("PG-58")
                .size(WIDTH, 48)
                .frameRate(100)
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        CAMERA + ":" + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private DiscoveryInformation found() {
        return factory.discover(DiscoverFlags.FIND_ALL, LONG).get(0);
    }

    private byte[] register(Device device, int address) {
        try (DeviceRegisters registers = factory.openRegisters(device.info())) {
            return registers.read(address, 4);
        }
    }

    private static int number(byte[] register) {
        return ByteBuffer.wrap(register).getInt() & 0xFFFF;
    }

    private static void takeWhole(CompositeStream stream) {
        for (int i = 0; i < 3; i++) {
            try (Composite composite = Frames.next(stream)) {
                assertTrue(
                        composite.complete(), () -> composite.incompleteReason().orElse(""));
            }
        }
    }

    @Test
    void framesArriveAtTheInterfaceAndPortThatWereAskedFor() throws IOException {
        try (Device device = factory.open(
                        found().setParameter("StreamInterface", HOST).setParameter("StreamHostPort", "29581"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream);
            assertArrayEquals(InetAddress.getByName(HOST).getAddress(), register(device, STREAM_ADDRESS_REGISTER));
            assertEquals(29_581, number(register(device, STREAM_PORT_REGISTER)));
        }
    }

    /** As a router does: what comes to the outer address goes on to the inner one, with the camera's address. */
    private static Thread translate(DatagramSocket outer, DatagramSocket sender, InetSocketAddress inner) {
        Thread relay = new Thread(() -> {
            DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
            try {
                while (true) {
                    packet.setLength(65536);
                    outer.receive(packet);
                    packet.setSocketAddress(inner);
                    sender.send(packet);
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        relay.setDaemon(true);
        relay.start();
        return relay;
    }

    @Test
    void framesArriveThroughAddressTranslation() throws Exception {
        Thread relay;
        try (DatagramSocket outer = new DatagramSocket(new InetSocketAddress(OUTSIDE, 29_582));
                DatagramSocket sender = new DatagramSocket(new InetSocketAddress(CAMERA, 0))) {
            relay = translate(outer, sender, new InetSocketAddress(HOST, 29_582));
            try (Device device = factory.open(found().setParameter("StreamInterface", HOST)
                            .setParameter("StreamHostPort", "29582")
                            .setParameter("AnnouncedAddress", OUTSIDE));
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                takeWhole(stream);
                assertArrayEquals(
                        InetAddress.getByName(OUTSIDE).getAddress(), register(device, STREAM_ADDRESS_REGISTER));
            }
        }
        relay.join(LONG.toMillis());
    }

    @Test
    void theCameraIsToldWhereEventsArrive() throws IOException {
        try (Device device = factory.open(
                found().setParameter("MessageHostPort", "29583").setParameter("AnnouncedAddress", OUTSIDE))) {
            device.events();
            assertArrayEquals(InetAddress.getByName(OUTSIDE).getAddress(), register(device, MESSAGE_ADDRESS_REGISTER));
            assertEquals(29_583, number(register(device, MESSAGE_PORT_REGISTER)));
        }
    }

    @Test
    void portThatIsInUseIsNamed() throws IOException {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(HOST, 29_584));
                Device device = factory.open(
                        found().setParameter("StreamInterface", HOST).setParameter("StreamHostPort", "29584"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            String told = assertThrows(DeviceException.class, stream::start).getMessage();
            assertTrue(told.contains("port " + other.getLocalPort()), told);
        }
    }
}
