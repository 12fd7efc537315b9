package io.peregrine.traffic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.device.DeviceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a capture or an interface gives: a recording, or a refusal of the capture as such. */
class TrafficFuzzTest {
    private static final int SECRET = 0x0A4D0001;
    private static final String SECRET_DIGITS = "0a4d0001";
    private static final Pattern DIGITS = Pattern.compile("(?<![0-9a-wyz])[0-9a-f]{8,}");
    private static final Pattern NUMBERED = Pattern.compile("\"address\":\"0x[0-9a-f]*\"");
    private static final byte[] PCAP = Packets.hex("a1b2c3d4 0002 0004 00000000 00000000 00040000 00000065");
    private static final byte[] PCAPNG = Packets.hex("0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c");

    @FuzzTest(maxDuration = "60s")
    void anyPcap(byte[] input) throws IOException {
        read(Packets.join(PCAP, input));
    }

    @FuzzTest(maxDuration = "60s")
    void anyPcapng(byte[] input) throws IOException {
        read(Packets.join(PCAPNG, input));
    }

    /**
     * Each packet: a byte for its ports, one for its length, its payload; all of one camera, whose address is secret.
     */
    @FuzzTest(maxDuration = "60s")
    void anyDatagrams(byte[] input) throws IOException {
        datagrams(input);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomDatagrams(long seed) throws IOException {
        byte[] input = new byte[60_000];
        new Random(seed).nextBytes(input);
        TrafficRecorder recorder = datagrams(input);
        assertTrue(recorder.packets() > 100);
    }

    private static void read(byte[] file) throws IOException {
        TrafficRecorder recorder = new TrafficRecorder();
        try {
            recorder.read(new ByteArrayInputStream(file));
        } catch (DeviceException e) {
            // What a hostile file may bring about.
            return;
        }
        recorder.write("fuzz", 0, new StringWriter());
    }

    private static TrafficRecorder datagrams(byte[] input) throws IOException {
        TrafficRecorder recorder = new TrafficRecorder();
        int at = 0;
        while (at + 2 <= input.length) {
            int kind = input[at] & 3;
            int length = Math.min(Byte.toUnsignedInt(input[at + 1]) * 2, input.length - at - 2);
            byte[] payload = new byte[length];
            System.arraycopy(input, at + 2, payload, 0, length);
            at += 2 + length;
            if (kind < 2 && length >= 8) {
                // Otherwise hardly any would be a message.
                ByteBuffer header = ByteBuffer.wrap(payload);
                header.putShort(0, (short) (kind == 0 ? 0x4201 : header.getShort(0) & 0x8007));
                header.putShort(2, (short) (header.getShort(2) & 0x87));
                header.putShort(4, (short) (length - 8));
            }
            boolean toCamera = kind == 0 || kind == 2;
            int port = kind < 2 ? Packets.GVCP_PORT : Packets.ROCE_PORT;
            ByteBuffer packet = Packets.udp(
                    toCamera ? Packets.HOST : SECRET,
                    kind == 1 ? port : 4000,
                    toCamera ? SECRET : Packets.HOST,
                    kind == 1 ? 4000 : port,
                    payload);
            recorder.accept(at, packet, Packets.NO_MAC);
        }
        StringWriter text = new StringWriter();
        recorder.write("fuzz", 0, text);
        check(text.toString());
        return recorder;
    }

    /**
     * The address is in no value, byte by byte. Numbers of registers and identifiers of connections are whatever they
     * are.
     */
    private static void check(String text) {
        for (String line : text.lines().filter(each -> !each.contains("\"cm\"")).toList()) {
            Matcher digits = DIGITS.matcher(
                    NUMBERED.matcher(line.toLowerCase(Locale.ROOT)).replaceAll(""));
            while (digits.find()) {
                int at = digits.group().indexOf(SECRET_DIGITS);
                if (at >= 0 && at % 2 == 0) {
                    throw new IllegalStateException("The address of the camera is in " + line);
                }
            }
        }
    }
}
