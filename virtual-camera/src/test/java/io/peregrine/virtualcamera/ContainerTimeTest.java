package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a GenDC container says of its time: whether it is that of PTP (GenDC 1.1, container flag TimestampPTP). */
@Timeout(60)
class ContainerTimeTest {
    private static final int IEEE_1588_ENABLE = 0x00080000;
    private static final int PENDING_ACK = 0x2;
    /** GVSP header with extended ids, and the head of GenDC payload. */
    private static final int DESCRIPTOR_AT = 20 + 16;

    private static final int FLAGS_AT = DESCRIPTOR_AT + 10;
    /** Container header of 56 bytes, one offset of 8; the timestamp of the component is at its offset 24. */
    private static final int TIMESTAMP_AT = DESCRIPTOR_AT + 56 + 8 + 24;

    private VirtualCamera camera;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.30.9.1")
                .port(0)
                .size(64, 32)
                .frameRate(100)
                .components(Set.of(ComponentKind.INTENSITY))
                .genDcMode(Scenario.GenDcMode.ON)
                .build());
        client = new Client(camera);
    }

    @AfterEach
    void stop() {
        client.close();
        camera.close();
    }

    private ByteBuffer descriptor() throws IOException {
        ByteBuffer packet = client.packet();
        while ((packet.get(4) & 0x7F) != 8 || packet.getInt(DESCRIPTOR_AT) != 0x474E4443) {
            packet = client.packet();
        }
        return packet.order(ByteOrder.LITTLE_ENDIAN);
    }

    private void stream() throws IOException {
        client.openStream(1500);
        client.start();
    }

    @Test
    void aClockOfItsOwnIsNotTakenForPtp() throws Exception {
        stream();
        assertEquals(0, descriptor().getShort(FLAGS_AT));
    }

    @Test
    void aClockThatFollowsPtpIsToldAndCountsFrom1970On() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x0954, IEEE_1588_ENABLE | PENDING_ACK);
        stream();
        ByteBuffer descriptor = descriptor();
        while (descriptor.getShort(FLAGS_AT) == 0) {
            descriptor = descriptor();
        }
        assertEquals(1, descriptor.getShort(FLAGS_AT));
        long seconds = descriptor.getLong(TIMESTAMP_AT) / 1_000_000_000;
        long now = System.currentTimeMillis() / 1000;
        assertTrue(Math.abs(now - seconds) < 60, "taken " + seconds + ", now " + now);
    }
}
