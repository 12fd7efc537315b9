package io.peregrine.pvaccess;

import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Addresses on which this process accepts connections, from Linux' tables. */
final class ListeningSockets {
    private static final String LISTEN = "0A";
    private static final int ADDRESS_AT = 1;
    private static final int STATE_AT = 3;
    private static final int INODE_AT = 9;

    private ListeningSockets() {}

    static List<String> ofThisProcess() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        Needs.that(Files.isDirectory(descriptors), "Linux, with /proc");
        Set<String> own = new HashSet<>();
        try (Stream<Path> files = Files.list(descriptors)) {
            for (Path file : files.toList()) {
                try {
                    own.add(Files.readSymbolicLink(file).toString());
                } catch (IOException e) {
                    // Closed meanwhile.
                }
            }
        }
        List<String> listening = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            if (Files.isReadable(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] fields = line.trim().split("\\s+", -1);
                    if (fields.length > INODE_AT
                            && fields[STATE_AT].equals(LISTEN)
                            && own.contains("socket:[" + fields[INODE_AT] + "]")) {
                        listening.add(address(fields[ADDRESS_AT]));
                    }
                }
            }
        }
        return listening;
    }

    /** Dotted, for IPv4, which the kernel writes as a number of the host's byte order. */
    private static String address(String hex) {
        String host = hex.substring(0, hex.indexOf(':'));
        if (host.length() > 8) {
            return host;
        }
        StringBuilder text = new StringBuilder();
        for (int at = 6; at >= 0; at -= 2) {
            text.append(Integer.parseInt(host.substring(at, at + 2), 16)).append('.');
        }
        return text.append(Integer.parseInt(hex.substring(hex.indexOf(':') + 1), 16))
                .toString();
    }
}
