package io.peregrine.gvcp;

import java.util.Locale;
import java.util.Optional;

/**
 * Where a device says that its description is: a text such as {@code Local:cam.zip;C0000;1A2B?SchemaVersion=1.1.0}.
 *
 * @param scheme kind of place
 * @param location file name in the device, path on the host, or the whole address on the network
 * @param address first byte in the device's memory, unsigned; only for {@link Scheme#LOCAL}
 * @param lengthBytes bytes in the device's memory; only for {@link Scheme#LOCAL}
 * @param schemaVersion schema version after the question mark
 */
public record CameraXmlUrl(
        Scheme scheme, String location, int address, int lengthBytes, Optional<String> schemaVersion) {
    /** Longest description that is fetched. */
    static final int MAX_LENGTH_BYTES = 64 << 20;

    private static final int LOCAL_PARTS = 3;
    private static final int MAX_HEX_DIGITS = 16;

    /** Kinds of places. */
    public enum Scheme {
        /** Memory of the device. */
        LOCAL,
        /** A file on the host. */
        FILE,
        /** A server on the network. */
        HTTP
    }

    /**
     * Reads a URL register's text.
     *
     * @param text up to the first NUL
     * @return the place
     * @throws GvcpException if it cannot be understood, or the size is beyond reason
     */
    public static CameraXmlUrl parse(String text) {
        String url = text.strip();
        int question = url.indexOf('?');
        String place = question < 0 ? url : url.substring(0, question).strip();
        Optional<String> version = question < 0 ? Optional.empty() : schemaVersion(url.substring(question + 1));
        String lower = place.toLowerCase(Locale.ROOT);
        if (lower.startsWith("local:")) {
            return local(text, withoutSlashes(place.substring("local:".length())), version);
        }
        if (lower.startsWith("file:")) {
            String path = path(place.substring("file:".length()));
            if (path.matches("(?s)[/\\\\]{2}.*")) {
                throw new GvcpException(
                        "\"" + text + "\" names a file of another host, which a device must not make this one"
                                + " ask for: copy the description here and load it from a file");
            }
            return new CameraXmlUrl(Scheme.FILE, path, 0, 0, version);
        }
        if (lower.startsWith("http:") || lower.startsWith("https:")) {
            return new CameraXmlUrl(Scheme.HTTP, url, 0, 0, version);
        }
        throw new GvcpException(
                "the device's URL of its description is malformed: \"" + text + "\" (Local:, File: or http: expected)");
    }

    private static CameraXmlUrl local(String text, String rest, Optional<String> version) {
        String[] parts = rest.split(";", -1);
        if (parts.length < LOCAL_PARTS) {
            throw new GvcpException("\"" + text + "\" should be Local:<name>;<address>;<length>");
        }
        long address = hex(text, parts[1]);
        long length = hex(text, parts[2]);
        if (length < 1 || length > MAX_LENGTH_BYTES) {
            throw new GvcpException(
                    "\"" + text + "\" announces " + length + " bytes of description; 1 byte to 64 MiB are accepted");
        }
        if (address + length > 1L << 32) {
            throw new GvcpException("\"" + text + "\" reaches beyond the end of the 32-bit address space");
        }
        return new CameraXmlUrl(Scheme.LOCAL, parts[0].strip(), (int) address, (int) length, version);
    }

    private static long hex(String text, String number) {
        String digits = number.strip();
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            digits = digits.substring(2);
        }
        if (digits.isEmpty()
                || digits.length() > MAX_HEX_DIGITS
                || !digits.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0)) {
            throw new GvcpException("\"" + number + "\" in \"" + text + "\" is not a number in hex");
        }
        long value = Long.parseUnsignedLong(digits, 16);
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new GvcpException("\"" + number + "\" in \"" + text + "\" does not fit 32 bits");
        }
        return value;
    }

    private static Optional<String> schemaVersion(String query) {
        String key = "schemaversion=";
        String wanted = query.strip();
        return wanted.toLowerCase(Locale.ROOT).startsWith(key)
                ? Optional.of(wanted.substring(key.length()).strip())
                : Optional.empty();
    }

    private static String withoutSlashes(String text) {
        int start = 0;
        while (start < text.length() && text.charAt(start) == '/') {
            start++;
        }
        return text.substring(start);
    }

    /** {@code ///C|/dir/cam.xml} and {@code ///usr/cam.xml} are the notations of the standard. */
    private static String path(String text) {
        String path = text.startsWith("//") ? text.substring(2) : text;
        return path.matches("(?s)/[A-Za-z][|:].*") ? path.charAt(1) + ":" + path.substring(3) : path;
    }
}
