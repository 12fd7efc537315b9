package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two cameras on two hosts, each with two stream channels, taken together on a third. Aravis knows one channel. */
@EnabledIfPeers({"bash", "tshark"})
@Timeout(120)
class StreamsBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int RECEIVER = 3;

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Switch network;
    private static Capture capture;
    private static String output;

    @BeforeAll
    static void takeTheStreams() {
        network = NetworkNamespace.Switch.connecting(3);
        camera(1, "LEFT");
        camera(2, "RIGHT");
        capture = Capture.start(
                network.host(RECEIVER), "net0", directory.resolve("streams.pcapng"), "-f", Capture.CONTROL);
        output = network.host(RECEIVER).runJava(LIMIT, StreamGroupMain.class, "LEFT", "RIGHT");
        capture.end(NetworkNamespace.Switch.address(1));
    }

    private static void camera(int host, String serial) {
        Path scenario = CameraProcess.scenario(
                directory,
                "{\"serial\": \"" + serial
                        + "\", \"streamChannels\": 2, \"width\": 64, \"height\": 48, \"frameRate\": 20}");
        CameraProcess.virtual(
                network.host(host), NetworkNamespace.Switch.address(host), "--scenario", scenario.toString());
    }

    @AfterAll
    static void removeNamespaces() {
        capture.close();
        network.close();
    }

    private static String line(String start) {
        return output.lines().filter(line -> line.startsWith(start)).findFirst().orElse(output);
    }

    @Test
    void allChannelsOfBothAreMatchedByBlockId() {
        assertEquals("id [LEFT0, LEFT1, RIGHT0, RIGHT1] complete 20, disagreeing 0, bad bytes 0", line("id ["));
    }

    @Test
    void clocksOfOneMasterMatchThemByTime() {
        assertEquals(2, output.lines().filter("clock SLAVE"::equals).count(), output);
        assertEquals("time [LEFT0, LEFT1, RIGHT0, RIGHT1] complete 20, disagreeing 0, bad bytes 0", line("time ["));
    }

    @Test
    void aPartnerThatDoesNotComeIsNamed() {
        assertEquals("time alone true", line("time alone"));
    }

    @Test
    void everyPacketDecodes() {
        assertTrue(capture.decode("gvcp", "frame.number").size() > 100);
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
