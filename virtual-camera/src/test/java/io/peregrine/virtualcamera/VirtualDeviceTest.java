package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A device of one's own on the wire. Registers lie from 0xA000 on in the order of the features. */
@ExpectedWarning("The code of the feature Stubborn failed")
@Timeout(30)
class VirtualDeviceTest {
    private static final int COUNT = 0xA000;
    private static final int LEVEL = 0xA008;
    private static final int MODE = 0xA018;
    private static final int NAME = 0xA01C;
    private static final int RUN = 0xA024;
    private static final int LIVE = 0xA028;
    private static final int STUBBORN = 0xA02C;
    private static final int END = 0xA03C;

    private final List<String> calls = new ArrayList<>();
    private boolean live;
    private VirtualDevice device;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        device = builder()
                .category(
                        "Control",
                        DeviceFeature.integer("Count")
                                .range(-10, 90)
                                .increment(5)
                                .set(v -> calls.add("Count " + v)),
                        DeviceFeature.floating("Level")
                                .range(0.5, 2)
                                .unit("<&>")
                                .selectedBy("Mode")
                                .set((index, v) -> calls.add("Level " + index + " " + v)),
                        DeviceFeature.enumeration("Mode", "First", "Second"),
                        DeviceFeature.string("Name", 5).initial("abc"),
                        DeviceFeature.command("Run", () -> calls.add("Run")))
                .category(
                        "State",
                        DeviceFeature.bool("Live").get(() -> live),
                        DeviceFeature.integer("Stubborn").initial(7).set(VirtualDeviceTest::refuse),
                        DeviceFeature.integer("Last").range(0, 3).readOnly().initial(3))
                .start();
        client = new Client(device.address());
    }

    private static VirtualDevice.Builder builder() {
        return VirtualDevice.builder("Own Maker", "Own <1>")
                .bindAddress("127.32.1.1")
                .port(0)
                .serial("OWN-1");
    }

    private static void refuse(long value) {
        switch ((int) value) {
            case 1 -> throw new IllegalArgumentException("never");
            case 2 -> throw new IllegalStateException("not now");
            default -> throw new UnsupportedOperationException("broken");
        }
    }

    @AfterEach
    void stop() {
        client.close();
        device.close();
    }

    private int writeLong(int address, long value) throws IOException {
        return client.command(
                                0x0086,
                                ByteBuffer.allocate(12)
                                        .putInt(address)
                                        .putLong(value)
                                        .array())
                        .getShort(0)
                & 0xFFFF;
    }

    private long readLong(int address) throws IOException {
        return ByteBuffer.wrap(client.readMemory(address, 8)).getLong();
    }

    @Test
    void aPeripheralWithoutStreamsAnswersDiscovery() throws IOException {
        ByteBuffer answer = client.command(0x0002, new byte[0]);
        assertEquals(0xB0000001, answer.getInt(8 + 0x04)); // big-endian, class 3, UTF-8
        assertEquals("Own Maker", new String(client.readMemory(0x0048, 32), StandardCharsets.UTF_8).trim());
        assertEquals("OWN-1", new String(client.readMemory(0x00D8, 16), StandardCharsets.UTF_8).trim());
        assertEquals(0, client.read(0x0904));
        assertEquals(0, client.read(0x0900));
    }

    @Test
    void whatIsWrittenIsCheckedAndHandedToTheProgram() throws IOException {
        client.write(0x0A00, 2);
        assertEquals(0, writeLong(COUNT, -5));
        assertEquals(0x8002, writeLong(COUNT, 91));
        assertEquals(0x8002, writeLong(COUNT, -4));
        assertEquals(0x8002, writeLong(COUNT, Long.MIN_VALUE));
        assertEquals(List.of("Count -5"), calls);
        assertEquals(-5, readLong(COUNT));
    }

    @Test
    void eachInstanceOfASelectedFeatureHasARegister() throws IOException {
        client.write(0x0A00, 2);
        assertEquals(0, client.writeDouble(LEVEL, 1.5));
        assertEquals(0, client.writeDouble(LEVEL + 8, 2));
        assertEquals(0x8002, client.writeDouble(LEVEL + 8, Double.NaN));
        assertEquals(List.of("Level 0 1.5", "Level 1 2.0"), calls);
        assertEquals(1.5, ByteBuffer.wrap(client.readMemory(LEVEL, 8)).getDouble());
        assertEquals(2.0, ByteBuffer.wrap(client.readMemory(LEVEL + 8, 8)).getDouble());
    }

    @Test
    void aCommandRunsAndReadsAsDone() throws IOException {
        client.write(0x0A00, 2);
        client.write(RUN, 1);
        client.write(RUN, 0);
        assertEquals(List.of("Run"), calls);
        assertEquals(0, client.read(RUN));
    }

    @Test
    void aLiveValueIsAskedForAtEachReadAndCannotBeSet() throws IOException {
        client.write(0x0A00, 2);
        assertEquals(0, client.read(LIVE));
        live = true;
        assertEquals(1, client.read(LIVE));
        assertEquals(0x8004, client.writeStatus(LIVE, 0));
    }

    @Test
    void aRefusalBecomesAStatusAndTheValueStays() throws IOException {
        client.write(0x0A00, 2);
        assertEquals(0x8002, writeLong(STUBBORN, 1));
        assertEquals(0x8007, writeLong(STUBBORN, 2));
        assertEquals(0x8FFF, writeLong(STUBBORN, 3));
        assertEquals(7, readLong(STUBBORN));
    }

    @Test
    void aTextIsNoLongerThanDeclared() throws IOException {
        client.write(0x0A00, 2);
        assertArrayEquals(new byte[] {'a', 'b', 'c', 0, 0, 0, 0, 0}, client.readMemory(NAME, 8));
        assertEquals(0, writeLong(NAME, 0x68656c6c6f000000L));
        assertEquals(0x8002, writeLong(NAME, 0x68656c6c6f210000L));
        assertEquals(0x68656c6c6f000000L, readLong(NAME));
    }

    @Test
    void nothingLiesBehindTheLastRegister() throws IOException {
        assertEquals(3, readLong(END - 8));
        assertEquals(0x8003, client.readStatus(END));
    }

    @Test
    void onlyTheControllerWrites() throws IOException {
        client.write(0x0A00, 2);
        try (Client other = new Client(device.address())) {
            assertEquals(0x8006, other.writeStatus(MODE, 1));
            assertEquals(0x8006, other.writeStatus(0x0A00, 2));
            assertEquals(0, other.read(MODE));
        }
        assertTrue(device.controller().isPresent());
    }

    @Test
    void keptValuesOutliveANewAddress() throws IOException {
        client.write(0x0A00, 2);
        client.write(MODE, 1);
        client.write(0x0A00, 0);
        assertEquals(
                "0000000500000007",
                client.exchangeHex("42 01 0004 0038 0007 0000 0200 7f200101" + "00".repeat(12) + "7f200109"
                        + "00".repeat(12) + "ff000000" + "00".repeat(12) + "00000000"));
        device.awaitMove();
        assertEquals("127.32.1.9", device.address().getAddress().getHostAddress());
        try (Client there = new Client(device.address())) {
            assertEquals(1, there.read(MODE));
            assertEquals(0x7f200109, there.read(0x0024));
        }
    }

    @Test
    void theDescriptionLiesZippedWhereTheFirstUrlSays() throws IOException {
        String url = new String(client.readMemory(0x0200, 512), StandardCharsets.US_ASCII).trim();
        String[] parts = url.split(";", -1);
        assertEquals("Local:device.zip", parts[0]);
        byte[] zipped = client.readMemory(Integer.parseInt(parts[1], 16), Integer.parseInt(parts[2], 16));
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(zipped))) {
            assertEquals("device.xml", zip.getNextEntry().getName());
            assertEquals(device.description(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void everyReferenceOfTheDescriptionHasANode() throws Exception {
        Document xml = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(device.description().getBytes(StandardCharsets.UTF_8)));
        Set<String> names = new HashSet<>();
        Set<String> references = new TreeSet<>();
        NodeList elements = xml.getDocumentElement().getElementsByTagName("*");
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.getParentNode() == xml.getDocumentElement()) {
                assertTrue(names.add(element.getAttribute("Name")), "twice: " + element.getAttribute("Name"));
            }
            if (element.getTagName().matches("p[A-Z].*")) {
                references.add(element.getTextContent());
            }
        }
        Set<String> missing = new TreeSet<>(references);
        missing.removeAll(names);
        assertEquals(Set.of(), missing);
        names.removeAll(references);
        assertEquals(Set.of("Root"), names, "nodes that nothing refers to");
    }

    private static String refusal(DeviceFeature<?>... features) {
        return assertThrows(
                        VirtualCameraException.class,
                        () -> builder().category("Control", features).start().close())
                .getMessage();
    }

    @Test
    void featuresThatDoNotFitAreRefusedAtTheStart() {
        assertTrue(refusal(DeviceFeature.bool("Twice"), DeviceFeature.bool("Twice"))
                .contains("Twice"));
        assertTrue(refusal(DeviceFeature.bool("Device")).contains("Device"));
        assertTrue(refusal(DeviceFeature.bool("On").selectedBy("Nothing")).contains("Nothing"));
        assertTrue(refusal(DeviceFeature.integer("Far").range(1, 9).increment(2).initial(4))
                .contains("Far"));
        assertThrows(VirtualCameraException.class, () -> DeviceFeature.bool("no good"));
        DeviceFeature<?>[] many = new DeviceFeature<?>[49];
        for (int i = 0; i < many.length; i++) {
            many[i] = DeviceFeature.string("Text" + i, 508);
        }
        assertTrue(refusal(many).contains("Text48"));
    }
}
