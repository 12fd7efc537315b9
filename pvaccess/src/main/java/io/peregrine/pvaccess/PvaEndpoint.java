package io.peregrine.pvaccess;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.server.PVAServer;
import org.epics.pva.server.ServerPV;
import org.jspecify.annotations.Nullable;

/** Process variables for clients that connect to one address; a limited number of them, with limited memory. */
final class PvaEndpoint implements AutoCloseable {
    /** Beside a frame: other messages, and what comes with it. */
    private static final int MESSAGE_BYTES = 128 << 10;

    /** So that clients which come before the first frame keep their connection where frames are small. */
    private static final int FIRST_BYTES = 1 << 20;

    private static final int BACKLOG = 16;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PvaSettings settings;
    private final PVAServer server;
    private final ServerSocket listener;
    private final SearchResponder searches;
    private final Map<String, ServerPV> variables = new ConcurrentHashMap<>();

    // Guarded by the clients.
    private final Set<ClientSocket> clients = new HashSet<>();
    private int sendBytes;
    private long refused;

    /**
     * Listens.
     *
     * @throws PvaException if the address cannot be used
     */
    PvaEndpoint(PvaSettings settings) {
        this.settings = settings;
        sendBytes = (int) Math.min(FIRST_BYTES, settings.memoryBytes());
        server = CorePva.server(this::search);
        boolean started = false;
        ServerSocket tcp = null;
        try {
            tcp = new Listener();
            tcp.bind(new InetSocketAddress(settings.address(), settings.port()), BACKLOG);
            listener = tcp;
            searches = new SearchResponder(
                    new InetSocketAddress(settings.address(), settings.searchPort()),
                    (InetSocketAddress) tcp.getLocalSocketAddress(),
                    variables::containsKey);
            started = true;
        } catch (IOException e) {
            throw new PvaException(
                    "pvAccess cannot listen on " + settings.address().getHostAddress() + ", TCP port "
                            + settings.port() + " and UDP port " + settings.searchPort() + ": " + e.getMessage()
                            + ". Check that the address is one of this host, and choose other ports if they are taken",
                    e);
        } finally {
            if (!started) {
                closeQuietly(tcp);
                server.close();
            }
        }
        Thread thread = new Thread(this::accept, "peregrine-pvaccess-accept");
        thread.setDaemon(true);
        thread.start();
    }

    /** Accepts clients whose requests are checked. */
    private final class Listener extends ServerSocket {
        Listener() throws IOException {
            super();
            setReuseAddress(true);
        }

        @Override
        public Socket accept() throws IOException {
            ClientSocket client = new ClientSocket(PvaEndpoint.this::ended);
            implAccept(client);
            return client;
        }
    }

    /** The library would name no port, with which clients that search through TCP cannot connect. */
    private boolean search(
            int sequence, int id, String name, InetSocketAddress client, Consumer<InetSocketAddress> answer) {
        boolean known = id >= 0 && variables.containsKey(name);
        if (known) {
            answer.accept(address());
        }
        return known;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    InetSocketAddress searchAddress() {
        return searches.address();
    }

    /** Offers a process variable, whose value is updated by the returned one. */
    ServerPV offer(String name, PVAStructure value) {
        ServerPV variable = server.createPV(name, value);
        variables.put(name, variable);
        return variable;
    }

    List<String> names() {
        return variables.keySet().stream().sorted().toList();
    }

    int clients() {
        synchronized (clients) {
            return clients.size();
        }
    }

    long refused() {
        synchronized (clients) {
            return refused;
        }
    }

    /**
     * Makes room for frames. Where connections have less, they are closed; clients connect again.
     *
     * @return false if one client would need more memory than all may have
     */
    boolean makeRoom(long frameBytes) {
        long needed = frameBytes + MESSAGE_BYTES;
        List<ClientSocket> small;
        synchronized (clients) {
            if (needed <= sendBytes) {
                return true;
            }
            if (needed > Math.min(settings.memoryBytes(), Integer.MAX_VALUE / 2)) {
                return false;
            }
            sendBytes = (int) needed;
            small = List.copyOf(clients);
        }
        small.forEach(PvaEndpoint::closeQuietly);
        return true;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                // Closed by the server when the client leaves.
                ClientSocket client = (ClientSocket) listener.accept();
                if (!admit(client)) {
                    closeQuietly(client);
                }
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                // Closed, or this one client is gone: the next one decides. Without a pause, a program that has as
                // many files open as it may would do nothing else.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private boolean admit(ClientSocket client) throws IOException {
        synchronized (clients) {
            long memory = (clients.size() + 1L) * sendBytes;
            if (clients.size() >= settings.maxClients() || memory > settings.memoryBytes()) {
                refused++;
                return false;
            }
            client.setTcpNoDelay(true);
            clients.add(client);
            boolean served = false;
            try {
                client.answers(CorePva.serve(server, client, sendBytes));
                served = true;
            } finally {
                if (!served) {
                    closeQuietly(client);
                }
            }
            return true;
        }
    }

    private void ended(ClientSocket client) {
        synchronized (clients) {
            clients.remove(client);
        }
    }

    private static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            // It is of no use any longer.
        }
    }

    /** Ends all connections. Idempotent. */
    @Override
    public void close() {
        closeQuietly(listener);
        searches.close();
        List<ClientSocket> left;
        synchronized (clients) {
            left = List.copyOf(clients);
        }
        // Before the server, which would wait until they have read what was sent to them.
        left.forEach(PvaEndpoint::closeQuietly);
        server.close();
    }
}
