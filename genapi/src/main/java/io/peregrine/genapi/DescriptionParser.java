package io.peregrine.genapi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Reads the XML of a device description into elements. Names count without their namespace. A document type is refused,
 * nesting and number of elements are bounded, and what surrounds the document (a byte order mark, junk, padding) is cut
 * off first. Zipped descriptions are unpacked, and a wrong encoding costs its texts and not the file.
 */
final class DescriptionParser {
    private static final int MAX_BYTES = 64 << 20;

    private DescriptionParser() {}

    static Element parse(byte[] file) {
        checkSize(file.length);
        Encoding encoding = Encoding.of(isZip(file) ? unzip(file) : file);
        byte[] xml = encoding.text();
        int start = 0;
        while (start < xml.length && !startsDocument(xml, start)) {
            start++;
        }
        int end = xml.length;
        while (end > start && xml[end - 1] != '>') {
            end--;
        }
        if (start >= end) {
            throw new GenApiException("The device description holds no XML");
        }
        return ElementReader.read(encoding, start, end);
    }

    private static void checkSize(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new GenApiException("The device description has more than " + MAX_BYTES + " bytes");
        }
    }

    private static boolean isZip(byte[] file) {
        return file.length > 4 && file[0] == 'P' && file[1] == 'K' && file[2] == 3 && file[3] == 4;
    }

    /** The first file of an archive: some devices send one under a name that does not say so (R35). */
    private static byte[] unzip(byte[] file) {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file))) {
            ZipEntry entry = zip.getNextEntry();
            while (entry != null && entry.isDirectory()) {
                entry = zip.getNextEntry();
            }
            if (entry == null) {
                throw new GenApiException("The zipped device description holds no file");
            }
            byte[] xml = zip.readNBytes(MAX_BYTES + 1);
            checkSize(xml.length);
            return xml;
        } catch (IOException | IllegalArgumentException e) {
            throw new GenApiException("The zipped device description cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private static boolean startsDocument(byte[] xml, int at) {
        if (xml[at] != '<' || at + 1 >= xml.length) {
            return false;
        }
        byte next = xml[at + 1];
        // A comment before the declaration is junk that tools leave; one inside does not matter here.
        return next == '?' || (next == '!' && at + 2 < xml.length && xml[at + 2] == 'D') || Character.isLetter(next);
    }
}
