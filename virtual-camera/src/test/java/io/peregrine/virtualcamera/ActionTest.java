package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Action commands and the registers of time, byte by byte. */
@Timeout(60)
final class ActionTest {
    private static final int ACTION = 0x0100;
    private static final int DEVICE_KEY = 0x0D0E0F01;
    private static final int GROUP_KEY = 0x00C0FFEE;
    private static final int SLAVE = 9;
    private static final long SECOND = 1_000_000_000;

    private VirtualCamera camera;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.30.4.1")
                .port(0)
                .size(64, 32)
                .build());
        client = new Client(camera);
        client.write(0x0A00, 2);
        client.write(0x090C, DEVICE_KEY);
        client.write(0x9810, GROUP_KEY);
        client.write(0x9814, 0x6);
    }

    @AfterEach
    void stop() {
        client.close();
        camera.close();
    }

    private static byte[] action(int deviceKey, int groupKey, int groupMask) {
        return ByteBuffer.allocate(12)
                .putInt(deviceKey)
                .putInt(groupKey)
                .putInt(groupMask)
                .array();
    }

    private int statusOf(byte[] action) throws IOException {
        return client.command(ACTION, action).getShort(0) & 0xFFFF;
    }

    private int statusAt(long time) throws IOException {
        byte[] payload = ByteBuffer.allocate(20)
                .put(action(DEVICE_KEY, GROUP_KEY, 0x2))
                .putLong(time)
                .array();
        client.send("42 81 0100 0014 0F0F" + HexFormat.of().formatHex(payload));
        ByteBuffer answer = ByteBuffer.wrap(client.receive());
        assertEquals(0x0F0F, answer.getShort(6));
        return answer.getShort(0) & 0xFFFF;
    }

    private void assertSilence(byte[] action) throws IOException {
        client.send("42 01 0100 000C 0E0E" + HexFormat.of().formatHex(action));
        assertEquals("0000008100040abc00000001", client.exchangeHex("42 01 0080 0004 0ABC 00000904"));
    }

    private void synchronise() throws IOException {
        client.write(0x0954, 0x000C0000);
        while (client.read(0x096C) != SLAVE) {
            Thread.onSpinWait();
        }
    }

    private long now() throws IOException {
        client.write(0x0944, 2);
        return ByteBuffer.wrap(client.readMemory(0x0948, 8)).getLong();
    }

    private void triggerBy(int source) throws IOException {
        client.openStream(1500);
        client.write(0xA0AC, 1);
        client.write(0xA0B0, source);
        client.start();
    }

    /** Time in the leader of the next block. */
    private long nextBlock() throws IOException {
        ByteBuffer packet = client.packet();
        while (packet.get(4) != 1) {
            packet = client.packet();
        }
        return packet.getLong(12);
    }

    @Test
    void anActionIsAcknowledged() throws Exception {
        assertEquals("0000010100000007", client.exchangeHex("42 01 0100 000C 0007 0D0E0F01 00C0FFEE 00000004"));
    }

    @Test
    void anActionForAnotherDeviceKeyMeetsSilence() throws Exception {
        assertSilence(action(DEVICE_KEY + 1, GROUP_KEY, 0x2));
    }

    @Test
    void anActionForAnotherGroupMeetsSilence() throws Exception {
        assertSilence(action(DEVICE_KEY, GROUP_KEY + 1, 0x2));
    }

    @Test
    void anActionForOthersInTheGroupMeetsSilence() throws Exception {
        assertSilence(action(DEVICE_KEY, GROUP_KEY, 0x1));
    }

    @Test
    void anActionThatIsTooShortIsRefused() throws Exception {
        assertEquals(0x800E, statusOf(new byte[8]));
    }

    @Test
    void anActionMeetsSilenceWhenNobodyControlsTheDevice() throws Exception {
        client.write(0x0A00, 0);
        assertSilence(action(DEVICE_KEY, GROUP_KEY, 0x2));
    }

    @Test
    void anUnconditionalActionNeedsNoControl() throws Exception {
        client.write(0x0954, 0x8);
        client.write(0x0A00, 0);
        assertEquals(0, statusOf(action(DEVICE_KEY, GROUP_KEY, 0x2)));
    }

    @Test
    void anActionTriggersAFrame() throws Exception {
        triggerBy(2);
        assertEquals(0, statusOf(action(DEVICE_KEY, GROUP_KEY, 0x2)));
        assertTrue(nextBlock() > 0);
    }

    @Test
    void theSignalOfAnotherSourceTriggersNothing() throws Exception {
        triggerBy(1);
        assertEquals(0, statusOf(action(DEVICE_KEY, GROUP_KEY, 0x2)));
        client.write(0x9800, GROUP_KEY + 1);
        client.write(0x9804, 1);
        long before = now();
        assertEquals(0, statusOf(action(DEVICE_KEY, GROUP_KEY + 1, 0x1)));
        assertTrue(nextBlock() > before, "a block came from the wrong signal");
    }

    @Test
    void aScheduledActionNeedsAClockThatIsSynchronised() throws Exception {
        client.write(0x0954, 0x00040000);
        assertEquals(0x8013, statusAt(now() + SECOND));
    }

    @Test
    void aReasonOfTwoZeroIsToldToThoseWhoAskedForIt() throws Exception {
        assertEquals(0x8FFF, statusAt(now() + SECOND));
    }

    @Test
    void aScheduledActionTriggersWhenItsTimeHasCome() throws Exception {
        synchronise();
        triggerBy(2);
        long due = now() + SECOND / 20;
        assertEquals(0, statusAt(due));
        assertTrue(nextBlock() >= due, "too early");
    }

    @Test
    void aLateActionIsExecutedAtOnceAndCalledLate() throws Exception {
        synchronise();
        triggerBy(2);
        assertEquals(0x8016, statusAt(1));
        assertTrue(nextBlock() > 1);
    }

    @Test
    void moreActionsThanTheQueueTakesAreRefused() throws Exception {
        synchronise();
        assertEquals(8, client.read(0x0970));
        long later = now() + 3600 * SECOND;
        for (int i = 0; i < 8; i++) {
            assertEquals(0, statusAt(later - i));
        }
        assertEquals(0x8015, statusAt(later));
    }

    @Test
    void theDeviceKeyCannotBeRead() throws Exception {
        assertEquals(0, client.read(0x090C));
    }

    @Test
    void theClockOfTheMasterOutlivesTheControl() throws Exception {
        synchronise();
        client.write(0x0A00, 0);
        assertEquals(SLAVE, client.read(0x096C));
    }

    @Test
    void thePtpDataSetIsAsItWasLatched() throws Exception {
        synchronise();
        assertEquals(3, client.read(0xB804), "disabled at the start");
        client.write(0xB800, 1);
        assertEquals(SLAVE, client.read(0xB804));
    }

    @Test
    void theCapabilitiesTellOfActionsAndTime() throws Exception {
        assertEquals(2, client.read(0x0908));
        assertEquals(0x001E0040, client.read(0x0934) & 0x001E0040);
    }
}
