package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads XML into elements: what device descriptions use of it, without namespaces and document types. Less than a
 * general parser has to do, since loading a description is often all that a process does.
 */
final class ElementReader {
    private static final int MAX_DEPTH = 64;
    /** Ten times what the largest real description has. */
    private static final int MAX_ELEMENTS = 500_000;

    private static final int MAX_REFERENCE = 12;

    private final char[] text;
    private final int end;
    private final Words words = new Words();
    private int at;
    private int elements;

    // What is open: names as they are written, and what was read of it.
    private final int[] nameStarts = new int[MAX_DEPTH];
    private final int[] nameEnds = new int[MAX_DEPTH];
    private final String[] names = new String[MAX_DEPTH];
    private final List<Map<String, String>> attributes = new ArrayList<>();
    private final List<List<Element>> children = new ArrayList<>();
    private int depth;

    /** Text of an element without children: what was read of it last, and in front of that what was put together. */
    private final StringBuilder pieces = new StringBuilder();

    private String piece = "";

    private ElementReader(char[] text, int start, int end) {
        this.text = text;
        this.end = end;
        at = start;
    }

    /**
     * Reads an element with all that is in it. What follows its end is not looked at.
     *
     * @param text characters of the document
     * @param start where it begins, with a {@code <}
     * @param end behind its last character
     * @throws GenApiException if it is not well-formed, has a document type, or is larger than any description
     */
    static Element read(char[] text, int start, int end) {
        return new ElementReader(text, start, end).read();
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
            throw new GenApiException("The device description is larger or nested deeper than any real one");
        }
        int start = at;
        int local = name();
        nameStarts[depth] = start;
        nameEnds[depth] = at;
        names[depth] = words.of(text, local, at, Words.hash(text, local, at));
        if (attributes.size() == depth) {
            attributes.add(Map.of());
            children.add(new ArrayList<>());
        }
        attributes.set(depth, attributes());
        forgetText();
        if (at < end && text[at] == '/') {
            at++;
            expect('>');
            if (depth > 0) {
                depth++;
                Element empty = close();
                children.get(depth - 1).add(empty);
            }
            return true;
        }
        expect('>');
        depth++;
        return false;
    }

    private Element endTag() {
        int start = ++at;
        name();
        int length = at - start;
        if (depth == 0) {
            throw wrong("an end tag without a start tag");
        }
        int open = nameStarts[depth - 1];
        if (nameEnds[depth - 1] - open != length) {
            throw wrong("the end tag is not that of " + names[depth - 1]);
        }
        for (int i = 0; i < length; i++) {
            if (text[open + i] != text[start + i]) {
                throw wrong("the end tag is not that of " + names[depth - 1]);
            }
        }
        skipBlanks();
        expect('>');
        Element ended = close();
        if (depth > 0) {
            children.get(depth - 1).add(ended);
        }
        return ended;
    }

    /** The innermost open element. The root has depth 0 when it is empty, and 1 else. */
    private Element close() {
        if (depth > 0) {
            depth--;
        }
        List<Element> inside = children.get(depth);
        Element element = new Element(
                names[depth], attributes.get(depth), inside.isEmpty() ? takeText() : "", List.copyOf(inside));
        inside.clear();
        forgetText();
        return element;
    }

    /** Reads a name, and gives where it begins behind its prefix. */
    private int name() {
        int start = at;
        int local = at;
        while (at < end && partOfName(text[at])) {
            if (text[at] == ':') {
                local = at + 1;
            }
            at++;
        }
        if (start == at || (text[start] >= '0' && text[start] <= '9') || text[start] == '-' || text[start] == '.') {
            throw wrong("a name is missing");
        }
        return local == at ? start : local;
    }

    private static boolean partOfName(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == ':'
                || c == '-'
                || c == '.'
                || c >= 0xB7;
    }

    private Map<String, String> attributes() {
        Map<String, String> found = Map.of();
        while (true) {
            int before = at;
            skipBlanks();
            if (at == end) {
                throw wrong("it ends inside a tag");
            }
            if (text[at] == '>' || text[at] == '/') {
                return found.size() < 2 ? found : Map.copyOf(found);
            }
            if (before == at) {
                throw wrong("a blank is missing in front of an attribute");
            }
            int local = name();
            String name = words.of(text, local, at, Words.hash(text, local, at));
            skipBlanks();
            expect('=');
            skipBlanks();
            String value = value();
            if (found.isEmpty()) {
                found = Map.of(name, value);
            } else {
                if (found.size() == 1) {
                    found = new HashMap<>(found);
                }
                found.putIfAbsent(name, value);
            }
        }
    }

    private String value() {
        char quote = at < end ? text[at] : ' ';
        if (quote != '"' && quote != '\'') {
            throw wrong("the value of an attribute is not in quotes");
        }
        int start = ++at;
        int hash = 0;
        boolean plain = true;
        while (at < end && text[at] != quote) {
            char c = text[at];
            if (c == '<') {
                throw wrong("'<' in the value of an attribute");
            }
            plain &= c != '&' && c >= ' ';
            hash = 31 * hash + c;
            at++;
        }
        if (at == end) {
            throw wrong("it ends inside the value of an attribute");
        }
        int behind = at++;
        if (plain) {
            return words.of(text, start, behind, hash);
        }
        StringBuilder value = new StringBuilder();
        appendResolved(value, start, behind);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\n' || value.charAt(i) == '\t') {
                value.setCharAt(i, ' ');
            }
        }
        return words.of(value);
    }

    // ---- Text

    private void characters() {
        int start = at;
        int hash = 0;
        boolean plain = true;
        boolean blank = true;
        while (at < end && text[at] != '<') {
            char c = text[at];
            plain &= c != '&' && c != '\r';
            blank &= c <= ' ';
            hash = 31 * hash + c;
            at++;
        }
        if (depth == 0) {
            if (!blank) {
                throw wrong("text outside of the root element");
            }
            return;
        }
        if (!children.get(depth - 1).isEmpty()) {
            // Nothing but blanks between elements counts for anything; references in it must be well-formed all the
            // same.
            if (!plain) {
                appendResolved(new StringBuilder(), start, at);
            }
            return;
        }
        if (plain && pieces.length() == 0 && piece.isEmpty()) {
            piece = words.of(text, start, at, hash);
        } else {
            toPieces();
            appendResolved(pieces, start, at);
        }
    }

    private void toPieces() {
        pieces.append(piece);
        piece = "";
    }

    private String takeText() {
        return pieces.length() == 0 ? piece : words.of(pieces);
    }

    private void forgetText() {
        piece = "";
        if (pieces.length() > 0) {
            pieces.setLength(0);
        }
    }

    /** Appends text with its references resolved and its line ends as one character each. */
    private void appendResolved(StringBuilder target, int start, int behind) {
        int i = start;
        while (i < behind) {
            char c = text[i++];
            if (c == '\r') {
                target.append('\n');
                if (i < behind && text[i] == '\n') {
                    i++;
                }
            } else if (c == '&') {
                int semicolon = i;
                while (semicolon < behind && semicolon < i + MAX_REFERENCE && text[semicolon] != ';') {
                    semicolon++;
                }
                if (semicolon == behind || text[semicolon] != ';') {
                    throw wrong("a reference without its end");
                }
                target.appendCodePoint(referenced(new String(text, i, semicolon - i)));
                i = semicolon + 1;
            } else {
                target.append(c);
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
                boolean allowed = character == '\t'
                        || character == '\n'
                        || character == '\r'
                        || (character >= ' ' && character <= 0xD7FF)
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
            for (int i = start; i < at - 3; i++) {
                if (text[i] == '\r') {
                    pieces.append('\n');
                    i += text[i + 1] == '\n' ? 1 : 0;
                } else {
                    pieces.append(text[i]);
                }
            }
        } else if (follows("!DOCTYPE")) {
            throw new GenApiException("The device description has a DOCTYPE, which is refused");
        } else {
            throw wrong("an unknown declaration");
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

    private void skipBlanks() {
        while (at < end && text[at] <= ' ') {
            at++;
        }
    }

    private void expect(char c) {
        if (at == end || text[at] != c) {
            throw wrong("'" + c + "' is missing");
        }
        at++;
    }

    private GenApiException wrong(String what) {
        int line = 1;
        for (int i = 0; i < at && i < end; i++) {
            line += text[i] == '\n' ? 1 : 0;
        }
        return new GenApiException("The device description is not well-formed XML: " + what + " in line " + line);
    }
}
