package io.peregrine.gvcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The GenICam description of a device.
 *
 * @param xml the XML's bytes, unpacked and without padding
 * @param fileName name of the XML or of the archive it came in
 * @param url the text in the device that led to it
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record CameraXml(byte[] xml, String fileName, String url) {
    /**
     * Bytes that a description has at most, packed or unpacked.
     *
     * @param name what the limit is called, for messages
     * @param bytes at most 64 MiB
     */
    public record Limit(String name, int bytes) {
        /** Several times the largest descriptions of cameras. */
        public static final int DEFAULT_BYTES = 16 << 20;

        private static final Limit DEFAULT = new Limit("the limit", DEFAULT_BYTES);

        /** Checks the range. */
        public Limit {
            if (bytes < 1 || bytes > CameraXmlUrl.MAX_LENGTH_BYTES) {
                throw new IllegalArgumentException("a description has 1 byte to 64 MiB, not " + bytes);
            }
        }

        private void check(long found, String description) {
            if (found > bytes) {
                throw new GvcpException("the description " + description + " is larger than " + bytes + " bytes: raise "
                        + name + " if that is right");
            }
        }
    }

    private static final int URL_SIZE_BYTES = 512;
    /** Descriptions of a manifest that are tried before the URLs. */
    private static final int MAX_MANIFEST_TRIES = 4;

    private static final System.Logger LOGGER = System.getLogger(CameraXml.class.getName());
    private static final int COPY_BUFFER_BYTES = 8192;

    /** Copies the bytes. */
    public CameraXml {
        xml = xml.clone();
    }

    @Override
    public byte[] xml() {
        return xml.clone();
    }

    /**
     * Fetches the best description of a device: from its manifest, if it has one, that with the highest schema; else
     * from where the first URL leads, or else the second.
     *
     * @param channel channel to the device; no privilege is needed
     * @return the description
     * @throws GvcpException if neither URL leads to one
     */
    public static CameraXml fetch(GvcpChannel channel) {
        return fetch(channel, Limit.DEFAULT);
    }

    /**
     * The same with a custom limit.
     *
     * @param channel channel to the device; no privilege is needed
     * @param limit bytes of a description at most, packed or unpacked; a larger one is not read
     * @return the description
     * @throws GvcpException if neither URL leads to one that is not too large
     */
    public static CameraXml fetch(GvcpChannel channel, Limit limit) {
        Optional<CameraXml> best = fetchFromManifest(channel, limit);
        if (best.isPresent()) {
            return best.get();
        }
        try {
            return fetch(channel, BootstrapRegister.FIRST_URL, limit);
        } catch (GvcpTimeoutException | ConnectionLostException e) {
            throw e;
        } catch (GvcpException first) {
            try {
                return fetch(channel, BootstrapRegister.SECOND_URL, limit);
            } catch (GvcpException second) {
                GvcpException neither = new GvcpException(
                        "no description of " + channel.deviceAddress() + ": first URL: " + first.getMessage()
                                + "; second URL: " + second.getMessage(),
                        first);
                neither.addSuppressed(second);
                throw neither;
            }
        }
    }

    private static Optional<CameraXml> fetchFromManifest(GvcpChannel channel, Limit limit) {
        try {
            if ((channel.capability() & BootstrapRegister.GVCP_CAPABILITY_MANIFEST) == 0) {
                return Optional.empty();
            }
            List<ManifestEntry> entries = ManifestEntry.parse(
                    channel.readMemory(BootstrapRegister.MANIFEST_TABLE, ManifestEntry.TABLE_BYTES));
            for (ManifestEntry entry : entries.subList(0, Math.min(MAX_MANIFEST_TRIES, entries.size()))) {
                try {
                    return Optional.of(fetch(channel, entry.urlAddress(), limit));
                } catch (GvcpTimeoutException | ConnectionLostException e) {
                    throw e;
                } catch (GvcpException e) {
                    LOGGER.log(System.Logger.Level.DEBUG, "Not usable: " + entry, e);
                }
            }
        } catch (GvcpTimeoutException | ConnectionLostException e) {
            throw e;
        } catch (GvcpException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The manifest table cannot be read", e);
        }
        return Optional.empty();
    }

    private static CameraXml fetch(GvcpChannel channel, int register, Limit limit) {
        String text = Wire.text(channel.readMemory(register, URL_SIZE_BYTES));
        if (text.isEmpty()) {
            throw new GvcpException(BootstrapRegister.describe(register) + " is empty");
        }
        CameraXmlUrl url = CameraXmlUrl.parse(text);
        limit.check(url.lengthBytes(), url.location());
        byte[] bytes = switch (url.scheme()) {
            case LOCAL -> channel.readMemory(url.address(), url.lengthBytes());
            case FILE -> readFile(url.location(), limit);
            case HTTP ->
                throw new GvcpException("the description is on the network, at " + url.location()
                        + "; it is not fetched from there, download it and load it from a file");
        };
        String name = url.location();
        return new CameraXml(unpack(bytes, name, limit), name.substring(name.lastIndexOf('/') + 1), text);
    }

    private static byte[] readFile(String location, Limit limit) {
        String lower = location.toLowerCase(Locale.ROOT);
        try {
            Path path = Path.of(location);
            if (!(lower.endsWith(".xml") || lower.endsWith(".zip")) || !Files.isRegularFile(path)) {
                throw new GvcpException(location + " is not an .xml or .zip file on this host");
            }
            try (InputStream file = Files.newInputStream(path)) {
                return readBounded(file, 0, location, limit);
            }
        } catch (IOException | InvalidPathException e) {
            throw new GvcpException("cannot read " + location + ": " + e.getMessage(), e);
        }
    }

    /**
     * Unpacks a description if it is an archive, whatever its name says, and cuts off padding.
     *
     * @param bytes an XML or a ZIP with an XML in it
     * @param name its name, for messages
     * @param limit for all that is in it
     * @return the XML
     * @throws GvcpException if the archive is broken, too large, or has nothing in it
     */
    static byte[] unpack(byte[] bytes, String name, Limit limit) {
        boolean zip = bytes.length > 4 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4;
        byte[] xml = withoutPadding(zip ? unzip(bytes, name, limit) : bytes);
        if (xml.length == 0) {
            throw new GvcpException("the description " + name + " is empty");
        }
        return xml;
    }

    private static byte[] unzip(byte[] bytes, String name, Limit limit) {
        byte[] first = null;
        long unpacked = 0;
        try (ZipInputStream archive = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            ZipEntry entry = archive.getNextEntry();
            while (entry != null) {
                byte[] content = readBounded(archive, unpacked, name, limit);
                unpacked += content.length;
                if (!entry.isDirectory()
                        && entry.getName().toLowerCase(Locale.ROOT).endsWith(".xml")) {
                    return content;
                }
                if (first == null && content.length > 0) {
                    first = content;
                }
                entry = archive.getNextEntry();
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new GvcpException("the archive " + name + " is broken: " + e.getMessage(), e);
        }
        if (first == null) {
            throw new GvcpException("the archive " + name + " has no file in it");
        }
        return first;
    }

    private static byte[] readBounded(InputStream input, long before, String name, Limit limit) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[COPY_BUFFER_BYTES];
        int count = input.read(buffer);
        while (count >= 0) {
            limit.check(before + content.size() + count, name);
            content.write(buffer, 0, count);
            count = input.read(buffer);
        }
        return content.toByteArray();
    }

    private static byte[] withoutPadding(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CameraXml that && Arrays.equals(that.xml, xml) && that.url.equals(url);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(xml);
    }

    @Override
    public String toString() {
        return "CameraXml[" + xml.length + " bytes, fileName=" + fileName + ", url=" + url + "]";
    }
}
