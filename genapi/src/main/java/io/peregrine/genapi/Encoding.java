package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the characters of a device description are encoded: as it declares, where its bytes can be that. */
final class Encoding {
    private static final int HEAD_BYTES = 512;
    private static final String MARK = "encoding";

    private final byte[] text;
    private final boolean declared8859;
    private @Nullable Charset charset;

    private Encoding(byte[] text, boolean declared8859) {
        this.text = text;
        this.declared8859 = declared8859;
    }

    /**
     * Makes sure that ASCII characters are one byte each that stands for nothing else.
     *
     * @param file a whole document
     * @return the document as it is, if it is so already, or else in UTF-8
     */
    static Encoding of(byte[] file) {
        Charset other = wide(file);
        if (other == null) {
            Charset declared = declared(file);
            if (declared == null || declared.equals(StandardCharsets.ISO_8859_1)) {
                return new Encoding(file, declared != null);
            }
            other = declared;
        }
        return new Encoding(new String(file, other).getBytes(StandardCharsets.UTF_8), false);
    }

    byte[] text() {
        return text;
    }

    /** Some of the characters. */
    String string(int start, int end) {
        if (isAscii(start, end)) {
            return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
        }
        if (charset == null) {
            // Only few documents have other than ASCII characters, and all bytes have to be looked at.
            charset = !declared8859 && isUtf8(text) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        }
        return new String(text, start, end - start, charset);
    }

    private boolean isAscii(int start, int end) {
        int all = 0;
        for (int i = start; i < end; i++) {
            all |= text[i];
        }
        return all >= 0;
    }

    /** An encoding of two bytes, which a mark or the zero beside the first bracket shows. */
    private static @Nullable Charset wide(byte[] xml) {
        if (xml.length < 4) {
            return null;
        }
        int first = (xml[0] & 0xFF) << 8 | (xml[1] & 0xFF);
        return switch (first) {
            case 0xFEFF, 0xFFFE -> StandardCharsets.UTF_16;
            case '<' -> StandardCharsets.UTF_16BE;
            case '<' << 8 -> StandardCharsets.UTF_16LE;
            default -> null;
        };
    }

    /** The encoding that is declared, unless it is one of Unicode: then the bytes say whether they are in it. */
    private static @Nullable Charset declared(byte[] xml) {
        String head = new String(xml, 0, Math.min(xml.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        for (int at = head.indexOf(MARK); at >= 0; at = head.indexOf(MARK, at + 1)) {
            String name = quoted(head, at + MARK.length());
            if (!name.isEmpty()) {
                return !name.toUpperCase(Locale.ROOT).startsWith("UTF") && Charset.isSupported(name)
                        ? Charset.forName(name)
                        : null;
            }
        }
        return null;
    }

    /** The name in quotes behind an equals sign; empty text if there is none. */
    private static String quoted(String head, int behind) {
        int at = skipBlanks(head, behind);
        if (at == head.length() || head.charAt(at) != '=') {
            return "";
        }
        at = skipBlanks(head, at + 1);
        if (at == head.length() || (head.charAt(at) != '"' && head.charAt(at) != '\'')) {
            return "";
        }
        int start = ++at;
        while (at < head.length() && partOfName(head.charAt(at), at == start)) {
            at++;
        }
        boolean ended = at < head.length() && (head.charAt(at) == '"' || head.charAt(at) == '\'');
        return ended ? head.substring(start, at) : "";
    }

    private static int skipBlanks(String head, int from) {
        int at = from;
        while (at < head.length() && head.charAt(at) <= ' ') {
            at++;
        }
        return at;
    }

    private static boolean partOfName(char c, boolean first) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (!first && ((c >= '0' && c <= '9') || "._:+-".indexOf(c) >= 0));
    }

    private static boolean isUtf8(byte[] xml) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(xml));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
