package io.peregrine.distribution.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.peregrine.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Between media drivers of a program, one of which may be Aeron's without change; takes two seconds. */
@Timeout(60)
class RunsOverLoopbackTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int DATAGRAM = 1408;
    private static final int PAYLOAD = DATAGRAM - DataHeaderFlyweight.HEADER_LENGTH;
    private static final int TERM = 256 << 10;
    private static final int STREAM = 5;
    /** In turn with full ones, so that runs end early, too. */
    private static final int SHORT = 100;

    private static final int MESSAGES = 2000;

    @TempDir
    Path folder;

    /** Longest that the receiver got at once. */
    private final AtomicInteger longest = new AtomicInteger();

    private final AtomicInteger refused = new AtomicInteger();
    private int port;
    private boolean systemCuts;
    private boolean systemJoins;

    @BeforeEach
    void setUp() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            systemCuts = ChannelSocket.of(channel).cut(DATAGRAM);
            systemJoins = ChannelSocket.of(channel).join();
        }
    }

    /** Aeron's, which notes what it gets. */
    private final class Stock extends ReceiveChannelEndpoint {
        Stock(UdpChannel channel, DataPacketDispatcher dispatcher, AtomicCounter status, MediaDriver.Context context) {
            super(channel, dispatcher, status, context);
        }

        @Override
        public int onDataPacket(
                DataHeaderFlyweight header, UnsafeBuffer packet, int length, InetSocketAddress from, int transport) {
            longest.accumulateAndGet(length, Math::max);
            return super.onDataPacket(header, packet, length, from, transport);
        }
    }

    private final class Joining extends RunReceiver {
        Joining(
                UdpChannel channel,
                DataPacketDispatcher dispatcher,
                AtomicCounter status,
                MediaDriver.Context context) {
            super(channel, dispatcher, status, context);
        }

        @Override
        public int onDataPacket(
                DataHeaderFlyweight header, UnsafeBuffer packet, int length, InetSocketAddress from, int transport) {
            longest.accumulateAndGet(length, Math::max);
            return super.onDataPacket(header, packet, length, from, transport);
        }
    }

    private static final class Uncut extends RunSender {
        Uncut(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
            super(channel, status, context);
        }

        @Override
        ChannelSocket socket(DatagramChannel channel) {
            return ChannelSocket.NONE;
        }
    }

    /** At a network that takes single datagrams only. */
    private final class Refused extends RunSender {
        Refused(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
            super(channel, status, context);
        }

        @Override
        public void sendHook(ByteBuffer frames, InetSocketAddress to) {
            if (frames.remaining() > DATAGRAM) {
                refused.incrementAndGet();
                refuse();
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As the call that follows would throw it.
        private static <E extends Exception> void refuse() throws E {
            throw (E) new IOException("Invalid argument");
        }
    }

    private MediaDriver driver(
            String name, SendChannelEndpointSupplier senders, ReceiveChannelEndpointSupplier receivers) {
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.resolve(name).toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(true)
                .errorHandler(problem -> {})
                .sendChannelEndpointSupplier(senders)
                .receiveChannelEndpointSupplier(receivers));
    }

    private static Aeron client(MediaDriver driver) {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    }

    /** Sends messages, and returns how many arrived in their order and with their bytes. */
    private int transfer(SendChannelEndpointSupplier senders, ReceiveChannelEndpointSupplier receivers) {
        String channel = "aeron:udp?endpoint=127.0.0.1:" + port;
        try (MediaDriver here = driver("here", senders, Stock::new);
                MediaDriver there = driver("there", SendChannelEndpoint::new, receivers);
                Aeron sending = client(here);
                Aeron receiving = client(there);
                Subscription in = receiving.addSubscription(channel, STREAM);
                ExclusivePublication out = sending.addExclusivePublication(
                        channel + "|term-length=" + TERM + "|mtu=" + FrameRuns.most(DATAGRAM, TERM), STREAM)) {
            int[] received = {0};
            UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(PAYLOAD));
            for (int number = 0; number < MESSAGES; number++) {
                int length = number % 100 == 99 ? SHORT : PAYLOAD;
                message.setMemory(0, length, (byte) number);
                message.putInt(0, number);
                Await.until("room", LIMIT, () -> {
                    poll(in, received);
                    return out.offer(message, 0, length) > 0;
                });
                if (length == SHORT) {
                    Await.until("room for padding", LIMIT, padded(in, received, out));
                }
            }
            Await.until("all messages", LIMIT, () -> {
                poll(in, received);
                return received[0] == MESSAGES;
            });
            return received[0];
        }
    }

    private static Callable<Boolean> padded(Subscription in, int[] received, ExclusivePublication out) {
        return () -> {
            poll(in, received);
            long position = out.appendPadding(32);
            return position > 0 || position == ExclusivePublication.ADMIN_ACTION;
        };
    }

    private static void poll(Subscription in, int[] received) {
        in.poll(
                (buffer, offset, length, header) -> {
                    int number = received[0]++;
                    assertEquals(number, buffer.getInt(offset));
                    assertEquals(number % 100 == 99 ? SHORT : PAYLOAD, length);
                    for (int i = 4; i < length; i++) {
                        assertEquals((byte) number, buffer.getByte(offset + i));
                    }
                },
                100);
    }

    @Test
    void aDriverOfAeronReceivesDatagramsOfTheSizeThatWasChosen() {
        assertEquals(MESSAGES, transfer(new RunSenderSupplier(), Stock::new));
        assertEquals(DATAGRAM, longest.get());
    }

    @Test
    void whereTheSystemCannotCutDatagramsGoOneByOne() {
        assertEquals(MESSAGES, transfer(Uncut::new, Stock::new));
        assertEquals(DATAGRAM, longest.get());
    }

    @Test
    void whereARunIsRefusedDatagramsGoOneByOneFromThenOn() {
        assumeTrue(systemCuts, "Linux 4.18 or later");
        assertEquals(MESSAGES, transfer(Refused::new, Stock::new));
        assertEquals(1, refused.get());
    }

    @Test
    void aRunArrivesInOnePiece() {
        assumeTrue(systemCuts && systemJoins, "Linux 5.0 or later");
        assertEquals(MESSAGES, transfer(new RunSenderSupplier(), Joining::new));
        assertTrue(longest.get() > DATAGRAM, () -> "the longest has " + longest.get() + " bytes");
    }
}
