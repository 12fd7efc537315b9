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
    private static final int URL_SIZE_BYTES = 512;
    /** Descriptions of a manifest that are tried before the URLs. */
    private static final int MOST_MANIFEST_TRIES = 4;

    private static final System.Logger LOG = System.getLogger(CameraXml.class.getName());
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
     * Fetches the best description of a device: from its manifest, if it has one, that with the highest schema; else from
     * where the first URL leads, or else the second.
     *
     * @param channel channel to the device; no privilege is needed
     * @return the description
     * @throws GvcpException if neither URL leads to one
     */
    public static CameraXml fetch(GvcpChannel channel) {
        Optional<CameraXml> best = fetchFromManifest(channel);
        if (best.isPresent()) {
            return best.get();
        }
        try {
            return fetch(channel, BootstrapRegister.FIRST_URL);
        } catch (GvcpTimeoutException | ConnectionLostException e) {
            throw e;
        } catch (GvcpException first) {
            try {
                return fetch(channel, BootstrapRegister.SECOND_URL);
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

    private static Optional<CameraXml> fetchFromManifest(GvcpChannel channel) {
        try {
            if ((channel.capability() & BootstrapRegister.GVCP_CAPABILITY_MANIFEST) == 0) {
                return Optional.empty();
            }
            List<ManifestEntry> entries = ManifestEntry.parse(
                    channel.readMemory(BootstrapRegister.MANIFEST_TABLE, ManifestEntry.TABLE_BYTES));
            for (ManifestEntry entry : entries.subList(0, Math.min(MOST_MANIFEST_TRIES, entries.size()))) {
                try {
                    return Optional.of(fetch(channel, entry.urlAddress()));
                } catch (GvcpTimeoutException | ConnectionLostException e) {
                    throw e;
                } catch (GvcpException e) {
                    LOG.log(System.Logger.Level.DEBUG, "Not usable: " + entry, e);
                }
            }
        } catch (GvcpTimeoutException | ConnectionLostException e) {
            throw e;
        } catch (GvcpException e) {
            LOG.log(System.Logger.Level.DEBUG, "The manifest table cannot be read", e);
        }
        return Optional.empty();
    }

    private static CameraXml fetch(GvcpChannel channel, int register) {
        String text = Wire.text(channel.readMemory(register, URL_SIZE_BYTES));
        if (text.isEmpty()) {
            throw new GvcpException(BootstrapRegister.describe(register) + " is empty");
        }
        CameraXmlUrl url = CameraXmlUrl.parse(text);
        byte[] bytes = switch (url.scheme()) {
            case LOCAL -> channel.readMemory(url.address(), url.lengthBytes());
            case FILE -> readFile(url.location());
            case HTTP ->
                throw new GvcpException("the description lies on the network, at " + url.location()
                        + "; it is not fetched from there, download it and load it from a file");
        };
        String name = url.location();
        return new CameraXml(unpack(bytes, name), name.substring(name.lastIndexOf('/') + 1), text);
    }

    private static byte[] readFile(String location) {
        String lower = location.toLowerCase(Locale.ROOT);
        try {
            Path path = Path.of(location);
            if (!(lower.endsWith(".xml") || lower.endsWith(".zip")) || !Files.isRegularFile(path)) {
                throw new GvcpException(location + " is not an .xml or .zip file on this host");
            }
            try (InputStream file = Files.newInputStream(path)) {
                return readBounded(file, CameraXmlUrl.MAX_LENGTH_BYTES, location);
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
     * @return the XML
     * @throws GvcpException if the archive is broken, too large, or has nothing in it
     */
    static byte[] unpack(byte[] bytes, String name) {
        boolean zip = bytes.length > 4 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4;
        byte[] xml = withoutPadding(zip ? unzip(bytes, name) : bytes);
        if (xml.length == 0) {
            throw new GvcpException("the description " + name + " is empty");
        }
        return xml;
    }

    private static byte[] unzip(byte[] bytes, String name) {
        byte[] first = null;
        int budget = CameraXmlUrl.MAX_LENGTH_BYTES;
        try (ZipInputStream archive = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            ZipEntry entry = archive.getNextEntry();
            while (entry != null) {
                byte[] content = readBounded(archive, budget, name);
                budget -= content.length;
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

    private static byte[] readBounded(InputStream input, int limitBytes, String name) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[COPY_BUFFER_BYTES];
        int count = input.read(buffer);
        while (count >= 0) {
            if (count > limitBytes - content.size()) {
                throw new GvcpException("the description " + name + " is larger than 64 MiB");
            }
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
