package io.peregrine.discovery.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether any host answers at an address. */
final class Neighbours {
    private static final Path KERNEL_TABLE = Path.of("/proc/net/arp");
    private static final int FLAGS_COLUMN = 2;
    private static final int COMPLETE = 0x2;
    private static final int WAIT_MILLIS = 150;
    private static final int ONE_HOP = 1;

    private Neighbours() {}

    /**
     * Asks for an address on an interface. A device that answers nothing else still answers the question for its MAC
     * address (ARP), which the kernel (Linux) keeps.
     */
    static boolean present(HostInterface there, InetAddress address) {
        try {
            NetworkInterface network = NetworkInterface.getByName(there.name());
            return network != null
                    && (address.isReachable(network, ONE_HOP, WAIT_MILLIS) || resolved(kernelTable(), address));
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> kernelTable() throws IOException {
        return Files.isReadable(KERNEL_TABLE) ? Files.readAllLines(KERNEL_TABLE, StandardCharsets.US_ASCII) : List.of();
    }

    /** Looks an address up in the text of Linux' /proc/net/arp. */
    static boolean resolved(List<String> table, InetAddress address) {
        for (String line : table) {
            String[] columns = line.trim().split("\\s+", -1);
            if (columns.length > FLAGS_COLUMN && columns[0].equals(address.getHostAddress())) {
                return columns[FLAGS_COLUMN].startsWith("0x")
                        && (Integer.parseInt(columns[FLAGS_COLUMN].substring(2), 16) & COMPLETE) != 0;
            }
        }
        return false;
    }
}
