package io.peregrine.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Threads and sockets of this process, for tests that look for what was left behind. */
final class OwnResources {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)\\]");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int INODE_COLUMN = 9;

    private OwnResources() {}

    /** Names of the threads of the library, without those of virtual cameras. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("gvcp-")
                        || (name.startsWith("peregrine-") && !name.startsWith("peregrine-camera-")))
                .sorted()
                .toList();
    }

    /** Waits for threads that end by themselves. */
    static void awaitThreads(List<String> expected, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!threads().equals(expected) && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
    }

    /** Inodes of the UDP sockets that are open, as the kernel of Linux tells; empty on other systems. */
    static Set<String> udpSockets() {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return Set.of();
        }
        Set<String> udp = new HashSet<>();
        try {
            for (String table : List.of("/proc/self/net/udp", "/proc/self/net/udp6")) {
                if (Files.exists(Path.of(table))) {
                    Files.readAllLines(Path.of(table)).stream()
                            .skip(1)
                            .map(line -> BLANKS.split(line.strip(), INODE_COLUMN + 2)[INODE_COLUMN])
                            .forEach(udp::add);
                }
            }
            Set<String> own = new TreeSet<>();
            try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
                descriptors.forEach(descriptor -> addSocket(descriptor, own));
            }
            own.retainAll(udp);
            return own;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addSocket(Path descriptor, Set<String> sockets) {
        try {
            Matcher matcher = SOCKET.matcher(Files.readSymbolicLink(descriptor).toString());
            if (matcher.matches()) {
                sockets.add(matcher.group(1));
            }
        } catch (IOException e) {
            // It was closed meanwhile.
        }
    }
}
