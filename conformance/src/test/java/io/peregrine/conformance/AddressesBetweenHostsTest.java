package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.samples.ForeignSubnet;
import io.peregrine.testing.Await;
import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a camera on one host comes to its name and address, as Peregrine and Aravis on another set and see it. */
@EnabledIfPeers({"arv-tool-0.8", "bash", "tshark"})
@Timeout(180)
class AddressesBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String HOME = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final int MARK_PORT = 10;
    private static final String ARAVIS_ID = "Peregrine-VirtualCamera-HOME1";

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Cable cable;
    private static Capture capture;
    private static String openedByAddress;
    private static String dhcp;
    private static String dhcpToAravis;
    private static String nameToAravis;
    private static String persistent;
    private static String persistentToAravis;
    private static String setByAravis;
    private static String afterReset;
    private static String afterForce;
    private static String linkLocal;
    private static String sample;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        CameraProcess.virtual(
                cable.camera(), HOME, "--interface", "cam0", "--serial", "HOME1", "--size", "64x48", "--rate", "50");
        capture = Capture.start(
                cable.host(),
                "host0",
                directory.resolve("addresses.pcapng"),
                "-f",
                Capture.CONTROL + " or udp port " + MARK_PORT);

        openedByAddress = peregrine("get", HOME, "DeviceSerialNumber");
        // Marks the place in the capture.
        cable.host().run(LIMIT, "bash", "-c", "echo mark > /dev/udp/" + HOME + "/" + MARK_PORT);

        dhcp = peregrine("ip", HOME, "--name", "left", "--methods", "DHCP", "--json");
        dhcpToAravis = aravis(HOME, "network");
        nameToAravis = aravis(HOME, "control", "DeviceUserID");

        persistent = peregrine(
                "ip", "left", "--persistent", "10.77.0.30/24,10.77.0.254", "--methods", "PERSISTENT", "--json");
        persistentToAravis = aravis(HOME, "network");
        aravis(HOME, "network", "ip=10.77.0.40", "mask=255.255.255.0", "gateway=10.77.0.253");
        setByAravis = peregrine("ip", "left", "--json");

        peregrine("set", HOME, "DeviceReset=1");
        afterReset = awaitAravis("(10.77.0.40)");
        peregrine("ip", "left", "--force", "10.77.0.50/24");
        afterForce = awaitAravis("(10.77.0.50)");

        aravis("10.77.0.50", "network", "mode=LLA");
        peregrine("set", "10.77.0.50", "DeviceReset=1");
        Await.until("camera at a link-local address", LIMIT, () -> {
            linkLocal = peregrine("list");
            return linkLocal.contains(" left ") && !linkLocal.contains("10.77.0.50");
        });
        sample = cable.host().runJava(LIMIT, ForeignSubnet.class, "5");
        capture.end(HOME);
    }

    @AfterAll
    static void removeNamespaces() {
        capture.close();
        cable.close();
    }

    private static String peregrine(String... arguments) {
        return cable.host().run(LIMIT, CameraProcess.command(arguments));
    }

    private static String aravis(String address, String... arguments) {
        String[] command = new String[arguments.length + 3];
        command[0] = "arv-tool-0.8";
        command[1] = "-a";
        command[2] = address;
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        return cable.host().run(LIMIT, command);
    }

    /** Lists all cameras until one stands where it must. */
    private static String awaitAravis(String address) {
        StringBuilder list = new StringBuilder();
        Await.until("camera at " + address, LIMIT, () -> {
            list.setLength(0);
            list.append(cable.host().run(LIMIT, "arv-tool-0.8"));
            return list.indexOf(address) >= 0;
        });
        return list.toString();
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void aCameraIsOpenedByItsAddressWithoutABroadcast() {
        assertEquals("HOME1", openedByAddress.strip());
        int mark = frame(
                capture.decode("udp.dstport == " + MARK_PORT, "frame.number").get(0));
        List<String> asked = capture.decode("gvcp.cmd.command == 0x0002", "ip.dst", "frame.number").stream()
                .filter(packet -> frame(packet) < mark)
                .map(packet -> packet.get("ip.dst"))
                .distinct()
                .toList();
        assertEquals(List.of(HOME), asked);
    }

    private static int frame(Map<String, String> packet) {
        return Integer.parseInt(packet.get("frame.number"));
    }

    @Test
    void dhcpIsSwitchedOnAndAravisSeesIt() throws JsonProcessingException {
        assertEquals("[\"DHCP\",\"LINK_LOCAL\"]", json(dhcp).get("enabled").toString(), dhcp);
        assertTrue(dhcpToAravis.lines().anyMatch("Mode: DHCP"::equals), dhcpToAravis);
    }

    @Test
    void theNameIsThatWhichAravisReads() {
        assertEquals("DeviceUserID = left", nameToAravis.strip());
    }

    @Test
    void aPersistentAddressIsKeptAndAravisSeesIt() throws JsonProcessingException {
        assertEquals(
                "10.77.0.30/24,10.77.0.254", json(persistent).get("persistent").asText(), persistent);
        assertAll(
                persistentToAravis::toString,
                () -> assertTrue(persistentToAravis.contains("Mode: PersistentIP")),
                () -> assertTrue(persistentToAravis.contains("Persistent IP: 10.77.0.30")),
                () -> assertTrue(persistentToAravis.contains("Persistent Gateway: 10.77.0.254")),
                () -> assertTrue(persistentToAravis.contains("Current IP: " + HOME)));
    }

    @Test
    void theAddressThatAravisSetsIsReadAndTakenByAReset() throws JsonProcessingException {
        assertEquals(
                "10.77.0.40/24,10.77.0.253", json(setByAravis).get("persistent").asText(), setByAravis);
        assertEquals(ARAVIS_ID + " (10.77.0.40)", afterReset.strip());
    }

    @Test
    void aForcedAddressIsWhereAravisFindsTheCamera() {
        assertEquals(ARAVIS_ID + " (10.77.0.50)", afterForce.strip());
    }

    @Test
    void aCameraWithoutAPersistentAddressStartsWithALinkLocalOneAndIsReachedByTheSample() {
        assertTrue(linkLocal.contains("169.254.") && linkLocal.contains("(foreign subnet)"), linkLocal);
        assertTrue(sample.contains("found HOME1 at 169.254.") && sample.contains(", on a foreign subnet"), sample);
        assertTrue(sample.contains("reachable at 10.77.0."), sample);
        assertEquals(5, sample.lines().filter(line -> line.startsWith("frame ")).count(), sample);
        assertFalse(sample.contains("INCOMPLETE"), sample);
    }

    @Test
    void everyPacketDecodes() {
        assertTrue(capture.decode("gvcp", "frame.number").size() > 100);
        assertFalse(capture.decode("gvcp.cmd.command == 0x0004", "frame.number").isEmpty(), "no address was forced");
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
