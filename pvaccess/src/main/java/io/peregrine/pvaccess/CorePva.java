package io.peregrine.pvaccess;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.Socket;
import java.util.Queue;
import java.util.logging.Level;
import org.epics.pva.PVASettings;
import org.epics.pva.common.TCPHandler;
import org.epics.pva.server.PVAServer;
import org.epics.pva.server.SearchHandler;

/**
 * The server of core-pva behind our own sockets. The library's listens on each interface of the host, whatever its
 * settings say, and takes any number of clients; its searches come from any interface, too. So its listeners are closed
 * as soon as they are there, and clients handed to it one by one. The library has no way to do so but by its
 * package-private classes: another version may need other names here, which {@code CorePvaTest} says.
 */
final class CorePva {
    private static final String HANDLER = "org.epics.pva.server.ServerTCPHandler";

    private CorePva() {}

    /**
     * A server that no one can reach yet.
     *
     * @param handler answers searches that clients send through their connection
     * @throws PvaException if the library has changed
     */
    static PVAServer server(SearchHandler handler) {
        synchronized (CorePva.class) {
            if (PVASettings.logger.getLevel() == null) {
                // It warns of each frame that a slow client skips, and of all that a hostile one sends.
                PVASettings.logger.setLevel(Level.SEVERE);
            }
            String searches = PVASettings.EPICS_PVAS_INTF_ADDR_LIST;
            String keys = PVASettings.EPICS_PVAS_TLS_KEYCHAIN;
            int port = PVASettings.EPICS_PVA_SERVER_PORT;
            PVASettings.EPICS_PVAS_INTF_ADDR_LIST = "";
            PVASettings.EPICS_PVAS_TLS_KEYCHAIN = "";
            PVASettings.EPICS_PVA_SERVER_PORT = 0;
            try {
                PVAServer server = new PVAServer(handler);
                closeListener(server);
                if (!server.getClientInfos().isEmpty()) {
                    server.close();
                    throw new PvaException("A stranger has connected before pvAccess was set up: start again");
                }
                return server;
            } catch (PvaException e) {
                throw e;
            } catch (Exception e) {
                throw changed(e);
            } finally {
                PVASettings.EPICS_PVAS_INTF_ADDR_LIST = searches;
                PVASettings.EPICS_PVAS_TLS_KEYCHAIN = keys;
                PVASettings.EPICS_PVA_SERVER_PORT = port;
            }
        }
    }

    private static void closeListener(PVAServer server) throws ReflectiveOperationException {
        Field tcp = PVAServer.class.getDeclaredField("tcp");
        tcp.setAccessible(true);
        Object listener = tcp.get(server);
        Method close = listener.getClass().getDeclaredMethod("close");
        close.setAccessible(true);
        close.invoke(listener);
    }

    /**
     * Hands a client to the server.
     *
     * @param sendBytes memory for one message to the client
     * @return what waits to be sent to it
     * @throws IOException if the connection has ended
     * @throws PvaException if the library has changed
     */
    static Queue<?> serve(PVAServer server, Socket client, int sendBytes) throws IOException {
        synchronized (CorePva.class) {
            int before = PVASettings.EPICS_PVA_SEND_BUFFER_SIZE;
            PVASettings.EPICS_PVA_SEND_BUFFER_SIZE = sendBytes;
            try {
                Constructor<?> constructor = Class.forName(HANDLER).getDeclaredConstructors()[0];
                constructor.setAccessible(true);
                Object handler = constructor.newInstance(server, client, null);
                Field queue = TCPHandler.class.getDeclaredField("send_items");
                queue.setAccessible(true);
                return (Queue<?>) queue.get(handler);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw new IOException(e.getCause());
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw changed(e);
            } finally {
                PVASettings.EPICS_PVA_SEND_BUFFER_SIZE = before;
            }
        }
    }

    private static PvaException changed(Exception cause) {
        return new PvaException(
                "The library core-pva cannot be used: " + cause + ". Check that its version is that of peregrine-bom",
                cause);
    }
}
