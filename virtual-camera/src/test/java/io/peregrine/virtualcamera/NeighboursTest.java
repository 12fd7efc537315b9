package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Over the tables of a Linux host, as its kernel wrote them; both are in the order of x86 and ARM. */
class NeighboursTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void tables() throws IOException {
        Files.writeString(folder.resolve("route"), """
                Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
                cam0	00000000	FE004D0A	0003	0	0	0	00000000	0	0	0
                cam0	00004D0A	00000000	0001	0	0	0	00FFFFFF	0	0	0
                *	0000620A	00000000	0201	0	0	0	0000FFFF	0	0	0
                cam0	0000630A	FE004D0A	0003	0	0	50	0000FFFF	0	0	0
                eth1	00004E0A	00000000	0001	0	0	0	00FFFFFF	0	0	0
                eth1	0000630A	00000000	0001	0	0	90	0000FFFF	0	0	0
                """);
        Files.writeString(folder.resolve("arp"), """
                IP address       HW type     Flags       HW address            Mask     Device
                10.77.0.33       0x1         0x0         00:00:00:00:00:00     *        cam0
                10.77.0.2        0x1         0x2         02:00:0a:4d:00:02     *        cam0
                10.77.0.254      0x1         0x2         f2:00:0a:4d:00:fe     *        cam0
                10.77.0.9        0x1         0x2         02:00:0a:4d:00:09     *        eth1
                """);
    }

    private String find(String destination) throws IOException {
        Neighbours.Answer answer = new Neighbours(folder, "cam0").find(InetAddress.getByName(destination));
        return answer.mac().map(HexFormat.ofDelimiter(":")::formatHex).orElse(answer.problem());
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.2, 02:00:0a:4d:00:02",
        "8.8.8.8, f2:00:0a:4d:00:fe",
        "10.99.3.4, f2:00:0a:4d:00:fe",
        "10.77.0.33, the MAC address of 10.77.0.33 is not known yet",
        "10.77.0.9, the MAC address of 10.77.0.9 is not known yet",
        "10.98.1.1, there is no route to 10.98.1.1",
        "'10.78.0.1', 'the route to 10.78.0.1 leads over eth1, not cam0'"
    })
    void packetsGoToTheNextHopOfTheBestRoute(String destination, String expected) throws IOException {
        assertEquals(expected, find(destination));
    }

    /** RFC 1112, 6.4: 224.0.0.1 and others have the lowest 23 bits. */
    @ParameterizedTest
    @CsvSource({"224.0.0.1, 01:00:5e:00:00:01", "239.192.78.1, 01:00:5e:40:4e:01", "239.255.1.2, 01:00:5e:7f:01:02"})
    void groupsHaveTheirOwnAddresses(String group, String expected) throws IOException {
        assertEquals(expected, find(group));
    }

    @Test
    void tablesThatAreMissingAreTheReason() throws IOException {
        Files.delete(folder.resolve("arp"));
        assertEquals("the neighbours of this host are unknown: " + folder.resolve("arp"), find("10.77.0.2"));
    }
}
