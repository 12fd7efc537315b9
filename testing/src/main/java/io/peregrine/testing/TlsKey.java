package io.peregrine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Keys of servers. */
public final class TlsKey {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TlsKey() {}

    /** Makes a PKCS #12 file with a key and a certificate for an address; skips the test without a JDK's keytool. */
    public static Path make(Path folder, String address, String password) {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Needs.that(Files.isExecutable(keytool), "the keytool of a JDK");
        Path file = folder.resolve("key.p12");
        ChildProcess.run(
                LIMIT,
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:" + address,
                "-storetype",
                "PKCS12",
                "-storepass",
                password,
                "-keystore",
                file.toString());
        return file;
    }
}
