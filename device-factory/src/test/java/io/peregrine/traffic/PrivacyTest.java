package io.peregrine.traffic;

import static io.peregrine.traffic.Packets.CAMERA;
import static io.peregrine.traffic.Packets.HOST;
import static io.peregrine.traffic.Packets.answer;
import static io.peregrine.traffic.Packets.command;
import static io.peregrine.traffic.Packets.hex;
import static io.peregrine.traffic.Packets.join;
import static io.peregrine.traffic.Packets.lines;
import static io.peregrine.traffic.Packets.recorder;
import static io.peregrine.traffic.Packets.text;
import static io.peregrine.traffic.Packets.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing personal is in a recording, wherever it was seen, before or after it became known. */
class PrivacyTest {
    private static final byte[] CAMERA_MAC = hex("0a1b2c3d4e5f");
    private static final String SERIAL = "Q7351942";
    private static final String USER = "line three";
    private static final byte[] DEVICE = device();

    private static byte[] device() {
        byte[] device = new byte[248];
        System.arraycopy(CAMERA_MAC, 0, device, 10, 6);
        System.arraycopy(words(CAMERA), 0, device, 36, 4);
        System.arraycopy(words(0xFFFFFF00), 0, device, 52, 4);
        System.arraycopy(words(0x0A4D00FE), 0, device, 68, 4);
        System.arraycopy(text("Somebody", 32), 0, device, 72, 32);
        System.arraycopy(text("Model of " + SERIAL, 32), 0, device, 104, 32);
        System.arraycopy(text("made for ACME", 48), 0, device, 168, 48);
        System.arraycopy(text(SERIAL, 16), 0, device, 216, 16);
        System.arraycopy(text(USER, 16), 0, device, 232, 16);
        return device;
    }

    /** The value of the only access that a packet shows, between two that make everything known. */
    private static String shown(java.nio.ByteBuffer packet) {
        List<com.fasterxml.jackson.databind.JsonNode> lines = lines(recorder(packet, answer(0x03, 1, DEVICE)), "gvcp");
        return lines.get(0).get("access").get(0).get("value").asText();
    }

    private static String shownOf(int address, int value) {
        return shown(command(0x82, 1, words(address, value)));
    }

    @Test
    void addressesOfOthersAreNamedAfterWhomTheyBelongTo() {
        assertEquals("<address of host-1>", shownOf(0x0D18, HOST));
        assertEquals("<address of camera-1>", shownOf(0x0024, CAMERA));
    }

    @Test
    void anAddressInARegisterThatNobodyKnowsIsRecognised() {
        assertEquals("<address of host-1>", shownOf(0xA104, HOST));
        assertEquals("<address of host-1>", shownOf(0xA104, Integer.reverseBytes(HOST)));
    }

    @Test
    void anAddressInTheSameNetworkIsOneToo() {
        assertEquals("<address>", shownOf(0xA104, 0x0A4D1234));
        assertEquals("<address>", shownOf(0xA104, 0xC0A80A01));
    }

