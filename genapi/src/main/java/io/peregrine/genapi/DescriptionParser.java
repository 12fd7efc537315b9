package io.peregrine.genapi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Reads the XML of a device description into elements. Names count without their namespace. A document type is refused,
 * nesting and number of elements are bounded, and what surrounds the document (a byte order mark, junk, padding) is cut
 * off first. Zipped descriptions are unpacked, and a wrong encoding costs its texts and not the file.
 */
final class DescriptionParser {
    private static final int MAX_BYTES = 64 << 20;

    private static final Pattern ENCODING = Pattern.compile("encoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._:+-]*)[\"']");

    private DescriptionParser() {}

    static Element parse(byte[] file) {
        checkSize(file.length);
        byte[] xml = isZip(file) ? unzip(file) : file;
        Optional<Charset> wide = wideCharset(xml);
        if (wide.isPresent()) {
            return parse(new String(xml, wide.get()).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
        return parse(xml, charset(xml));
    }

    /** The encoding that is declared, where the bytes can be in it; else one in which they can be read. */
    private static Charset charset(byte[] xml) {
        String head = new String(xml, 0, Math.min(xml.length, 512), StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(head);
        String name = declared.find() ? declared.group(1) : "UTF-8";
        boolean narrow =
                Charset.isSupported(name) && !name.toUpperCase(Locale.ROOT).startsWith("UTF");
        if (narrow) {
            return Charset.forName(name);
        }
        return isUtf8(xml) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
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

    /** An encoding of two bytes, which a mark or the zero beside the first bracket shows. */
    private static Optional<Charset> wideCharset(byte[] xml) {
        if (xml.length < 4) {
            return Optional.empty();
        }
        int first = (xml[0] & 0xFF) << 8 | (xml[1] & 0xFF);
        return switch (first) {
            case 0xFEFF, 0xFFFE -> Optional.of(StandardCharsets.UTF_16);
            case '<' -> Optional.of(StandardCharsets.UTF_16BE);
            case '<' << 8 -> Optional.of(StandardCharsets.UTF_16LE);
            default -> Optional.empty();
        };
    }

    private static boolean isUtf8(byte[] xml) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(xml));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static Element parse(byte[] xml, Charset charset) {
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
        char[] text = decoded(withoutControlCharacters(xml, start, end), charset);
        return ElementReader.read(text, 0, text.length);
    }

    private static char[] decoded(byte[] xml, Charset charset) {
        return new String(xml, charset).toCharArray();
    }

    /** Control characters, which XML forbids, cost their text and not the file. */
    private static byte[] withoutControlCharacters(byte[] xml, int start, int end) {
        byte[] cleaned = Arrays.copyOfRange(xml, start, end);
        for (int i = 0; i < cleaned.length; i++) {
            byte b = cleaned[i];
            if (forbidden(b)) {
                cleaned[i] = ' ';
            } else if (b == '&' && i + 1 < cleaned.length && cleaned[i + 1] == '#') {
                int semicolon = i + 2;
                while (semicolon < cleaned.length && semicolon < i + 10 && cleaned[semicolon] != ';') {
                    semicolon++;
                }
                if (semicolon < cleaned.length
                        && forbidden(reference(
                                new String(cleaned, i + 2, semicolon - i - 2, StandardCharsets.ISO_8859_1)))) {
                    Arrays.fill(cleaned, i, semicolon + 1, (byte) ' ');
                }
            }
        }
        return cleaned;
    }

    private static boolean forbidden(int character) {
        return character >= 0 && character < ' ' && character != '\t' && character != '\n' && character != '\r';
    }

    /** The character of a numeric reference, or -1. */
    private static int reference(String digits) {
        try {
            return digits.startsWith("x") ? Integer.parseInt(digits.substring(1), 16) : Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return -1;
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
