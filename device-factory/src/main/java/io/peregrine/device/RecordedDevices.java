package io.peregrine.device;

import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.recording.Camera;
import io.peregrine.recording.Recording;
import io.peregrine.recording.RecordingException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds recordings in files, as discovery finds devices in the network. */
final class RecordedDevices {
    private static final System.Logger LOGGER = System.getLogger(RecordedDevices.class.getName());
    static final String TOKEN_PREFIX = "file:";

    private RecordedDevices() {}

    /**
     * All recordings that paths mean: themselves, or what lies in them when they are directories. What cannot be read
     * is skipped.
     */
    static List<DiscoveryInformation> find(List<String> paths) {
        List<DiscoveryInformation> found = new ArrayList<>();
        for (String text : paths) {
            try {
                Path path = Path.of(text);
                List<Path> candidates =
                        Recording.isRecording(path) || !Files.isDirectory(path) ? List.of(path) : in(path);
                candidates.forEach(candidate -> at(candidate).ifPresent(found::add));
            } catch (IOException | IllegalArgumentException | RecordingException e) {
                LOGGER.log(System.Logger.Level.WARNING, "No recordings are looked for in " + text, e);
            }
        }
        return found;
    }

    /** What is at a path, if that is a recording that can be read: one that was cut short leaves the others. */
    private static Optional<DiscoveryInformation> at(Path path) {
        try {
            return Recording.isRecording(path) ? Optional.of(information(path)) : Optional.empty();
        } catch (IllegalArgumentException | RecordingException e) {
            LOGGER.log(System.Logger.Level.WARNING, "The recording " + path + " cannot be read, and is skipped", e);
            return Optional.empty();
        }
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }

    /**
     * The recording that an access token means.
     *
     * @param token {@code file:} and a path, or a file URI
     * @throws DeviceNotFoundException if there is none
     */
    static DiscoveryInformation ofToken(String token) {
        Path path;
        try {
            path = token.startsWith(TOKEN_PREFIX + "///")
                    ? Path.of(URI.create(token))
                    : Path.of(token.substring(TOKEN_PREFIX.length()));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            throw new DeviceException("'" + token + "' is no path to a recording", e);
        }
        if (!Files.exists(path)) {
            throw new DeviceNotFoundException("There is no recording at " + path);
        }
        if (!Files.isReadable(path)) {
            throw new DeviceException(path + " cannot be read: permission denied");
        }
        if (!Recording.isRecording(path)) {
            throw new DeviceException(
                    path + " is no recording: give a file or directory that a recorder made, or a" + " .gendc file");
        }
        return information(path);
    }

    private static DiscoveryInformation information(Path path) {
        Camera camera = Recording.cameraOf(path);
        InetAddress none = LocalInterface.ipv4("0.0.0.0");
        DiscoveredDevice device = new DiscoveredDevice(
                none,
                0,
                new MacAddress(0),
                none,
                none,
                property(camera, "DeviceVendor", ""),
                property(camera, "DeviceModel", "Recording"),
                property(camera, "DeviceVersion", ""),
                property(camera, "DeviceManufacturerInfo", ""),
                property(camera, "DeviceSerialNumber", ""),
                property(camera, "DeviceUsername", path.getFileName().toString()),
                0,
                0,
                "file",
                none,
                false);
        return new DiscoveryInformation(device, path);
    }

    private static String property(Camera camera, String name, String otherwise) {
        String value = camera.properties().getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
