package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets of the kernel's Soft-RoCE and of a peer in Python, captured beside the project. */
class CapturedPacketsTest {
    /** Packets whose checksum is wrong on purpose, one in the capture of the peer in user space. */
    private static final int DAMAGED = 1;

    private final Icrc icrc = new Icrc();

    @Test
    void everyChecksumIsTheOneThatWeCompute() {
        int damaged = 0;
        for (Path capture : Pcap.files()) {
            for (byte[] packet : Pcap.ipv4Packets(capture)) {
                ByteBuffer ip = ByteBuffer.wrap(packet);
                int identification = ip.getShort(4) & 0xFFFF;
                int length = packet.length - 28;
                ByteBuffer udp = ByteBuffer.allocateDirect(length).put(packet, 28, length);
                int computed = icrc.compute(
                        ip.getInt(12),
                        ip.getShort(20) & 0xFFFF,
                        ip.getInt(16),
                        ip.getShort(22) & 0xFFFF,
                        identification,
                        udp,
                        0,
                        length);
                if (computed != Icrc.get(udp, 0, length)) {
                    damaged++;
                }
            }
        }

        assertEquals(DAMAGED, damaged);
    }

    @Test
    void theIdentificationOfTheIpHeaderIsFoundFromTheChecksum() {
        int wrong = 0;
        for (Path capture : Pcap.files()) {
            for (byte[] packet : Pcap.ipv4Packets(capture)) {
                ByteBuffer ip = ByteBuffer.wrap(packet);
                int length = packet.length - 28;
                ByteBuffer udp = ByteBuffer.allocateDirect(length).put(packet, 28, length);
                int found = icrc.check(
                        ip.getInt(12),
                        ip.getShort(20) & 0xFFFF,
                        ip.getInt(16),
                        ip.getShort(22) & 0xFFFF,
                        udp,
                        0,
                        length);
                if (found != (ip.getShort(4) & 0xFFFF)) {
                    wrong++;
                }
            }
        }

        assertEquals(DAMAGED, wrong);
    }

    @Test
    void everyPacketComesOutAsItWentIn() {
        List<String> different = new ArrayList<>();
        for (Path capture : Pcap.files()) {
            for (byte[] packet : Pcap.ipv4Packets(capture)) {
                ByteBuffer udp = ByteBuffer.wrap(packet, 28, packet.length - 28).slice();
                boolean same = RocePacket.parse(udp, 0, udp.capacity())
                        .map(parsed -> parsed.encode().equals(udp))
                        .orElse(false);
                if (!same) {
                    different.add(capture.getFileName() + ": " + RocePacket.parse(udp, 0, udp.capacity()));
                }
            }
        }

        assertEquals(List.of(), different);
    }

    @Test
    void onlyPacketsThatBreakTheRulesAreNotWellFormed() {
        List<Integer> refused = new ArrayList<>();
        for (Path capture : Pcap.files()) {
            for (byte[] packet : Pcap.ipv4Packets(capture)) {
                ByteBuffer udp = ByteBuffer.wrap(packet, 28, packet.length - 28).slice();
                if (!Headers.wellFormed(udp, 0, udp.capacity())) {
                    refused.add(Headers.opcode(udp, 0));
                }
            }
        }

        // Version 1, partition key 0x1234 and opcode 0x1f, sent to see the kernel drop them.
        assertEquals(3, refused.size(), refused::toString);
    }

    @Test
    void aPacketTellsWhatItIs() {
        byte[] packet = Pcap.hex(Pcap.file("golden/35-write-first.hex"));
        ByteBuffer udp = ByteBuffer.wrap(packet, 28, packet.length - 28).slice();

        assertEquals(
                "WRITE_FIRST to queue pair 0x11, sequence number 4665, address 0x7f2cb02e12d0 key 0x241 length 5003,"
                        + " 1024 bytes",
                RocePacket.parse(udp, 0, udp.capacity()).orElseThrow().toString());
    }

    @Test
    void theKernelsAcknowledgementIsByteForByteOurs() {
        byte[] packet = Pcap.hex(Pcap.file("golden/16-ack.hex"));
        ByteBuffer captured = ByteBuffer.wrap(packet, 28, packet.length - 28).slice();
        ByteBuffer ip = ByteBuffer.wrap(packet);
        ByteBuffer ours = ByteBuffer.allocateDirect(20);
        Headers.putBth(
                ours, 0, Opcode.ACKNOWLEDGE, false, 0, Headers.queuePair(captured, 0), false, Headers.psn(captured, 0));
        Headers.putAeth(ours, 12, Headers.SYNDROME_ACK, captured.getInt(12) & 0xFFFFFF);
        Icrc.put(
                ours,
                0,
                20,
                icrc.compute(
                        ip.getInt(12),
                        ip.getShort(20) & 0xFFFF,
                        ip.getInt(16),
                        4791,
                        ip.getShort(4) & 0xFFFF,
                        ours,
                        0,
                        20));

        assertEquals(captured, ours);
    }
}
