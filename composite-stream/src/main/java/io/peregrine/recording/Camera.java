package io.peregrine.recording;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The camera that a recording was made with, as far as the recorder was told.
 *
 * @param settings values of features as text, by name, in the order in which they are to be set
 * @param xml description of the features, unzipped
 */
public record Camera(Map<String, String> settings, Optional<byte[]> xml) {
    /** Nothing is known. */
    public static final Camera UNKNOWN = new Camera(Map.of(), Optional.empty());

    /** Copies what is given. */
    public Camera {
        Map<String, String> copy = new LinkedHashMap<>();
        settings.forEach((name, value) ->
                copy.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value")));
        settings = java.util.Collections.unmodifiableMap(copy);
        xml = xml.map(byte[]::clone);
    }

    /** A copy of the description. */
    @Override
    public Optional<byte[]> xml() {
        return xml.map(byte[]::clone);
    }

    /** A line for each setting: name, tab, value. Backslash, tab and line ends are written as in Java. */
    byte[] settingsText() {
        StringBuilder text = new StringBuilder();
        settings.forEach((name, value) ->
                text.append(escaped(name)).append('\t').append(escaped(value)).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads {@link #settingsText()}; lines without a tab are left out. */
    static Map<String, String> settings(byte[] text) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String line : new String(text, StandardCharsets.UTF_8).split("\n", -1)) {
            int tab = line.indexOf('\t');
            if (tab > 0) {
                settings.put(plain(line.substring(0, tab)), plain(line.substring(tab + 1)));
            }
        }
        return settings;
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String plain(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                i++;
                char next = text.charAt(i);
                result.append(
                        switch (next) {
                            case 't' -> '\t';
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            default -> next;
                        });
            } else if (c != '\r') {
                result.append(c);
            }
        }
        return result.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Camera camera
                && settings.equals(camera.settings)
                && xml.isPresent() == camera.xml.isPresent()
                && Arrays.equals(xml.orElse(null), camera.xml.orElse(null));
    }

    @Override
    public int hashCode() {
        return settings.hashCode() * 31 + Arrays.hashCode(xml.orElse(null));
    }

    @Override
    public String toString() {
        return "Camera[" + settings.size() + " settings, "
                + xml.map(bytes -> bytes.length + " bytes of XML").orElse("no XML") + "]";
    }
}
