package io.peregrine.genapi;

import java.util.Arrays;

/**
 * Reads XML into elements: what device descriptions use of it, without namespaces and document types. Less than a
 * general parser has to do, since loading a description is often all that a process does; bytes are decoded where they
 * are not ASCII alone.
 */
final class ElementReader {
    private static final int MAX_DEPTH = 64;
    /** Ten times what the largest real description has. */
    private static final int MAX_ELEMENTS = 500_000;

    /** Four times what an element of any real description has. */
    private static final int MAX_ATTRIBUTES = 64;

    private static final int MAX_REFERENCE = 12;
    /** About how many bytes of a description there are to a word that it has not used before. */
    private static final int BYTES_TO_A_WORD = 64;

    private static final int MANY_NAMES = 128;

    // What a byte can be.

    private static final byte PART_OF_NAME = 1;
    /** A text with it is not what its bytes are: references, line ends, control characters. */
    private static final byte ODD = 2;
    /** Part of a character that is not ASCII. */
    private static final byte WIDE = 4;

    private static final byte[] KINDS = kinds();

    private final Encoding encoding;
    private final byte[] text;
    private final int end;
    private final Words words;
    private final Words nameWords;
    private int at;
    private int elements;

    // What is open: names as they are written, and what was read of it.
    private final int[] nameStarts = new int[MAX_DEPTH];
    private final int[] nameEnds = new int[MAX_DEPTH];
    private final String[] names = new String[MAX_DEPTH];
    private final String[][] attributes = new String[MAX_DEPTH][];
    private int depth;

    /** Elements that are complete while what they are in is not, and at which of them each depth begins. */
    private Element[] complete = new Element[256];

    private final int[] firstChildren = new int[MAX_DEPTH + 1];
    private int completeCount;

    // Text of an element without children: a part of the document, or what was put together of several.
    private int partStart;
    private int partEnd;
    private int partHash;
    private final StringBuilder pieces = new StringBuilder();

    private ElementReader(Encoding encoding, int start, int end) {
        this.encoding = encoding;
        text = encoding.text();
        this.end = end;
        at = start;
        words = new Words(encoding, false, (end - start) / BYTES_TO_A_WORD);
        nameWords = new Words(encoding, true, MANY_NAMES);
    }

    private static byte[] kinds() {
        byte[] kinds = new byte[256];
        for (int c = 0; c < kinds.length; c++) {
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
            boolean inside = (c >= '0' && c <= '9') || c == '-' || c == '.';
            boolean odd = c == '&' || (c < ' ' && c != '\t' && c != '\n');
            kinds[c] = c >= 0x80 ? PART_OF_NAME | WIDE : letter || inside ? PART_OF_NAME : odd ? ODD : 0;
        }
        return kinds;
    }

    /**
     * Reads an element with all that is in it. What follows its end is not looked at. Control characters, which XML
     * forbids, count as blanks.
     *
     * @param document the document
     * @param start where it begins, with a {@code <}
     * @param end behind its last byte
     * @throws GenApiException if it is not well-formed, has a document type, or is larger than any description
     */
    static Element read(Encoding document, int start, int end) {
        return new ElementReader(document, start, end).read();
    }

    private Element read() {
        while (at < end) {
            if (text[at] != '<') {
                characters();
            } else if (++at == end) {
                break;
            } else if (text[at] == '/') {
                Element ended = endTag();
                if (depth == 0) {
                    return ended;
                }
            } else if (text[at] == '?') {
                skipBehind("?>");
            } else if (text[at] == '!') {
                declaration();
            } else if (startTag() && depth == 0) {
                return close();
            }
        }
        throw wrong("it ends too early");
    }

    // ---- Tags

    /** Reads a start tag, and returns whether it ends its element as well; that of the root is left open. */
    private boolean startTag() {
        if (++elements > MAX_ELEMENTS || depth >= MAX_DEPTH) {
            throw tooLarge();
        }
        nameStarts[depth] = at;
        names[depth] = name();
        nameEnds[depth] = at;
        attributes[depth] = at < end && text[at] == '>' ? Element.NO_ATTRIBUTES : attributes();
        firstChildren[depth] = completeCount;
        forgetText();
        if (at < end && text[at] == '/') {
            at++;
            expect('>');
            if (depth > 0) {
                depth++;
                complete(close());
            }
            return true;
        }
        expect('>');
        depth++;
        return false;
    }

    private Element endTag() {
        at++;
        if (depth == 0) {
            name();
            throw wrong("an end tag without a start tag");
        }
        byte[] bytes = text;
        int open = nameStarts[depth - 1];
        int length = nameEnds[depth - 1] - open;
        int same = 0;
        while (same < length && at + same < end && bytes[at + same] == bytes[open + same]) {
            same++;
        }
        if (same < length || (at + same < end && (KINDS[bytes[at + same] & 0xFF] & PART_OF_NAME) != 0)) {
            name();
            throw wrong("the end tag is not that of " + names[depth - 1]);
        }
        at += length;
        skipBlanks();
        expect('>');
        Element ended = close();
        if (depth > 0) {
            complete(ended);
        }
        return ended;
    }

