package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class FeatureKeyTest {
    private static final String SECRET = "00112233445566778899aabbccddeeff";

    @TempDir
    private Path directory;

    private Path file(String text, String permissions) throws IOException {
        Path file = Files.writeString(directory.resolve("key"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static void assertRefused(Path file, String saying) {
        DistributionException refusal = assertThrows(DistributionException.class, () -> FeatureKey.read(file));
        assertTrue(refusal.getMessage().contains(saying), refusal.getMessage());
    }

    @Test
    void whiteSpaceAroundTheSecretDoesNotCount() throws IOException {
        byte[] text = {1, 2, 3};
        FeatureKey read = FeatureKey.read(file(" " + SECRET + "\r\n", "rw-r-----"));
        assertArrayEquals(FeatureKey.of(SECRET).code(text), read.code(text));
    }

    /** RFC 4231, test case 2. */
    @Test
    void theCodeIsHmacSha256() {
        byte[] code = FeatureKey.of("Jefe").code("what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII));
        assertArrayEquals(
                HexFormat.of().parseHex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"), code);
    }

    @Test
    void aFileThatAllUsersCanReadIsRefused() throws IOException {
        assertRefused(file(SECRET, "rw----r--"), "chmod 600");
    }

    @Test
    void aFileThatAllUsersCanWriteIsRefused() throws IOException {
        assertRefused(file(SECRET, "rw-----w-"), "chmod 600");
    }

    @Test
    void aShortSecretIsRefused() throws IOException {
        assertRefused(file("secret\n", "rw-------"), "openssl rand");
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        assertRefused(directory.resolve("nothing"), "cannot be read");
    }
}
