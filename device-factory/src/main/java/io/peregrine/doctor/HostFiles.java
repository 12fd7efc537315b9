package io.peregrine.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the kernel describes a host. What is not there, or may not be read, is empty: the kernel omits files that mean
 * nothing on a host, and refuses to read some that are there.
 *
 * @param sys {@code /sys}
 * @param proc {@code /proc}
 * @param dev {@code /dev}
 */
public record HostFiles(Path sys, Path proc, Path dev) {
    private static final int MAX_BYTES = 1 << 18;

    /** Those of this host. */
    public static HostFiles system() {
        return new HostFiles(Path.of("/sys"), Path.of("/proc"), Path.of("/dev"));
    }

    /**
     * Content of a file without white space around it, its first 256 KiB at most.
     *
     * <p>Not by {@link Files#readString}, which asks for one byte first where the size is reported as 0: files of
     * {@code /proc/sys} are at their end then, and only the first digit of a number is seen.
     */
    public static Optional<String> text(Path file) {
        byte[] bytes = new byte[MAX_BYTES];
        int length = 0;
        try (InputStream in = Files.newInputStream(file)) {
            int count;
            while (length < bytes.length && (count = in.read(bytes, length, bytes.length - length)) > 0) {
                length += count;
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** The decimal number in a file. */
    public static OptionalLong number(Path file) {
        return text(file)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElseGet(OptionalLong::empty);
    }

    /**
     * An IPv4 address as tables of the kernel have it: the word in memory in hexadecimal digits, which is little-endian
     * on the hosts that this is for.
     */
    public static String address(String eightDigits) {
        long word = Long.parseLong(eightDigits, 16);
        return (word & 0xFF) + "." + (word >> 8 & 0xFF) + "." + (word >> 16 & 0xFF) + "." + (word >> 24);
    }

    /** Names in a folder, sorted, by number where they are numbers. */
    public static List<String> names(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        names.sort((a, b) -> a.length() != b.length() && a.matches("\\d+") && b.matches("\\d+")
                ? Integer.compare(a.length(), b.length())
                : a.compareTo(b));
        return names;
    }
}
