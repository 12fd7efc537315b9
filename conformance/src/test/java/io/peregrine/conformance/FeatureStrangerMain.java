package io.peregrine.conformance;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends to where a publisher takes requests for features, as fast as a thousand times a second each: bytes of any
 * content as datagrams and as messages, requests and hellos with a wrong code, and messages of many packets. Knows what
 * the announcement says, and no key. Arguments: address of this host, address and port where consumers register,
 * directory for its media driver, which stays when it is killed.
 */
final class FeatureStrangerMain {
    private static final int ANNOUNCEMENTS_STREAM = 20551;
    private static final int REQUESTS_STREAM = 20554;
    private static final int STREAM_ANNOUNCEMENT = 1;
    /** Port, 2 bytes, and nonce, 16 bytes, are the last of an announcement. */
    private static final int FEATURES_BYTES = 18;

    private static final int HELLO = 1;
    private static final int READ = 3;
    private static final int CODE_BYTES = 32;
    private static final int LONG_MESSAGE = 5000;
    private static final int ROUNDS_UNTIL_FLOOD = 100;

    private final Random random = new Random(1);
    private final Target target;

    /** What the publisher announces. */
    private record Target(int session, int port) {}

    private FeatureStrangerMain(Target target) {
        this.target = target;
    }

    public static void main(String[] arguments) throws IOException {
        MediaDriver.Context driver = new MediaDriver.Context()
                .aeronDirectoryName(arguments[2])
                .dirDeleteOnShutdown(true)
                .dirDeleteOnStart(true)
                .termBufferSparseFile(true)
                .threadingMode(ThreadingMode.SHARED);
        try (MediaDriver started = MediaDriver.launch(driver);
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(started.aeronDirectoryName()));
                DatagramSocket socket = new DatagramSocket()) {
            Target target = listen(aeron, arguments[0], arguments[1]);
            InetAddress publisher = InetAddress.getByName(arguments[1].split(":", 2)[0]);
            ExclusivePublication requests = aeron.addExclusivePublication(
                    "aeron:udp?endpoint=" + publisher.getHostAddress() + ":" + target.port()
                            + "|term-length=64k|mtu=1280",
                    REQUESTS_STREAM);
            new FeatureStrangerMain(target).flood(requests, socket, publisher);
        }
    }

    private static Target listen(Aeron aeron, String here, String there) {
        AtomicReference<Target> heard = new AtomicReference<>();
        try (Subscription announcements = aeron.addSubscription(
                "aeron:udp?endpoint=" + here + ":0|control=" + there + "|control-mode=dynamic", ANNOUNCEMENTS_STREAM)) {
            while (heard.get() == null) {
                announcements.poll(
                        (buffer, offset, length, header) -> {
                            if (buffer.getByte(offset + 5) == STREAM_ANNOUNCEMENT) {
                                heard.set(target(buffer, offset, length));
                            }
                        },
                        1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        return heard.get();
    }

    private static Target target(DirectBuffer buffer, int offset, int length) {
        return new Target(
                buffer.getInt(offset + 8, ByteOrder.LITTLE_ENDIAN),
                buffer.getShort(offset + length - FEATURES_BYTES, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }

    private void flood(ExclusivePublication requests, DatagramSocket socket, InetAddress publisher) throws IOException {
        for (int round = 1; true; round++) {
            byte[] datagram = bytes(1 + random.nextInt(1200));
            socket.send(new DatagramPacket(datagram, datagram.length, publisher, target.port()));
            requests.offer(new UnsafeBuffer(bytes(1 + random.nextInt(1200))));
            requests.offer(new UnsafeBuffer(message(HELLO, round, 18)));
            requests.offer(new UnsafeBuffer(message(READ, round, 10)));
            requests.offer(new UnsafeBuffer(bytes(LONG_MESSAGE)));
            if (round == ROUNDS_UNTIL_FLOOD) {
                System.out.println("flooding");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private byte[] bytes(int count) {
        byte[] made = new byte[count];
        random.nextBytes(made);
        return made;
    }

    /** One for this publisher, with a code that is wrong. */
    private byte[] message(int type, int counter, int bodyBytes) {
        UnsafeBuffer message = new UnsafeBuffer(bytes(24 + bodyBytes + CODE_BYTES));
        message.putStringWithoutLengthAscii(0, "PGFT");
        message.putByte(4, (byte) 1);
        message.putByte(5, (byte) type);
        message.putShort(6, (short) bodyBytes, ByteOrder.LITTLE_ENDIAN);
        message.putInt(8, target.session(), ByteOrder.LITTLE_ENDIAN);
        message.putLong(16, counter, ByteOrder.LITTLE_ENDIAN);
        return message.byteArray();
    }
}