    @Test
    void otherValuesStay() {
        assertEquals("0x47565230", shownOf(0xA104, 0x47565230));
        assertEquals("0x00000000", shownOf(0x0D18, 0));
        assertEquals("0x00001234", shownOf(0xA104, 0x1234));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x090C, 0x095C, 0x9800, 0x9810})
    void keysAreReplaced(int register) {
        assertEquals("<key>", shownOf(register, 0x1BADCAFE));
    }

    @Test
    void thePrivilegeStaysWithoutItsKey() {
        assertEquals("0x00000002", shownOf(0x0A00, 2));
        assertEquals("0x00000006 and <key>", shownOf(0x0A00, 0x12340006));
    }

    @Test
    void bothHalvesOfTheMacAddressAreReplaced() {
        assertEquals("<MAC address>", shownOf(0x0008, 0x0A1B));
        assertEquals("<MAC address>", shownOf(0x000C, 0x2C3D4E5F));
        assertEquals("<low half of mac-1>", shownOf(0xA104, 0x2C3D4E5F));
    }

    @Test
    void textsAreReplacedByWhatTheyAre() {
        assertEquals("<serial number>", shown(answer(0x85, 1, join(words(0x00D8), text(SERIAL, 16)))));
        assertEquals("<user-defined name>", shown(command(0x86, 1, join(words(0x00E8), text("other", 16)))));
        assertEquals(
                "00000001 <serial number> 00000000",
                shown(command(0x86, 1, join(words(0xC000, 1), text(SERIAL, 8), words(0)))));
    }

    @Test
    void textsThatNobodyKnowsAreReplacedByTheirLength() {
        assertEquals(
                "4756523000 <text of 12 bytes> 000000",
                shown(command(0x86, 1, join(words(0xC000, 0x47565230), hex("00"), text("camera7.acme", 15)))));
    }

    @Test
    void aMacAddressAndWhatIsMadeOfItAreFoundInMemory() {
        assertEquals("01 <mac-1> 02", shown(command(0x86, 1, join(words(0xC000), hex("01"), CAMERA_MAC, hex("02")))));
        assertEquals("<identifier of mac-1>", shown(command(0x86, 1, join(words(0xC000), hex("081b2cfffe3d4e5f")))));
    }

    @Test
    void aReadOfAllFirstRegistersShowsNoneOfThem() {
        String shown = shown(answer(0x85, 1, join(words(0), java.util.Arrays.copyOf(DEVICE, 64))));

        assertTrue(shown.contains("<address of camera-1>"), shown);
        assertTrue(shown.contains("<MAC address>"), shown);
        assertFalse(shown.contains("0a4d0001"), shown);
        assertFalse(shown.contains("2c3d4e5f"), shown);
    }

    @Test
    void aReadThatReachesBeyondATextThatIsShownHidesWhatIsBehindIt() {
        String full = "v".repeat(32);

        String shown = shown(answer(0x85, 1, join(words(0x0088), text(full, 32), text("made for ACME", 48))));

        assertFalse(shown.contains("ACME"), shown);
        assertEquals("<text of 32 bytes> <manufacturer info>", shown);
    }

    @Test
    void addressesThatAreWrittenOutInATextAreReplaced() {
        assertEquals(
                "1.2.3.4 at <address>", shown(answer(0x85, 1, join(words(0x0088), text("1.2.3.4 at 10.77.0.1", 32)))));
        assertEquals(
                "x<address>-<mac-1>", shown(answer(0x85, 1, join(words(0x0088), text("x0A4D0001-0a1b2c3d4e5f", 32)))));
    }

    @Test
    void anAddressAsImmediateDataIsReplaced() {
        byte[] write = join(words(0, 0x1000, 0x241, 4), words(HOST), new byte[4]);
        TrafficRecorder recorder = recorder(Packets.toHost(Packets.roce(0x0B, 0x11, 1, write)));

        assertEquals(
                "<address of address-2>",
                lines(recorder, "rdma").get(0).get("immediate").asText());
    }

    @Test
    void aUrlKeepsWhereTheDescriptionIs() {
        assertEquals(
                "LOCAL;0xC000;4660",
                shown(answer(0x85, 1, join(words(0x0200), text("Local:jane.zip;C000;1234", 512)))));
        assertEquals("HTTP", shown(answer(0x85, 1, join(words(0x0400), text("http://host.acme/x.xml", 512)))));
    }

    /** Everything at once, and looked for in every form. */
    @Test
    void nothingPersonalIsAnywhere() {
        byte[] everything = join(
                CAMERA_MAC, words(HOST, CAMERA), text(SERIAL, 12), text(USER, 14), words(Integer.reverseBytes(HOST)));
        TrafficRecorder recorder = recorder(
                command(0x86, 1, join(words(0xC000), everything)),
                command(0x0200, 2, everything),
                command(0x04, 3, join(new byte[2], CAMERA_MAC, new byte[12], words(CAMERA), new byte[32])),
                command(0x0100, 4, words(0x1BADCAFE, 2, 3)),
                answer(0x03, 5, DEVICE),
                command(0x80, 6, words(0x0008, 0x000C, 0x0024, 0x0A14)),
                answer(0x81, 6, words(0x0A1B, 0x2C3D4E5F, CAMERA, HOST)),
                Packets.toHost(Packets.roce(0x04, 0x11, 1, everything)));

        String written = Packets.written(recorder).toLowerCase(Locale.ROOT);

        for (String personal : List.of(
                "0a1b2c",
                "2c3d4e5f",
                "0a4d0001",
                "0a4d0002",
                "02004d0a",
                "10.77.",
                SERIAL.toLowerCase(Locale.ROOT),
                "5137333531393432",
                USER,
                "6c696e65207468726565",
                "acme",
                "1badcafe")) {
            assertFalse(written.contains(personal), () -> personal + " in " + written);
        }
        assertTrue(written.contains("<serial number>"), written);
    }

    @Test
    void hostsAndCamerasKeepTheirNames() {
        int second = 0x0A4D0009;
        List<com.fasterxml.jackson.databind.JsonNode> lines = lines(
                recorder(
                        command(0x80, 1, words(0)),
                        Packets.udp(
                                second, 1234, CAMERA, Packets.GVCP_PORT, Packets.message(0x4201, 0x80, 1, words(0))),
                        command(0x80, 2, words(0))),
                "gvcp");

        assertEquals("host-1", lines.get(0).get("from").asText());
        assertEquals("host-2", lines.get(1).get("from").asText());
        assertEquals("host-1", lines.get(2).get("from").asText());
    }
}
