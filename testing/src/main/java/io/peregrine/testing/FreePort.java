package io.peregrine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ports for tests that name one before they use it. The system gives none of them to a socket that asks for any port,
 * so that no other socket of the run takes it meanwhile.
 */
public final class FreePort {
    private static final Path SYSTEM_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int USUAL_SYSTEM_BEGIN = 32_768;
    private static final int BEGIN = 10_000;
    private static final int MIN_COUNT = 1000;
    /** Processes that start one after another begin that far from each other. */
    private static final int STEP = 97;

    private static final int END = end();
    private static final long OFFSET = ProcessHandle.current().pid() * STEP;
    private static int given;

    private FreePort() {}

    private static int end() {
        int system = systemBegin();
        return system - BEGIN >= MIN_COUNT ? system : USUAL_SYSTEM_BEGIN;
    }

    private static int systemBegin() {
        try {
            return Files.exists(SYSTEM_RANGE)
                    ? Integer.parseInt(Files.readString(SYSTEM_RANGE).strip().split("\\s+", -1)[0])
                    : USUAL_SYSTEM_BEGIN;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that is free now, for UDP and TCP; never the same twice in this process. */
    public static synchronized int next() {
        while (given < END - BEGIN) {
            int port = BEGIN + (int) ((OFFSET + given) % (END - BEGIN));
            given++;
            if (free(port)) {
                return port;
            }
        }
        throw new IllegalStateException("All ports from " + BEGIN + " to " + (END - 1) + " were given or are in use");
    }

    private static boolean free(int port) {
        InetSocketAddress any = new InetSocketAddress(port);
        try (DatagramSocket udp = new DatagramSocket(any);
                ServerSocket tcp = new ServerSocket()) {
            tcp.bind(any);
            return udp.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
