package io.peregrine.benchmarks;

import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.TestPattern;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * The sending process: {@code cameras NUMBER RATE [PROVIDER]} for virtual cameras, {@code tcp NUMBER RATE} for plain
 * TCP. It prints {@code ready} and runs until its standard input ends.
 */
public final class FrameSenderMain {
    private FrameSenderMain() {}

    /**
     * Sends.
     *
     * @param arguments what the class's documentation says
     * @throws IOException if a socket fails
     */
    public static void main(String[] arguments) throws IOException {
        int number = Integer.parseInt(arguments[1]);
        double rate = Double.parseDouble(arguments[2]);
        for (int i = 0; i < number; i++) {
            if (arguments[0].equals("tcp")) {
                TcpSender.start(i, rate);
            } else {
                startCamera(i, rate, arguments.length > 3 ? arguments[3] : Scenario.NO_RDMA);
            }
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // Until whoever started it is done.
        }
        System.exit(0);
    }

    private static void startCamera(int index, double rate, String provider) {
        VirtualCamera.start(Scenario.builder()
                .bindAddress(Frames.camera(index))
                .port(Frames.FIRST_PORT)
                .serial("BENCH" + index)
                .size(Frames.WIDTH, Frames.HEIGHT)
                .frameRate(rate)
                .flows(Scenario.Flows.PER_COMPONENT)
                .linkSpeedMegabits(0)
                .rdmaProvider(provider)
                .build());
    }

    /** Sends frames of the same size over one connection: eight bytes of length, eight of time, the components. */
    private static final class TcpSender {
        private final ServerSocketChannel server;
        private final long periodNanos;

        private TcpSender(ServerSocketChannel server, double rate) {
            this.server = server;
            periodNanos = (long) (1e9 / rate);
        }

        static void start(int index, double rate) throws IOException {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getByName(Frames.camera(index)), Frames.FIRST_PORT));
            TcpSender sender = new TcpSender(server, rate);
            Thread thread = new Thread(sender::run, "tcp-" + index);
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            ByteBuffer frame = ByteBuffer.allocateDirect(16 + Frames.BYTES);
            long id = 0;
            try (SocketChannel channel = server.accept()) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                long due = System.nanoTime();
                while (true) {
                    while (due - System.nanoTime() > 0) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    due = Math.max(due + periodNanos, System.nanoTime());
                    frame.clear().putLong(Frames.BYTES).putLong(System.nanoTime());
                    id++;
                    for (int component = 0; component < Frames.FORMATS.length; component++) {
                        TestPattern.fill(
                                Frames.TYPES[component],
                                Frames.FORMATS[component],
                                id,
                                Frames.WIDTH,
                                Frames.HEIGHT,
                                frame);
                    }
                    frame.flip();
                    while (frame.hasRemaining()) {
                        channel.write(frame);
                    }
                }
            } catch (IOException e) {
                // The receiver has enough.
            }
        }
    }
}
