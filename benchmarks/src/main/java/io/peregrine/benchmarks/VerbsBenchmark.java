package io.peregrine.benchmarks;

import com.sun.jna.NativeLibrary;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.gvsp.VerbsSettings;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a GVSP packet costs the receiver thread of {@code PacketReceiver=verbs}, all in: polling, checking headers,
 * placing, keeping the ledger of the block, posting the next receive, handing over the frame. The library beside
 * ({@code prepared-verbs.c}) has the packets in memory already, so no socket and no copy is in it; what its own calls
 * take is printed too, since on an adapter they are those of its driver.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VerbsBenchmark {
    private static final int DATA_PACKETS = 1022;
    /** With leader and trailer. */
    private static final int PACKETS = DATA_PACKETS + 2;

    private static final int ETHERNET_IP_UDP = 42;
    private static final int GVSP = 8;
    private static final int BODY = ETHERNET_IP_UDP + GVSP;
    private static final int MONO8 = 0x01080001;
    private static final int FLOW_SETS = 8;
    private static final int LEADER = 0;
    private static final int DATA = 1;
    private static final int TRAILER = 2;
    private static final int SOURCE_PORT = 20_202;
    private static final Duration NOT_AT_ALL = Duration.ZERO;

    /** Bytes of an IP packet. */
    @Param({"1500", "9000"})
    public int packetBytes;

    /** Completions that a poll finds. */
    @Param({"1", "8", "64"})
    public int batch;

    /** Whether the library measures its own calls, which takes time itself. */
    @Param("false")
    public boolean timed;

    private final InetAddress local = address("127.20.7.1");
    private final InetAddress device = address("127.20.7.2");
    private NativeLibrary library;
    private GvspSource source;
    private StreamEngine engine;
    private long frames;
    private long framesAtStart;

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens the stream, and receives until the receiver knows how blocks are. */
    @Setup
    public void open() {
        library = NativeLibrary.getInstance("libibverbs.so.1");
        int payload = packetBytes - 20 - 8 - GVSP;
        FlowSetPool pool = FlowSetPool.allocate(FLOW_SETS, new long[] {(long) payload * DATA_PACKETS}, 1L << 30);
        VerbsSettings verbs = new VerbsSettings(PACKETS * (packetBytes + 14), packetBytes - 28, -1, 1, List.of());
        GvspSettings settings = GvspSettings.defaults(local, device)
                .withPacketSizeBytes(packetBytes)
                .withVerbs(verbs);
        source = GvspSource.open(
                settings,
                pool,
                (block, first, last, extended) -> {
                    throw new IllegalStateException(
                            "packets " + first + " to " + last + " of " + block + " are missing");
                },
                PacketReceiverKind.VERBS);
        engine = new StreamEngine(source);
        // What has arrived before the beginning would be discarded.
        source.begin(engine);
        packets(payload);
        for (int i = 0; i < 4; i++) {
            frame();
        }
        framesAtStart = frames;
        library.getFunction("prepared_stream").invokeVoid(new Object[] {(long) DATA_PACKETS, batch, timed ? 1 : 0});
    }

    private void packets(int payload) {
        byte[] leader = gvsp(1, 36);
        // An image: payload type 1, pixel format, size.
        ByteBuffer.wrap(leader)
                .putShort(BODY + 2, (short) 1)
                .putInt(BODY + 12, MONO8)
                .putInt(BODY + 16, payload)
                .putInt(BODY + 20, DATA_PACKETS);
        packet(LEADER, leader, 36);
        packet(DATA, gvsp(3, 0), payload);
        byte[] trailer = gvsp(2, 8);
        ByteBuffer.wrap(trailer).putShort(BODY + 2, (short) 1).putInt(BODY + 4, DATA_PACKETS);
        packet(TRAILER, trailer, 8);
        library.getFunction("prepared_stream").invokeVoid(new Object[] {(long) DATA_PACKETS, batch, 0});
    }

    /** A packet with its GVSP header, which has a format. */
    private static byte[] gvsp(int format, int bodyBytes) {
        byte[] packet = new byte[BODY + bodyBytes];
        packet[ETHERNET_IP_UDP + 4] = (byte) format;
        return packet;
    }

    private void packet(int kind, byte[] packet, int payload) {
        int udp = 8 + GVSP + payload;
        ByteBuffer.wrap(packet)
                .putShort(12, (short) 0x0800)
                .put(14, (byte) 0x45)
                .putShort(16, (short) (20 + udp))
                .put(22, (byte) 64)
                .put(23, (byte) 17)
                .put(26, device.getAddress())
                .put(30, local.getAddress())
                .putShort(34, (short) SOURCE_PORT)
                .putShort(36, (short) source.localPort())
                .putShort(38, (short) udp);
        library.getFunction("prepared_packet")
                .invokeVoid(new Object[] {kind, packet, (long) packet.length, 14L + 20 + udp});
    }

    /** Receives a frame. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void frame() {
        while (!taken()) {
            source.look();
        }
    }

    private boolean taken() {
        try {
            Optional<FlowSet> filled = engine.poll(NOT_AT_ALL);
            filled.ifPresent(set -> {
                set.release();
                frames++;
            });
            return filled.isPresent();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that all was received, and none of it copied. */
    @TearDown
    public void close() {
        StreamStatistics counted = engine.statistics();
        long nanos = library.getFunction("prepared_nanos").invokeLong(new Object[0]);
        if (timed) {
            System.out.printf(
                    Locale.ROOT,
                    "%nthe library: %.1f ns a packet%n",
                    (double) nanos / (frames - framesAtStart) / PACKETS);
        }
        if (counted.get(Counter.FRAMES_INCOMPLETE) + counted.framesLost() > 0
                || counted.get(Counter.BYTES_COPIED) > 8L * packetBytes * PACKETS) {
            throw new IllegalStateException("not received as it should be: " + counted);
        }
        engine.close();
    }
}
