package io.peregrine.pvaccess;

import io.peregrine.testing.FreePort;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.epics.pva.PVASettings;
import org.epics.pva.client.PVAClient;

/** Clients of the library, which search at one address alone, by UDP. */
final class SharedClients {
    private final Map<InetSocketAddress, PVAClient> clients = new ConcurrentHashMap<>();
    private final int searchPort = FreePort.next();

    /** The same for all publishers of this process, so that clients outlive them. */
    int searchPort() {
        return searchPort;
    }

    PVAClient get(InetSocketAddress searches) {
        return clients.computeIfAbsent(searches, SharedClients::start);
    }

    private static PVAClient start(InetSocketAddress searches) {
        synchronized (SharedClients.class) {
            PVASettings.EPICS_PVA_AUTO_ADDR_LIST = false;
            PVASettings.EPICS_PVA_ENABLE_IPV6 = false;
            PVASettings.EPICS_PVA_ADDR_LIST = searches.getAddress().getHostAddress() + ":" + searches.getPort();
            PVASettings.EPICS_PVA_NAME_SERVERS = "";
            try {
                return new PVAClient();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
