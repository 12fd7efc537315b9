package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManifestTest {
    private static final int OLD_URL = 0xA000;
    private static final int NEW_URL = 0xA200;

    private FakeDevice device;

    @BeforeEach
    void startDevice() throws IOException {
        device = FakeDevice.start("127.10.0.4");
        device.register(BootstrapRegister.GVCP_CAPABILITY, BootstrapRegister.GVCP_CAPABILITY_MANIFEST);
        description(BootstrapRegister.FIRST_URL, 0xC000, "<first/>");
        description(OLD_URL, 0xC100, "<old/>");
        description(NEW_URL, 0xC200, "<new/>");
    }

    @AfterEach
    void stopDevice() {
        device.close();
    }

    private void description(int register, int address, String xml) {
        String url = String.format(Locale.ROOT, "Local:cam.xml;%X;%X", address, xml.length());
        device.bytes(register, Arrays.copyOf(url.getBytes(StandardCharsets.US_ASCII), 512));
        device.bytes(address, xml.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] table(String hex) {
        return Arrays.copyOf(HexFormat.ofDelimiter(" ").parseHex(hex), ManifestEntry.TABLE_BYTES);
    }

    private String fetched() {
        try (GvcpChannel channel = GvcpChannel.open(device.address(), GvcpSettings.defaults())) {
            return new String(CameraXml.fetch(channel).xml(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void eachFieldIsReadFromItsBits() {
        // One entry: 1, 2, 3, 1, 1 in six bits each are 000001 000010 000011 000001 000001 00.
        List<ManifestEntry> entries = ManifestEntry.parse(table("04 00 00 00 00 00 00 00 04 20 c1 04 00 01 a2 00"));
        assertEquals(List.of(new ManifestEntry(1, 2, 3, 1, 1, 0x1A200)), entries);
    }

    @Test
    void theHighestSchemaIsTakenThoughItStandsLast() {
        device.bytes(
                BootstrapRegister.MANIFEST_TABLE,
                table("08 00 00 00 00 00 00 00 fc 00 01 00 00 00 a0 00 04 00 01 04 00 00 a2 00"));
        assertEquals("<new/>", fetched());
    }

    @Test
    void withoutTheCapabilityTheFirstUrlIsTaken() {
        device.register(BootstrapRegister.GVCP_CAPABILITY, 0);
        device.bytes(BootstrapRegister.MANIFEST_TABLE, table("04 00 00 00 00 00 00 00 04 00 01 04 00 00 a2 00"));
        assertEquals("<first/>", fetched());
    }

    @Test
    void anEntryThatLeadsNowhereGivesWayToTheNext() {
        device.bytes(NEW_URL, new byte[512]);
        device.bytes(
                BootstrapRegister.MANIFEST_TABLE,
                table("08 00 00 00 00 00 00 00 04 00 01 00 00 00 a0 00 04 00 01 04 00 00 a2 00"));
        assertEquals("<old/>", fetched());
    }

    @Test
    void aTableWithoutSenseGivesWayToTheFirstUrl() {
        byte[] table = new byte[ManifestEntry.TABLE_BYTES];
        Arrays.fill(table, (byte) 0xFF);
        device.bytes(BootstrapRegister.MANIFEST_TABLE, table);
        assertEquals("<first/>", fetched());
    }

    @Test
    void aTableFullOfEntriesThatLeadNowhereEndsSoon() {
        ByteBuffer table =
                ByteBuffer.allocate(ManifestEntry.TABLE_BYTES).putInt(63 << 26).putInt(0);
        for (int i = 0; i < 63; i++) {
            table.putInt(0x04000104).putInt(0xB000);
        }
        device.bytes(BootstrapRegister.MANIFEST_TABLE, table.array());
        assertEquals("<first/>", fetched());
        assertTrue(device.count(0x0084) < 30, () -> device.count(0x0084) + " reads");
    }

    @Test
    void noTableMakesTheParserFail() {
        Random random = new Random(9);
        byte[] table = new byte[ManifestEntry.TABLE_BYTES];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(table);
            assertTrue(ManifestEntry.parse(table).size() <= 63);
        }
        assertEquals(List.of(), ManifestEntry.parse(new byte[7]));
    }
}
