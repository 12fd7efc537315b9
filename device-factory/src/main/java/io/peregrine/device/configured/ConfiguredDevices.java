package io.peregrine.device.configured;

import io.peregrine.device.internal.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The file of configured devices, which programs, the command line and the camera browser share. It is read each time,
 * so that a program sees what another one wrote. Safe for use by several threads; of two programs that write at the
 * same time, one wins.
 */
public final class ConfiguredDevices {
    private static final int MAX_BYTES = 1 << 20;

    private final Path file;

    private ConfiguredDevices(Path file) {
        this.file = file;
    }

    /** The devices in a file, which need not be there. */
    public static ConfiguredDevices in(Path file) {
        return new ConfiguredDevices(file);
    }

    /**
     * The file of a user: {@code peregrine/devices.json} in the folder for configuration.
     *
     * @param environment variables, of which XDG_CONFIG_HOME or APPDATA name that folder
     * @param home folder of the user
     * @param system name of the operating system
     */
    public static Path defaultFile(Map<String, String> environment, String home, String system) {
        boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
        String named = environment.getOrDefault(windows ? "APPDATA" : "XDG_CONFIG_HOME", "");
        Path folder = named.isEmpty() ? Path.of(home, ".config") : Path.of(named);
        return folder.resolve("peregrine").resolve("devices.json");
    }

    /** Where they are kept. */
    public Path file() {
        return file;
    }

    /**
     * All of them, in the order of the file.
     *
     * @throws ConfiguredDevicesException if the file cannot be read, or holds something else
     */
    public List<ConfiguredDevice> list() {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new ConfiguredDevicesException(
                    "The configured devices in " + file + " cannot be read: " + reason(e), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new ConfiguredDevicesException(
                    file + " is larger than " + MAX_BYTES + " bytes: these are no configured devices");
        }
        try {
            return DevicesJson.parse(bytes);
        } catch (ConfiguredDevicesException e) {
            throw new ConfiguredDevicesException(
                    "The configured devices in " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * The device of a name.
     *
     * @throws ConfiguredDevicesException if the file cannot be used
     */
    public Optional<ConfiguredDevice> find(String name) {
        return list().stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /**
     * Adds a device, or puts it in the place of the one of its name.
     *
     * @throws ConfiguredDevicesException if the file cannot be read or written
     */
    public void put(ConfiguredDevice device) {
        alone(() -> {
            List<ConfiguredDevice> devices = new ArrayList<>(list());
            int at = indexOf(devices, device.name());
            if (at < 0) {
                devices.add(device);
            } else {
                devices.set(at, device);
            }
            write(devices);
            return true;
        });
    }

    /**
     * Removes a device.
     *
     * @return whether there was one of that name
     * @throws ConfiguredDevicesException if the file cannot be read or written
     */
    public boolean remove(String name) {
        return alone(() -> {
            List<ConfiguredDevice> devices = new ArrayList<>(list());
            boolean removed = devices.removeIf(device -> device.name().equals(name));
            if (removed) {
                write(devices);
            }
            return removed;
        });
    }

    /**
     * Reads and writes without another thread or program between: a file beside the devices is locked. The lock of a
     * program that ends is gone with it; the file stays.
     */
    private boolean alone(BooleanSupplier change) {
        synchronized (ConfiguredDevices.class) {
            try {
                Path target = target();
                Files.createDirectories(target.resolveSibling("."));
                try (FileChannel channel = FileChannel.open(
                                target.resolveSibling(target.getFileName() + ".lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                        FileLock lock = channel.lock()) {
                    return lock.isValid() && change.getAsBoolean();
                }
            } catch (IOException e) {
                throw cannotWrite(e);
            }
        }
    }

    /** The file itself where there is a link to it. */
    private Path target() throws IOException {
        return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    }

    private ConfiguredDevicesException cannotWrite(IOException e) {
        return new ConfiguredDevicesException(
                "The configured devices cannot be written to " + file + ": " + reason(e), e);
    }

    private static int indexOf(List<ConfiguredDevice> devices, String name) {
        for (int i = 0; i < devices.size(); i++) {
            if (devices.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private void write(List<ConfiguredDevice> devices) {
        byte[] bytes = DevicesJson.of(devices);
        if (bytes.length > MAX_BYTES) {
            throw new ConfiguredDevicesException("There are too many configured devices for " + file);
        }
        try {
            WholeFile.writePrivate(file, out -> out.write(bytes));
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "") + " " + e.getMessage();
    }
}
