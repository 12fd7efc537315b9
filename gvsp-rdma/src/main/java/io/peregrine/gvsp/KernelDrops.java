package io.peregrine.gvsp;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Packets that the kernel dropped for lack of room in a socket's buffer, as Linux reports in {@code /proc/net/udp}. Not
 * known on other systems.
 */
final class KernelDrops {
    private static final Path TABLE = Path.of("/proc/net/udp");
    private static final int LOCAL_ADDRESS_COLUMN = 1;
    private static final int DROPS_COLUMN = 12;

    private final String address;
    private final Path table;

    KernelDrops(InetAddress localAddress, int localPort) {
        this(localAddress, localPort, TABLE);
    }

    KernelDrops(InetAddress localAddress, int localPort, Path table) {
        address = localAddress instanceof Inet4Address ? column(localAddress.getAddress(), localPort) : "";
        this.table = table;
    }

    /** The count since the socket was opened; empty where the system does not report it. */
    OptionalLong read() {
        if (address.isEmpty() || !Files.isReadable(table)) {
            return OptionalLong.empty();
        }
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > DROPS_COLUMN && columns[LOCAL_ADDRESS_COLUMN].equals(address)) {
                    return OptionalLong.of(Long.parseUnsignedLong(columns[DROPS_COLUMN]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
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
