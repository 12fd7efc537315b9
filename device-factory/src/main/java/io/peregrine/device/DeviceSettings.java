package io.peregrine.device;

import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.internal.WholeFile;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Saves the settings of a device to a file, and loads them: all features that its description marks as streamable,
 * through every selection. The file is the text that GenICam tools exchange, or JSON where its name ends with
 * {@code .json}.
 *
 * <p>Methods may be called from any thread; no other thread should set features meanwhile.
 */
public final class DeviceSettings {
    private static final int MAX_BYTES = 64 << 20;

    private final NodeMap nodes;
    private final Optional<Port> readOnly;

    /**
     * The settings of a device.
     *
     * @param readOnly its registers, if the device is not under control
     */
    DeviceSettings(NodeMap nodes, Optional<Port> readOnly) {
        this.nodes = nodes;
        this.readOnly = readOnly;
    }

    /**
     * The present settings. Selectors are moved on the way and put back; what could not be read is listed. With
     * {@code AccessMode=ReadOnly} nothing is written to the device: values that it only gives once a selector was moved
     * are listed as failures then.
     */
    public Settings read() {
        return readOnly.isEmpty()
                ? Settings.save(nodes)
                : Settings.saveWithoutControl(nodes.description().nodeMap(new WithheldWrites(readOnly.get())));
    }

    /**
     * Sets the device up. Everything is tried, and again as long as that helps, because the range of one feature can
     * hang on another; then everything is read back and compared. A command is not executed.
     *
     * @return what could not be set, or is not what was set, with the reason; empty when all went well
     */
    public List<Settings.Failure> apply(Settings settings) {
        return settings.load(nodes, true);
    }

    /**
     * Saves the present settings to a file. A file that is there already is replaced when the new one is complete.
     *
     * @return what was saved, and what could not be read
     * @throws DeviceException if the file cannot be written
     */
    public Settings save(Path file) {
        Settings settings = read();
        String text = isJson(file) ? SettingsJson.of(settings) : settings.toText();
        try {
            WholeFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new DeviceException("The settings cannot be written to " + file + ": " + FileFailure.reason(e), e);
        }
        return settings;
    }

    /**
     * Loads settings from a file in either form, recognized by its content.
     *
     * @return what could not be set, with the reason; empty when all went well
     * @throws DeviceException if the file cannot be read
     * @throws io.peregrine.genapi.GenApiException if a line of it cannot be understood
     */
    public List<Settings.Failure> load(Path file) {
        return apply(readFile(file));
    }

    /**
     * Reads a file in either form without setting anything.
     *
     * @throws DeviceException if the file cannot be read
     * @throws io.peregrine.genapi.GenApiException if a line of it cannot be understood
     */
    public Settings readFile(Path file) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new DeviceException("The settings cannot be read from " + file + ": " + FileFailure.reason(e), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new DeviceException(file + " is larger than " + MAX_BYTES + " bytes: these are no settings");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            Settings settings = text.stripLeading().startsWith("{") ? SettingsJson.parse(text) : Settings.parse(text);
            // Of a camera that has nothing to save, the file says at least which one it was.
            if (settings.settings().isEmpty() && settings.device().isBlank()) {
                throw new DeviceException(file + " holds no value of a feature: these are no settings");
            }
            return settings;
        } catch (CharacterCodingException e) {
            throw new DeviceException(file + " is no text in UTF-8: these are no settings", e);
        }
    }

    private static boolean isJson(Path file) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
    }
}