    /** The innermost open element. The root has depth 0 when it is empty, and 1 else. */
    private Element close() {
        if (depth > 0) {
            depth--;
        }
        int first = firstChildren[depth];
        int count = completeCount - first;
        Element element;
        if (count == 0) {
            element = new Element(names[depth], attributes[depth], takeText(), Element.NO_CHILDREN);
        } else {
            Element[] children = new Element[count];
            System.arraycopy(complete, first, children, 0, count);
            completeCount = first;
            element = new Element(names[depth], attributes[depth], "", children);
        }
        forgetText();
        return element;
    }

    private void complete(Element element) {
        if (completeCount == complete.length) {
            complete = Arrays.copyOf(complete, completeCount * 2);
        }
        complete[completeCount++] = element;
    }

    /** Reads a name, and returns it without its prefix. */
    private String name() {
        byte[] bytes = text;
        int start = at;
        int local = start;
        int hash = 0;
        int kinds = 0;
        int i = start;
        while (i < end) {
            byte c = bytes[i];
            byte kind = KINDS[c & 0xFF];
            if ((kind & PART_OF_NAME) == 0) {
                break;
            }
            kinds |= kind;
            i++;
            if (c == ':') {
                local = i;
                hash = 0;
            } else {
                hash = 31 * hash + c;
            }
        }
        at = i;
        byte first = start == i ? (byte) '-' : bytes[start];
        if ((first >= '0' && first <= '9') || first == '-' || first == '.') {
            throw wrong("a name is missing");
        }
        if ((kinds & WIDE) != 0) {
            checkName(encoding.string(start, i));
        }
        if (local == i) {
            return encoding.string(start, i);
        }
        return nameWords.of(local, i, hash);
    }

