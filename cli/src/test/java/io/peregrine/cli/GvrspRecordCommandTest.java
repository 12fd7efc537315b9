package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gvrsp-record} with captures; at interfaces it is tested in network namespaces. */
@Timeout(60)
class GvrspRecordCommandTest {
    /** A pcap of IP packets with one WRITEREG of 0x0A00 = 2, laid out by hand. */
    private static final String CAPTURE = "a1b2c3d4 0002 0004 00000000 00000000 00040000 00000065"
            + "00000001 00000000 0000002c 0000002c"
            + "4500002c 00000000 40110000 0a4d0002 0a4d0001 c3500f74 00180000"
            + "42010082 00080001 00000a00 00000002";

    private static final String EMPTY = CAPTURE.substring(0, CAPTURE.indexOf("00000001 00000000"));
    private static final String XML = """
            <RegisterDescription ModelName="M" VendorName="V" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>Ccp</pFeature></Category>
            <IntReg Name="Ccp"><Address>0x0A00</Address><Length>4</Length><AccessMode>RW</AccessMode>
            <pPort>Device</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <Port Name="Device"/></RegisterDescription>
            """;

    @TempDir
    private Path directory;

    private Path target() {
        return directory.resolve("recording.jsonl");
    }

    private Path capture(String digits) throws IOException {
        return Files.write(directory.resolve("capture.pcap"), HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    private Cli run(Path capture, String... more) {
        List<String> all =
                new java.util.ArrayList<>(List.of("gvrsp-record", target().toString(), "--file", capture.toString()));
        all.addAll(List.of(more));
        return Cli.run(all.toArray(String[]::new));
    }

    @Test
    void aCaptureBecomesLines() throws IOException {
        Cli result = run(capture(CAPTURE), "--json");

        assertEquals(0, result.exitCode(), result.err());
        assertEquals(1, result.json().get("gvcpPackets").asInt());
        List<String> lines = Files.readAllLines(target());
        assertTrue(lines.get(0).contains("\"recording\":\"gvrsp-record\",\"format\":1"), lines::toString);
        assertTrue(lines.get(1).contains("\"gvcp\":\"WRITEREG_CMD\""), lines::toString);
        assertTrue(lines.get(1).contains("\"value\":\"0x00000002\""), lines::toString);
    }

    @Test
    void xmlNamesRegisters() throws IOException {
        Path xml = Files.writeString(directory.resolve("camera.xml"), XML);

        assertEquals(0, run(capture(CAPTURE), "--xml", xml.toString()).exitCode());

        assertTrue(Files.readString(target()).contains("\"feature\":\"Ccp\""));
    }

    @Test
    void whatIsNotSeenIsSaid() throws IOException {
        Cli result = run(capture(CAPTURE));

        assertTrue(result.err().contains("no RoCEv2 packet was seen"), result.err());
        assertTrue(result.err().contains("mirror port"), result.err());
        assertFalse(result.err().contains("no GVCP packet"), result.err());
    }

    @Test
    void nothingAtAllIsAFailure() throws IOException {
        assertEquals(1, run(capture(EMPTY)).exitCode());
    }

    @Test
    void aFileThatExistsIsNotOverwritten() throws IOException {
        Files.writeString(target(), "mine");

        Cli result = run(capture(CAPTURE));

        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("exists already"), result.err());
        assertEquals("mine", Files.readString(target()));
    }

    @Test
    void aFailureLeavesNoFile() throws IOException {
        Cli result = run(capture("01020304"));

        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("pcap or pcapng"), result.err());
        assertFalse(Files.exists(target()));
    }

    @Test
    void aCaptureThatIsMissingIsNamed() {
        Cli result = run(directory.resolve("none.pcap"));

        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("none.pcap"), result.err());
    }

    @Test
    void anInterfaceThatIsMissingIsNamed() {
        Cli result = Cli.run("gvrsp-record", target().toString(), "--interface", "nowhere0");

        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("no interface nowhere0"), result.err());
        assertFalse(Files.exists(target()));
    }

    @Test
    void oneSourceIsNeeded() throws IOException {
        assertEquals(2, Cli.run("gvrsp-record", target().toString()).exitCode());
        assertEquals(2, run(capture(CAPTURE), "--interface", "lo").exitCode());
    }
}
