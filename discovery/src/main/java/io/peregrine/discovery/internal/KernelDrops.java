package io.peregrine.discovery.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Datagrams that the kernel dropped because the buffer of a socket was full, as Linux counts them in
 * {@code /proc/net/udp}. None are known on other systems.
 */
final class KernelDrops {
    private static final Path TABLE = Path.of("/proc/net/udp");
    private static final int LOCAL_ADDRESS_COLUMN = 1;
    private static final int DROPS_COLUMN = 12;

    private KernelDrops() {}

    /** How many, at all sockets of some local ports, since these were opened. */
    static long at(Set<Integer> ports) {
        if (ports.isEmpty() || !Files.isReadable(TABLE)) {
            return 0;
        }
        try {
            return in(Files.readAllLines(TABLE, StandardCharsets.US_ASCII), ports);
        } catch (IOException e) {
            return 0;
        }
    }

    static long in(List<String> table, Set<Integer> ports) {
        Set<String> ends = ports.stream()
                .map(port -> String.format(Locale.ROOT, "%04X", port))
                .collect(Collectors.toSet());
        long sum = 0;
        for (String line : table) {
            String[] columns = line.strip().split("\\s+", -1);
            if (columns.length > DROPS_COLUMN
                    && ends.contains(columns[LOCAL_ADDRESS_COLUMN].replaceFirst(".*:", ""))
                    && columns[DROPS_COLUMN].matches("\\d{1,18}")) {
                sum += Long.parseLong(columns[DROPS_COLUMN]);
            }
        }
        return sum;
    }
}
