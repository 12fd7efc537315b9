package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CameraXmlTest {
    private static final CameraXml.Limit LIMIT = new CameraXml.Limit("the limit", CameraXml.Limit.DEFAULT_BYTES);

    private static final byte[] XML =
            "<?xml version=\"1.0\"?><RegisterDescription/>".getBytes(StandardCharsets.US_ASCII);

    private FakeDevice device;

    @BeforeEach
    void startDevice() throws IOException {
        device = FakeDevice.start("127.10.0.2");
    }

    @AfterEach
    void stopDevice() {
        device.close();
    }

    private CameraXml fetch() {
        try (GvcpChannel channel = GvcpChannel.open(device.address(), GvcpSettings.defaults())) {
            return CameraXml.fetch(channel);
        }
    }

    private void url(int register, String text) {
        device.bytes(register, Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 512));
    }

    private static byte[] zip(String name, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream archive = new ZipOutputStream(bytes)) {
            archive.putNextEntry(new ZipEntry("readme.txt"));
            archive.write("not this one".getBytes(StandardCharsets.US_ASCII));
            archive.putNextEntry(new ZipEntry(name));
            archive.write(content);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Local:cam.xml;10000;2A                      | cam.xml | 10000 | 2a |",
                "local:cam.xml;10000;2a                      | cam.xml | 10000 | 2a |",
                "LOCAL:cam.ZIP;0x10000;0x2A                  | cam.ZIP | 10000 | 2a |",
                "Local:cam.zip;0X10000;0X2A                  | cam.zip | 10000 | 2a |",
                "Local:cam.xml; 10000; 2A                    | cam.xml | 10000 | 2a |",
                "Local: cam.xml ;10000 ; 2A                  | cam.xml | 10000 | 2a |",
                "Local:///cam.xml;10000;2A                   | cam.xml | 10000 | 2a |",
                "Local:cam.zip;10000;2A?SchemaVersion=1.1.0  | cam.zip | 10000 | 2a | 1.1.0",
                "Local:cam.zip;10000;2A ?schemaversion=1.0   | cam.zip | 10000 | 2a | 1.0",
                "Local:cam.xml;FFFFFFF0;10                   | cam.xml | fffffff0 | 10 |",
                "Local:cam.xml;0000000000010000;0000002A     | cam.xml | 10000 | 2a |",
            })
    void understandsTheWaysToWriteALocalUrl(
            String text, String name, String address, String length, String schemaVersion) {
        CameraXmlUrl url = CameraXmlUrl.parse(text);
        assertEquals(CameraXmlUrl.Scheme.LOCAL, url.scheme());
        assertEquals(name, url.location());
        assertEquals(address, Integer.toHexString(url.address()));
        assertEquals(length, Integer.toHexString(url.lengthBytes()));
        assertEquals(Optional.ofNullable(schemaVersion), url.schemaVersion());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cam.xml",
                "Local:cam.xml",
                "Local:cam.xml;10000",
                "Local:cam.xml;;",
                "Local:cam.xml;10000;0",
                "Local:cam.xml;xyz;10",
                "Local:cam.xml;-1;10",
                "Local:cam.xml;+1;10",
                "Local:cam.xml;0x;10",
                "Local:cam.xml;100000000;10",
                "Local:cam.xml;10000;4000001",
                "Local:cam.xml;10000;ffffffff",
                "Local:cam.xml;10000;ffffffffffffffff",
                "Local:cam.xml;10000;ffffffffffffffffff",
                "Local:cam.xml;fffffff0;11",
                "ftp://camera/cam.xml"
            })
    void rejectsUrlsThatLeadNowhere(String text) {
        assertThrows(GvcpException.class, () -> CameraXmlUrl.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "File:///C|/cams/cam.xml, C:/cams/cam.xml",
        "file:///C:/cams/cam.xml, C:/cams/cam.xml",
        "FILE:///opt/cam.zip?SchemaVersion=1.1.0, /opt/cam.zip",
        "File:cam.xml, cam.xml"
    })
    void understandsFileUrls(String text, String path) {
        CameraXmlUrl url = CameraXmlUrl.parse(text);
        assertEquals(CameraXmlUrl.Scheme.FILE, url.scheme());
        assertEquals(path, url.location());
    }

    @Test
    void fetchesPlainXmlAndCutsPadding() {
        device.bytes(0x10000, Arrays.copyOf(XML, 1024));
        url(0x0200, "Local:cam.xml;10000;400?SchemaVersion=1.1.0");
        CameraXml fetched = fetch();
        assertArrayEquals(XML, fetched.xml());
        assertEquals("cam.xml", fetched.fileName());
        assertEquals("Local:cam.xml;10000;400?SchemaVersion=1.1.0", fetched.url());
    }

    @Test
    void fetchesArchiveFromAnyAddressAndLength() throws IOException {
        byte[] archive = zip("Cam.XML", XML);
        device.bytes(0x10001, archive);
        url(0x0200, "Local:cam.zip;10001;" + Integer.toHexString(archive.length));
        assertArrayEquals(XML, fetch().xml());
    }

    @Test
    void recognisesAnArchiveByItsFirstBytesNotItsName() throws IOException {
        byte[] archive = zip("cam.xml", XML);
        device.bytes(0x10000, archive);
        url(0x0200, "Local:cam.xml;10000;" + Integer.toHexString(archive.length));
        assertArrayEquals(XML, fetch().xml());

        device.bytes(0x10000, XML);
        url(0x0200, "Local:cam.zip;10000;" + Integer.toHexString(XML.length));
        assertArrayEquals(XML, fetch().xml());
    }

    @Test
    void takesTheSecondUrlWhenTheFirstLeadsNowhere() {
        device.bytes(0x10000, XML);
        url(0x0200, "http://example.com/cam.xml");
        url(0x0400, "Local:cam.xml;10000;" + Integer.toHexString(XML.length));
        assertArrayEquals(XML, fetch().xml());
    }

    @Test
    void saysWhatIsWrongWithBothUrls() {
        url(0x0200, "http://example.com/cam.xml");
        GvcpException e = assertThrows(GvcpException.class, this::fetch);
        assertTrue(e.getMessage().contains("http://example.com/cam.xml"), e::getMessage);
        assertTrue(e.getMessage().contains("Second URL (0x0400) is empty"), e::getMessage);
    }

    @Test
    void readsAFileOfThisHost(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("cam.zip");
        Files.write(file, zip("cam.xml", XML));
        url(0x0200, "File://" + file);
        CameraXml fetched = fetch();
        assertArrayEquals(XML, fetched.xml());
        assertEquals("cam.zip", fetched.fileName());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "File:////server/share/cam.xml",
                "File:////server/share/cam\u2028.xml",
                "File:\\\\server\\share\\cam.xml",
                "File://\\\\server\\share\\cam.xml",
                "file:///\\server/share/cam.xml",
                "File://\\\\?\\UNC\\server\\share\\cam.xml"
            })
    void asksNoOtherHostForAFile(String url) {
        GvcpException refusal = assertThrows(GvcpException.class, () -> CameraXmlUrl.parse(url));
        assertTrue(refusal.getMessage().contains("names a file of another host"), refusal.getMessage());
    }

    @Test
    void readsNothingOfADescriptionThatIsTooLarge() {
        url(0x0200, "Local:cam.xml;10000;1001");
        try (GvcpChannel channel = GvcpChannel.open(device.address(), GvcpSettings.defaults())) {
            GvcpException e = assertThrows(
                    GvcpException.class, () -> CameraXml.fetch(channel, new CameraXml.Limit("MyLimit", 4096)));
            assertTrue(e.getMessage().contains("cam.xml is larger than 4096 bytes: raise MyLimit"), e::getMessage);
        }
    }

    @Test
    void readsNoOtherFilesOfThisHost() {
        url(0x0200, "File:///dev/zero");
        GvcpException e = assertThrows(GvcpException.class, this::fetch);
        assertTrue(e.getMessage().contains("/dev/zero"), e::getMessage);
    }

    @Test
    void rejectsBrokenArchives() throws IOException {
        byte[] archive = zip("cam.xml", XML);
        byte[] cut = Arrays.copyOf(archive, 50);
        assertThrows(GvcpException.class, () -> CameraXml.unpack(cut, "cam.zip", LIMIT));
        assertThrows(GvcpException.class, () -> CameraXml.unpack(new byte[] {'P', 'K', 3, 4, 0}, "cam.zip", LIMIT));
        assertThrows(GvcpException.class, () -> CameraXml.unpack(new byte[100], "cam.xml", LIMIT));
    }

    @Test
    void stopsUnpackingAtTheLimit() throws IOException {
        byte[] bomb = zip("cam.xml", new byte[(64 << 20) + 1]);
        assertTrue(bomb.length < 1 << 20);
        GvcpException e = assertThrows(GvcpException.class, () -> CameraXml.unpack(bomb, "cam.zip", LIMIT));
        assertTrue(e.getMessage().contains("larger than 16777216 bytes: raise the limit"), e::getMessage);
    }
}
