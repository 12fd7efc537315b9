package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import org.epics.pva.PVASettings;
import org.epics.pva.server.PVAServer;
import org.epics.pva.server.SearchHandler;
import org.junit.jupiter.api.Test;

/** What is reached in the library by reflection is there, in this version. */
class CorePvaTest {
    private static final SearchHandler NO_SEARCHES = (sequence, id, name, client, answer) -> false;

    @Test
    void aServerListensNowhere() throws Exception {
        List<String> before = ListeningSockets.ofThisProcess();

        try (PVAServer server = CorePva.server(NO_SEARCHES)) {
            assertEquals(before, ListeningSockets.ofThisProcess());
            assertTrue(server.getClientInfos().isEmpty());
        }
    }

    @Test
    void settingsOfTheLibraryStayAsTheyWere() throws Exception {
        String before = PVASettings.EPICS_PVAS_INTF_ADDR_LIST + PVASettings.EPICS_PVA_SERVER_PORT;

        CorePva.server(NO_SEARCHES).close();

        assertFalse(before.isEmpty());
        assertEquals(before, PVASettings.EPICS_PVAS_INTF_ADDR_LIST + PVASettings.EPICS_PVA_SERVER_PORT);
    }

    @Test
    void aClientThatIsHandedOverIsServed() throws Exception {
        try (PVAServer server = CorePva.server(NO_SEARCHES);
                ServerSocket listener = new ServerSocket()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket accepted = listener.accept()) {
                Queue<?> waiting = CorePva.serve(server, accepted, 1 << 20);
                client.setSoTimeout((int) PvaRig.PATIENCE.toMillis());
                InputStream in = client.getInputStream();

                // The server sets the byte order, then asks for validation.
                assertEquals(
                        "ca0341", HexFormat.of().formatHex(in.readNBytes(3)).replace("c1", "41"));
                in.readNBytes(5);
                assertEquals(1, in.readNBytes(8)[3]);
                assertTrue(waiting.isEmpty());
            }
        }
    }
}
