package io.peregrine.rocev2;

import io.peregrine.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Captures of RoCEv2 of the optional test data. */
final class Pcap {
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int ETHERNET = 1;
    private static final int ETHERNET_BYTES = 14;
    private static final int UDP_PORT = 4791;

    private Pcap() {}

    /** Path of a capture or of {@code golden/NAME.hex}; skips the test where it is missing. */
    static Path file(String name) {
        return TestData.file("rocev2/" + name);
    }

    /** Every capture there is; skips the test where there is none. */
    static List<Path> files() {
        Path folder = file("rdma_cm_rping.pcap").getParent();
        try (var list = Files.list(folder)) {
            return list.filter(path -> path.toString().endsWith(".pcap"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The IPv4 packets to UDP port 4791 in a capture (classic pcap of Ethernet), from the IP header on, without
     * padding.
     */
    static List<byte[]> ipv4Packets(Path capture) {
        ByteBuffer file = ByteBuffer.wrap(read(capture)).order(ByteOrder.LITTLE_ENDIAN);
        if (file.getInt(0) != MAGIC) {
            file.order(ByteOrder.BIG_ENDIAN);
        }
        if (file.getInt(0) != MAGIC || file.getInt(20) != ETHERNET) {
            throw new IllegalArgumentException(capture + " is not a classic pcap of Ethernet frames");
        }
        List<byte[]> packets = new ArrayList<>();
        int at = FILE_HEADER_BYTES;
        while (at < file.limit()) {
            int frameBytes = file.getInt(at + 8);
            ByteBuffer frame = file.slice(at + RECORD_HEADER_BYTES, frameBytes).order(ByteOrder.BIG_ENDIAN);
            at += RECORD_HEADER_BYTES + frameBytes;
            if (frameBytes >= ETHERNET_BYTES + 28
                    && frame.getShort(12) == 0x0800
                    && frame.get(ETHERNET_BYTES) == 0x45
                    && frame.get(ETHERNET_BYTES + 9) == 17
                    && frame.getShort(ETHERNET_BYTES + 22) == UDP_PORT) {
                byte[] packet = new byte[Short.toUnsignedInt(frame.getShort(ETHERNET_BYTES + 2))];
                frame.get(ETHERNET_BYTES, packet);
                packets.add(packet);
            }
        }
        return packets;
    }

    /** The packet in a file of hexadecimal digits, from the IP header on. */
    static byte[] hex(Path file) {
        return HexFormat.of().parseHex(new String(read(file), StandardCharsets.US_ASCII).strip());
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
