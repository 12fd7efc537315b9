package io.peregrine.recording;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The camera that a recording was made with, as far as the recorder knows it.
 *
 * @param properties what it says of itself, by name, for example {@code DeviceModel}
 * @param settings its settings as text, in the format of the program that saved them; empty text when unknown
 * @param registers content of its registers, in the format of the program that saved them
 * @param xml description of its features, unzipped
 */
public record Camera(
        Map<String, String> properties, String settings, Optional<byte[]> registers, Optional<byte[]> xml) {
    /** Nothing is known. */
    public static final Camera UNKNOWN = new Camera(Map.of(), "", Optional.empty(), Optional.empty());

    /** Copies what is given. */
    public Camera {
        Map<String, String> copy = new LinkedHashMap<>();
        properties.forEach((name, value) ->
                copy.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value")));
        properties = Collections.unmodifiableMap(copy);
        Objects.requireNonNull(settings, "settings");
        registers = registers.map(byte[]::clone);
        xml = xml.map(byte[]::clone);
    }

    /** A copy of the registers. */
    @Override
    public Optional<byte[]> registers() {
        return registers.map(byte[]::clone);
    }

    /** A copy of the description. */
    @Override
    public Optional<byte[]> xml() {
        return xml.map(byte[]::clone);
    }

    /** All but the XML: properties and settings, each after its length, then the registers. */
    byte[] toBytes() {
        StringBuilder text = new StringBuilder();
        properties.forEach((name, value) ->
                text.append(escaped(name)).append('\t').append(escaped(value)).append('\n'));
        byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] settingsText = settings.getBytes(StandardCharsets.UTF_8);
        byte[] memory = registers.orElse(new byte[0]);
        long size = 8L + lines.length + settingsText.length + memory.length;
        if (size > RecordHeader.MAX_METADATA_BYTES) {
            throw new RecordingException("The settings of the camera have " + size + " bytes, more than a recording"
                    + " can hold: record without them");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(lines.length)
                .put(lines)
                .putInt(settingsText.length)
                .put(settingsText)
                .put(memory);
        return bytes.array();
    }

    /**
     * Reads {@link #toBytes()}.
     *
     * @param bytes little-endian
     * @param xml the description
     * @throws RecordingException if it contradicts itself
     */
    static Camera parse(ByteBuffer bytes, Optional<byte[]> xml) {
        String lines = text(bytes);
        String settings = text(bytes);
        byte[] memory = new byte[bytes.remaining()];
        bytes.get(memory);
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : lines.split("\n", -1)) {
            int tab = line.indexOf('\t');
            if (tab > 0) {
                properties.put(plain(line.substring(0, tab)), plain(line.substring(tab + 1)));
            }
        }
        return new Camera(properties, settings, memory.length == 0 ? Optional.empty() : Optional.of(memory), xml);
    }

    private static String text(ByteBuffer bytes) {
        int length = bytes.remaining() < 4 ? -1 : bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new RecordingException("The settings of the camera contradict their length");
        }
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
    }

    private static String plain(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                i++;
                char next = text.charAt(i);
                result.append(next == 't' ? '\t' : next == 'n' ? '\n' : next);
            } else {
                result.append(c);
            }
        }
        return result.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Camera camera
                && properties.equals(camera.properties)
                && settings.equals(camera.settings)
                && Arrays.equals(registers.orElse(null), camera.registers.orElse(null))
                && Arrays.equals(xml.orElse(null), camera.xml.orElse(null));
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                properties, settings, Arrays.hashCode(registers.orElse(null)), Arrays.hashCode(xml.orElse(null)));
    }

    @Override
    public String toString() {
        return "Camera[" + properties + ", "
                + settings.lines().count() + " lines of settings, "
                + registers.map(bytes -> bytes.length).orElse(0) + " bytes of registers, "
                + xml.map(bytes -> bytes.length).orElse(0) + " bytes of XML]";
    }
}