    private void checkName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80 && c < 0xB7) {
                throw wrong("'" + c + "' in a name");
            }
        }
    }

    private String[] attributes() {
        String[] found = Element.NO_ATTRIBUTES;
        while (true) {
            int before = at;
            skipBlanks();
            if (at == end) {
                throw wrong("it ends inside a tag");
            }
            if (text[at] == '>' || text[at] == '/') {
                return found;
            }
            if (before == at) {
                throw wrong("a blank is missing in front of an attribute");
            }
            String name = name();
            skipBlanks();
            expect('=');
            skipBlanks();
            found = with(found, name, value());
            if (found.length > 2 * MAX_ATTRIBUTES) {
                throw tooLarge();
            }
        }
    }

    /** Attributes and another one, unless one of this name is there; names can be the same behind their prefixes. */
    private static String[] with(String[] attributes, String name, String value) {
        for (int i = 0; i < attributes.length; i += 2) {
            if (attributes[i].equals(name)) {
                return attributes;
            }
        }
        String[] more = new String[attributes.length + 2];
        System.arraycopy(attributes, 0, more, 0, attributes.length);
        more[attributes.length] = name;
        more[attributes.length + 1] = value;
        return more;
    }

    private String value() {
        byte quote = at < end ? text[at] : (byte) ' ';
        if (quote != '"' && quote != '\'') {
            throw wrong("the value of an attribute is not in quotes");
        }
        byte[] bytes = text;
        int start = ++at;
        int hash = 0;
        int kinds = 0;
        int i = start;
        while (i < end && bytes[i] != quote) {
            byte c = bytes[i++];
            if (c == '<') {
                at = i;
                throw wrong("'<' in the value of an attribute");
            }
            kinds |= c == '\n' || c == '\t' ? ODD : KINDS[c & 0xFF];
            hash = 31 * hash + c;
        }
        if (i == end) {
            at = i;
            throw wrong("it ends inside the value of an attribute");
        }
        at = i + 1;
        if ((kinds & ODD) == 0) {
            return words.of(start, i, hash);
        }
        StringBuilder value = new StringBuilder();
        appendResolved(value, start, i);
        for (int j = 0; j < value.length(); j++) {
            if (value.charAt(j) == '\n' || value.charAt(j) == '\t') {
                value.setCharAt(j, ' ');
            }
        }
        return words.of(value);
    }

    // ---- Text

    private void characters() {
        byte[] bytes = text;
        int start = at;
        int hash = 0;
        int kinds = 0;
        boolean ignored = depth == 0 || completeCount > firstChildren[depth - 1];
        int i = start;
        if (ignored) {
            while (i < end && bytes[i] <= ' ' && bytes[i] >= 0) {
                i++;
            }
        }
        while (i < end) {
            byte c = bytes[i];
            if (c == '<') {
                break;
            }
            kinds |= KINDS[c & 0xFF];
            hash = 31 * hash + c;
            i++;
        }
        at = i;
        if (depth == 0) {
            checkBlank(start);
        } else if (ignored) {
            // Nothing but blanks between elements counts for anything; references in it must be well-formed all the
            // same.
            if ((kinds & ODD) != 0) {
                appendResolved(new StringBuilder(), start, i);
            }
        } else if ((kinds & ODD) == 0 && pieces.length() == 0 && partEnd == partStart) {
            partStart = start;
            partEnd = i;
            partHash = hash;
        } else {
            toPieces();
            appendResolved(pieces, start, i);
        }
    }

    private void checkBlank(int start) {
        for (int i = start; i < at; i++) {
            if (text[i] > ' ' || text[i] < 0) {
                throw wrong("text outside of the root element");
            }
        }
    }

    private void toPieces() {
        if (partEnd > partStart) {
            pieces.append(encoding.string(partStart, partEnd));
            partEnd = partStart;
        }
    }

    private String takeText() {
        return pieces.length() == 0 ? words.of(partStart, partEnd, partHash) : words.of(pieces);
    }

    private void forgetText() {
        partEnd = partStart;
        if (pieces.length() > 0) {
            pieces.setLength(0);
        }
    }

    /**
     * Appends text with its references resolved, its line ends as one character each, and without control characters.
     */
    private void appendResolved(StringBuilder target, int start, int behind) {
        String part = encoding.string(start, behind);
        int i = 0;
        while (i < part.length()) {
            char c = part.charAt(i++);
            if (c == '\r') {
                target.append('\n');
                if (i < part.length() && part.charAt(i) == '\n') {
                    i++;
                }
            } else if (c == '&') {
                int semicolon = part.indexOf(';', i);
                if (semicolon < 0 || semicolon > i + MAX_REFERENCE) {
                    throw wrong("a reference without its end");
                }
                int character = referenced(part.substring(i, semicolon));
                if (character < ' ' && character != '\t' && character != '\n' && character != '\r') {
                    target.append(" ".repeat(semicolon + 2 - i));
                } else {
                    target.appendCodePoint(character);
                }
                i = semicolon + 1;
            } else {
                target.append(c < ' ' && c != '\t' && c != '\n' ? ' ' : c);
            }
        }
    }

    private int referenced(String reference) {
        return switch (reference) {
            case "lt" -> '<';
            case "gt" -> '>';
            case "amp" -> '&';
            case "quot" -> '"';
            case "apos" -> '\'';
            default -> {
                int character = reference.startsWith("#") ? number(reference.substring(1)) : -1;
                boolean allowed = (character >= 0 && character <= 0xD7FF)
                        || (character >= 0xE000 && character <= 0xFFFD)
                        || (character >= 0x10000 && character <= Character.MAX_CODE_POINT);
                if (!allowed) {
                    throw wrong("the reference &" + reference + "; is unknown");
                }
                yield character;
            }
        };
    }

    private static int number(String digits) {
        try {
            return digits.startsWith("x") ? Integer.parseInt(digits.substring(1), 16) : Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    // ---- Comments and other declarations

    private void declaration() {
        if (follows("!--")) {
            at += 3;
            skipBehind("-->");
        } else if (follows("![CDATA[")) {
            if (depth == 0) {
                throw wrong("text outside of the root element");
            }
            at += 8;
            int start = at;
            skipBehind("]]>");
            toPieces();
            appendLines(encoding.string(start, at - 3));
        } else if (follows("!DOCTYPE")) {
            throw new GenApiException("The device description has a DOCTYPE, which is refused");
        } else {
            throw wrong("an unknown declaration");
        }
    }

    private void appendLines(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '\r') {
                pieces.append('\n');
                i += i + 1 < part.length() && part.charAt(i + 1) == '\n' ? 1 : 0;
            } else {
                pieces.append(c < ' ' && c != '\t' && c != '\n' ? ' ' : c);
            }
        }
    }

    private boolean follows(String mark) {
        if (end - at < mark.length()) {
            return false;
        }
        for (int i = 0; i < mark.length(); i++) {
            if (text[at + i] != mark.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void skipBehind(String mark) {
        char first = mark.charAt(0);
        while (at < end) {
            if (text[at] == first && follows(mark)) {
                at += mark.length();
                return;
            }
            at++;
        }
        throw wrong("it ends before '" + mark + "'");
    }

    /** Blanks, and control characters. */
    private void skipBlanks() {
        while (at < end && text[at] <= ' ' && text[at] >= 0) {
            at++;
        }
    }

    private void expect(char c) {
        if (at == end || text[at] != c) {
            throw wrong("'" + c + "' is missing");
        }
        at++;
    }

    private static GenApiException tooLarge() {
        return new GenApiException("The device description is larger or nested deeper than any real one");
    }

    private GenApiException wrong(String what) {
        int line = 1;
        for (int i = 0; i < at && i < end; i++) {
            line += text[i] == '\n' ? 1 : 0;
        }
        return new GenApiException("The device description is not well-formed XML: " + what + " in line " + line);
    }
}
