package io.peregrine.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret of those who may read and write the features of a published camera. Never sent. */
final class FeatureKey {
    static final int CODE_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_LENGTH = 32;
    private static final int MAX_LENGTH = 4096;

    private final SecretKeySpec secret;

    private FeatureKey(byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Reads the text of a file, without white space at its ends.
     *
     * @throws DistributionException if it cannot be read, other users can read it, or it is no good secret
     */
    static FeatureKey read(Path file) {
        byte[] bytes;
        try (InputStream from = Files.newInputStream(file)) {
            requirePrivate(file);
            bytes = from.readNBytes(MAX_LENGTH + 1);
        } catch (IOException e) {
            throw new DistributionException("The key for features cannot be read from " + file + ": " + e, e);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
        if (text.length() < MIN_LENGTH || bytes.length > MAX_LENGTH) {
            throw new DistributionException("The key for features in " + file + " has to be " + MIN_LENGTH + " to "
                    + MAX_LENGTH + " characters: make one, for example by openssl rand -hex 32");
        }
        return of(text);
    }

    static FeatureKey of(String text) {
        return new FeatureKey(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void requirePrivate(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
        if (allowed.contains(PosixFilePermission.OTHERS_READ) || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new DistributionException("The key for features in " + file
                    + " is open to all users of this host: chmod 600 " + file + ", and make a new key");
        }
    }

    /** Code by which one who has this key knows that these bytes are from another who has it. */
    byte[] code(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new DistributionException("Java lacks " + ALGORITHM + ", which every Java has to have", e);
        }
    }

    /** Another key, for those who know this one and the parts. */
    FeatureKey derive(byte[]... parts) {
        return new FeatureKey(code(parts));
    }
}
