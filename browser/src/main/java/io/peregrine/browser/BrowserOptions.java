package io.peregrine.browser;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link CameraBrowser} is started.
 *
 * @param address to listen on; loopback unless other hosts are to reach it
 * @param port to listen on; 0 takes a free one
 * @param hosts further values of the header Host that are answered, for example {@code localhost:9000} where a tunnel
 *     has another port
 * @param tls what identifies the server; plain HTTP without, which only loopback allows
 * @param recordings folder for recordings that pages make, and that they replay
 */
public record BrowserOptions(
        InetAddress address, int port, List<String> hosts, Optional<KeyStore> tls, Path recordings) {
    /**
     * A key and its certificate.
     *
     * @param file PKCS #12
     * @param password of the file
     */
    public record KeyStore(Path file, String password) {}

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if other hosts would reach it without TLS, or the port is none
     */
    public BrowserOptions {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(recordings, "recordings");
        hosts = List.copyOf(hosts);
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("Port " + port + " is not between 0 and 65535");
        }
        if (!address.isLoopbackAddress() && tls.isEmpty()) {
            throw new IllegalArgumentException(
                    "Other hosts reach " + address.getHostAddress() + ": give a key store for TLS");
        }
    }

    /** Loopback, a free port, no TLS, recordings in the folder {@code recordings} of the working directory. */
    public static BrowserOptions loopback() {
        return new BrowserOptions(
                InetAddress.getLoopbackAddress(), 0, List.of(), Optional.empty(), Path.of("recordings"));
    }

    /** The same with another folder for recordings. */
    public BrowserOptions withRecordings(Path other) {
        return new BrowserOptions(address, port, hosts, tls, other);
    }

    /** An address that other hosts may reach, a free port, TLS. */
    public static BrowserOptions listening(InetAddress address, KeyStore keyStore) {
        return new BrowserOptions(address, 0, List.of(), Optional.of(keyStore), Path.of("recordings"));
    }

    /** The same with another port. */
    public BrowserOptions withPort(int other) {
        return new BrowserOptions(address, other, hosts, tls, recordings);
    }
}
