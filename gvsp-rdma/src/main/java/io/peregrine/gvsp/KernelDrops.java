package io.peregrine.gvsp;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Packets that the kernel dropped for lack of room in a socket's buffer, as Linux reports in {@code /proc/net/udp}. Not
 * known on other systems.
 *
 * <p>Several sockets may have the address of a group. Java does not show which of them a channel has: it is the only
 * one that was not there before.
 */
final class KernelDrops {
    private static final Path TABLE = Path.of("/proc/net/udp");
    private static final int LOCAL_ADDRESS_COLUMN = 1;
    private static final int INODE_COLUMN = 9;
    private static final int DROPS_COLUMN = 12;

    private final Path table;
    /** The sockets of others; empty if unknown. */
    private final Optional<Set<String>> others;
    /** What identifies the socket; empty while it is not known. */
    private String inode = "";

    /** Takes note of the sockets that there are, before the one to watch is opened. */
    KernelDrops() {
        this(TABLE);
    }

    KernelDrops(Path table) {
        this.table = table;
        others = rows(row -> true)
                .map(rows -> rows.stream().map(row -> row[INODE_COLUMN]).collect(Collectors.toSet()));
    }

    /** Watches the socket that was opened since; none if others were opened at its address at the same time. */
    void watch(InetAddress localAddress, int localPort) {
        if (others.isEmpty() || !(localAddress instanceof Inet4Address)) {
            return;
        }
        String address = column(localAddress.getAddress(), localPort);
        List<String[]> opened = rows(row -> row[LOCAL_ADDRESS_COLUMN].equals(address)
                        && !others.get().contains(row[INODE_COLUMN]))
                .orElse(List.of());
        if (opened.size() == 1) {
            inode = opened.get(0)[INODE_COLUMN];
        }
    }

    /** The count since the socket was opened; empty where the system does not report it, or not for sure. */
    OptionalLong read() {
        List<String[]> watched = inode.isEmpty()
                ? List.of()
                : rows(row -> row[INODE_COLUMN].equals(inode)).orElse(List.of());
        try {
            return watched.stream()
                    .mapToLong(row -> Long.parseUnsignedLong(row[DROPS_COLUMN]))
                    .findFirst();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private Optional<List<String[]>> rows(Predicate<String[]> wanted) {
        List<String[]> rows = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > DROPS_COLUMN && wanted.test(columns)) {
                    rows.add(columns);
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(rows);
    }

    /** The kernel prints the address as a number in the byte order of the machine, and the port as a plain number. */
    private static String column(byte[] octets, int port) {
        boolean little = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < octets.length; i++) {
            text.append(String.format(Locale.ROOT, "%02X", octets[little ? octets.length - 1 - i : i]));
        }
        return text.append(String.format(Locale.ROOT, ":%04X", port)).toString();
    }
}
