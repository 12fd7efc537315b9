package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that need no camera, and the exit codes of wrong command lines. */
@Timeout(60)
class OfflineCommandsTest {
    private static final String XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <RegisterDescription xmlns="http://www.genicam.org/GenApi/Version_1_1" ModelName="Small" VendorName="Test"
                ToolTip="none" StandardNameSpace="None" SchemaMajorVersion="1" SchemaMinorVersion="1"
                SchemaSubMinorVersion="0" MajorVersion="1" MinorVersion="0" SubMinorVersion="0"
                ProductGuid="00000000-0000-0000-0000-000000000001" VersionGuid="00000000-0000-0000-0000-000000000002">
              <Category Name="Root"><pFeature>Level</pFeature></Category>
              <IntReg Name="Level"><Address>0x10</Address><Length>4</Length><AccessMode>RW</AccessMode>
                <pPort>Device</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
              <Port Name="Device"/>
            </RegisterDescription>
            """;

    @TempDir
    private Path directory;

    @Test
    void xmlChecksFilesOnZeroRegisters() throws IOException {
        Path file = Files.writeString(directory.resolve("small.xml"), XML);
        Cli result = Cli.run("xml", "--file", file.toString(), "--check", "--json");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertEquals("0", level(result));
    }

    @Test
    void xmlChecksZippedFilesOnRandomRegistersThatDependOnTheSeedOnly() throws IOException {
        Path file = directory.resolve("small.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("small.xml"));
            zip.write(XML.getBytes(StandardCharsets.UTF_8));
        }
        String[] one = {"xml", "--file", file.toString(), "--check", "--json", "--port", "random:1"};
        String[] two = one.clone();
        two[two.length - 1] = "random:2";
        assertEquals(level(Cli.run(one)), level(Cli.run(one)));
        assertTrue(!level(Cli.run(one)).equals(level(Cli.run(two))));
    }

    private static String level(Cli result) {
        return result.json().get(0).get("values").get("Level").get("value").asText();
    }

    @Test
    void xmlFailsOnAFileThatIsNoDescriptionAndStillChecksTheNext() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.xml"), "<nothing");
        Path good = Files.writeString(directory.resolve("good.xml"), XML);
        Cli result = Cli.run("xml", "--file", bad.toString(), good.toString(), "--check");
        assertEquals(1, result.exitCode());
        assertTrue(result.out().contains("cannot be loaded"), result.out());
        assertTrue(result.out().contains("Level"), result.out());
    }

    @Test
    void aMissingFileFails() {
        assertEquals(1, Cli.run("xml", "--file", "no-such-file", "--check").exitCode());
        assertEquals(1, Cli.run("gendc", "no-such-file").exitCode());
    }

    @Test
    void wrongCommandLinesAreUsageErrors() {
        assertEquals(2, Cli.run().exitCode());
        assertEquals(2, Cli.run("nonsense").exitCode());
        assertEquals(2, Cli.run("get", "127.40.0.1").exitCode());
        assertEquals(2, Cli.run("xml").exitCode());
        assertEquals(2, Cli.run("xml", "--file", "x", "--port", "seven").exitCode());
        assertEquals(2, Cli.run("stream", "127.40.0.1", "--frames", "-1").exitCode());
    }

    @Test
    void helpTellsTheExitCodes() {
        Cli result = Cli.run("--help");
        assertEquals(0, result.exitCode());
        assertTrue(result.out().contains("no such camera answered"), result.out());
    }

    @Test
    void completionIsAScriptThatKnowsTheCommands() {
        Cli result = Cli.run("completion");
        assertEquals(0, result.exitCode());
        assertTrue(result.out().contains("complete "), result.out());
        assertTrue(result.out().contains("gendc"), result.out());
    }

    @Test
    void cameraSaysReadyAndServesUntilItIsEnded() throws IOException, InterruptedException {
        try (PipedReader pipe = new PipedReader();
                PipedWriter end = new PipedWriter(pipe);
                BufferedReader lines = new BufferedReader(pipe)) {
            CommandLine command = PeregrineMain.commandLine(false);
            command.setOut(new PrintWriter(end));
            Thread thread = new Thread(
                    () -> command.execute("camera", "--bind", "127.40.1.1", "--port", "0", "--serial", "CLI-2"));
            thread.start();
            String line = lines.readLine();
            assertTrue(line.matches("ready 127\\.40\\.1\\.1:\\d+"), line);
            Cli found = Cli.run("list", "--address", line.substring("ready ".length()), "--json");
            assertEquals("CLI-2", found.json().get(0).get("DeviceSerialNumber").asText());
            thread.interrupt();
            thread.join();
        }
    }

    @Test
    void theRampOfTheFakeCameraIsCheckedByteByByte() {
        byte[] ramp = new byte[300 * 3];
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 300; x++) {
                ramp[y * 300 + x] = (byte) ((x + y + 9) % 255);
            }
        }
        assertEquals(0, Verification.badRampBytes(300, 3, ByteBuffer.wrap(ramp)));
        ramp[500]++;
        assertEquals(1, Verification.badRampBytes(300, 3, ByteBuffer.wrap(ramp)));
        assertEquals(301, Verification.badRampBytes(300, 4, ByteBuffer.wrap(ramp)));
    }
}
