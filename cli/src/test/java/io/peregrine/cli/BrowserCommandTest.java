package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import io.peregrine.testing.TlsKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BrowserCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADDRESS = "127.61.0.9";
    private static final String PASSWORD = "secret-of-the-test";

    @TempDir
    private Path folder;

    @Test
    void anotherHostIsOnlyServedByTls() {
        Cli run = Cli.run("browser", "--listen", "192.0.2.1");
        assertEquals(ExitCodes.USAGE, run.exitCode());
        assertTrue(run.err().contains("--listen needs --tls"), run.err());
    }

    @Test
    void thePageIsServedByTls() throws Exception {
        Path keyStore = TlsKey.make(folder, ADDRESS, PASSWORD);
        List<String> command = new ArrayList<>(List.of(
                Needs.program("a password in the environment", "env").toString(), "BROWSER_TLS_PASSWORD=" + PASSWORD));
        command.addAll(ChildProcess.java(
                List.of(),
                PeregrineMain.class.getName(),
                List.of(
                        "browser",
                        "--listen",
                        ADDRESS,
                        "--tls",
                        keyStore.toString(),
                        "--recordings",
                        folder.toString())));
        try (ChildProcess server = ChildProcess.start(command)) {
            String address = server.awaitLine("address", LIMIT, line -> line.startsWith("https://" + ADDRESS + ":"));
            HttpsURLConnection connection =
                    (HttpsURLConnection) URI.create(address).toURL().openConnection();
            connection.setSSLSocketFactory(trusting(keyStore).getSocketFactory());
            try (InputStream page = connection.getInputStream()) {
                String html = new String(page.readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(html.contains("<peregrine-app"), html);
            }
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
            String port = Integer.toString(taken.getLocalPort());
            Cli run = Cli.run("browser", "--listen", ADDRESS, "--port", port, "--recordings", folder.toString());
            assertEquals(ExitCodes.FAILED, run.exitCode());
            assertTrue(run.err().contains(port + ": Address already in use. Choose another port by --port"), run.err());
        }
    }

    @Test
    void aFileThatIsNoKeyStoreIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("junk.p12"), "junk");
        Cli run = Cli.run("browser", "--tls", file.toString(), "--recordings", folder.toString());
        assertEquals(ExitCodes.FAILED, run.exitCode());
        assertTrue(run.err().contains(file + " is no key store for --tls (PKCS #12): "), run.err());
    }

    @Test
    void aMissingPasswordOfAKeyStoreIsAskedFor() throws Exception {
        Path file = TlsKey.make(folder, ADDRESS, PASSWORD);
        Cli run = Cli.run("browser", "--tls", file.toString(), "--recordings", folder.toString());
        assertEquals(ExitCodes.FAILED, run.exitCode());
        assertTrue(run.err().contains(file + " is wrong: set BROWSER_TLS_PASSWORD in the environment"), run.err());
    }

    private static SSLContext trusting(Path keyStore) throws Exception {
        KeyStore key = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore)) {
            key.load(in, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", key.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
