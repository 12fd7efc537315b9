package io.peregrine.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Packets laid out by hand after the standards, and what a recorder writes of them. */
final class Packets {
    static final int HOST = 0x0A4D0002;
    static final int CAMERA = 0x0A4D0001;
    static final int HOST_PORT = 50000;
    static final int GVCP_PORT = 3956;
    static final int ROCE_PORT = 4791;
    static final byte[] NO_MAC = {};

    private Packets() {}

    /** Bytes of hexadecimal digits, between which blanks may be. */
    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static byte[] text(String text, int lengthBytes) {
        return java.util.Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), lengthBytes);
    }

    static ByteBuffer udp(int source, int sourcePort, int destination, int destinationPort, byte... payload) {
        ByteBuffer packet = ByteBuffer.allocate(28 + payload.length);
        packet.put(0, (byte) 0x45)
                .putShort(2, (short) packet.capacity())
                .put(8, (byte) 64)
                .put(9, (byte) 17);
        packet.putInt(12, source).putInt(16, destination);
        packet.putShort(20, (short) sourcePort).putShort(22, (short) destinationPort);
        packet.putShort(24, (short) (8 + payload.length)).put(28, payload);
        return packet;
    }

    /** A command of the host: header as in the standard, key 0x42, answer wanted. */
    static ByteBuffer command(int code, int id, byte... payload) {
        return udp(HOST, HOST_PORT, CAMERA, GVCP_PORT, message(0x4201, code, id, payload));
    }

    /** An answer of the camera. */
    static ByteBuffer answer(int code, int id, byte... payload) {
        return udp(CAMERA, GVCP_PORT, HOST, HOST_PORT, message(0, code, id, payload));
    }

    static byte[] message(int first, int code, int id, byte... payload) {
        return ByteBuffer.allocate(8 + payload.length)
                .putShort((short) first)
                .putShort((short) code)
                .putShort((short) payload.length)
                .putShort((short) id)
                .put(payload)
                .array();
    }

    static byte[] words(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length);
        for (int word : words) {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    /** A RoCEv2 packet: base transport header, what follows it, and a checksum that nobody looks at. */
    static byte[] roce(int opcode, int queuePair, int psn, byte... rest) {
        ByteBuffer packet = ByteBuffer.allocate(12 + rest.length + 4);
        packet.put(0, (byte) opcode)
                .putShort(2, (short) 0xFFFF)
                .putInt(4, queuePair)
                .putInt(8, psn);
        return packet.put(12, rest).array();
    }

    static ByteBuffer toHost(byte... roce) {
        return udp(CAMERA, 49152, HOST, ROCE_PORT, roce);
    }

    static ByteBuffer toCamera(byte... roce) {
        return udp(HOST, 49153, CAMERA, ROCE_PORT, roce);
    }

    static String written(TrafficRecorder recorder) {
        StringWriter text = new StringWriter();
        try {
            recorder.write("test", 0, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The lines of a recording that have a property. */
    static List<JsonNode> lines(TrafficRecorder recorder, String property) {
        ObjectMapper mapper = new ObjectMapper();
        return written(recorder)
                .lines()
                .map(line -> {
                    try {
                        return mapper.readTree(line);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .filter(line -> line.has(property))
                .toList();
    }

    /** A recorder that has seen packets, a millisecond apart. */
    static TrafficRecorder recorder(ByteBuffer... packets) {
        TrafficRecorder recorder = new TrafficRecorder();
        long nanos = 0;
        for (ByteBuffer packet : packets) {
            recorder.accept(nanos, packet, NO_MAC);
            nanos += 1_000_000;
        }
        return recorder;
    }
}
