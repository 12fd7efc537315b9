package io.peregrine.cli;

import io.peregrine.browser.BrowserOptions;
import io.peregrine.browser.CameraBrowser;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Devices;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The module of the camera browser, which need not be there. */
final class BrowserServer implements AutoCloseable {
    private static final String PASSWORD = "BROWSER_TLS_PASSWORD";

    /** Jetty reports its start at the level of messages for users. */
    private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

    private final CameraBrowser browser;

    private BrowserServer(CameraBrowser browser) {
        this.browser = browser;
    }

    static BrowserServer start(
            Devices devices,
            InetAddress address,
            int port,
            List<String> hosts,
            Optional<Path> keyStore,
            Path recordings) {
        JETTY.setLevel(Level.WARNING);
        String password = Optional.ofNullable(System.getenv(PASSWORD)).orElse("");
        try {
            return new BrowserServer(CameraBrowser.start(
                    devices,
                    new BrowserOptions(
                            address,
                            port,
                            hosts,
                            keyStore.map(file -> new BrowserOptions.KeyStore(file, password)),
                            recordings)));
        } catch (NoClassDefFoundError e) {
            throw new CliException(
                    ExitCodes.FAILED, "the module peregrine-browser is missing: add it to the class path", e);
        } catch (IOException e) {
            // The web server blames its port also for what is wrong with the key store.
            keyStore.ifPresent(file -> check(file, password));
            Throwable reason = e.getCause() instanceof SocketException refused ? refused : e;
            throw new CliException(
                    ExitCodes.FAILED,
                    "the page cannot be served at " + address.getHostAddress() + ":" + port + ": "
                            + FileFailure.reason(reason)
                            + ". Choose another port by --port, or an address of this host by --listen",
                    e);
        }
    }

    /** Ends with the reason if a key store cannot be used. */
    private static void check(Path file, String password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore.getInstance("PKCS12").load(in, password.toCharArray());
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED,
                    e.getCause() instanceof UnrecoverableKeyException
                            ? "the password of " + file + " is wrong: set " + PASSWORD + " in the environment"
                            : file + " is no key store for --tls (PKCS #12): " + FileFailure.reason(e),
                    e);
        } catch (GeneralSecurityException e) {
            throw new CliException(
                    ExitCodes.FAILED, file + " is no key store for --tls (PKCS #12): " + e.getMessage(), e);
        }
    }

    String newAddress() {
        return browser.newAddress(true);
    }

    /**
     * Opens the page in the browser of the desktop, with a separate login. The address is in a file that only this user
     * reads, since all users see the arguments of a program.
     */
    boolean openPage() {
        String command = System.getProperty("os.name").startsWith("Mac") ? "open" : "xdg-open";
        try {
            Path file = Files.createTempFile("peregrine", ".html");
            file.toFile().deleteOnExit();
            Files.writeString(
                    file,
                    "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + browser.newAddress(true) + "\">");
            new ProcessBuilder(command, file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        browser.close();
    }
}
