package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.nativeio.Libc;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both roles of rping with each other, and with somebody who does not know the protocol. */
@Timeout(60)
class RdmaPingTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int LARGEST = 1 << 20;

    private RdmaTransport client;
    private RdmaTransport server;
    private RdmaListener listener;

    @BeforeEach
    void open() {
        assumeTrue(Libc.problem().isEmpty(), Libc::problem);
        client =
                RdmaProviders.open("software", FakeFabric.address("127.0.0.65")).transport();
        server =
                RdmaProviders.open("software", FakeFabric.address("127.0.0.66")).transport();
        listener = server.listen(0);
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
            server.close();
        }
    }

    private InetSocketAddress at() {
        return new InetSocketAddress(server.localAddress(), listener.port());
    }

    /** The sizes of all rounds, once the client has ended the connection. */
    private CompletableFuture<List<Integer>> served(int maxBytes) {
        return CompletableFuture.supplyAsync(() -> {
            List<Integer> rounds = new ArrayList<>();
            try (RdmaPing serving = RdmaPing.accept(server, request(), maxBytes, LONG)) {
                for (OptionalInt bytes = serving.serve(); bytes.isPresent(); bytes = serving.serve()) {
                    rounds.add(bytes.getAsInt());
                }
            }
            return rounds;
        });
    }

    private ConnectionRequest request() {
        try {
            return listener.next(LONG).orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 64, 65_535, LARGEST})
    void everyRoundComesBackAsItWasSent(int bytes) {
        CompletableFuture<List<Integer>> served = served(LARGEST);
        try (RdmaPing ping = RdmaPing.connect(client, at(), bytes, LONG)) {
            for (int i = 0; i < 5; i++) {
                ping.ping();
            }
            assertEquals(5, ping.rounds());
        }

        assertEquals(List.of(bytes, bytes, bytes, bytes, bytes), served.join());
    }

    @Test
    void aClientThatWantsTooMuchIsRefused() {
        CompletableFuture<List<Integer>> served = served(100);
        try (RdmaPing ping = RdmaPing.connect(client, at(), 101, LONG)) {
            assertThrows(RdmaException.class, ping::ping);
        }

        Throwable why = assertThrows(CompletionException.class, served::join).getCause();
        assertEquals("/127.0.0.65 wants 101 bytes read: 100 are allowed here", withoutPort(why.getMessage()));
    }

    @Test
    void whoDoesNotSpeakTheProtocolIsToldApart() {
        CompletableFuture<List<Integer>> served = served(100);
        CompletionQueue completions = client.completionQueue(CompletionQueueSettings.of(8));
        RdmaConnection stranger = client.prepare(at(), ConnectionSettings.of(completions, 4, 4));
        MemoryRegion memory = client.register(RdmaMemory.of(ByteBuffer.allocateDirect(8)));
        stranger.connect(new byte[0], LONG);
        stranger.postSend(1, memory, 0, 8);

        Throwable why = assertThrows(CompletionException.class, served::join).getCause();
        assertEquals(
                "/127.0.0.65 sent a message of 8 bytes instead of 16: it does not speak as rping does",
                withoutPort(why.getMessage()));
    }

    @Test
    void aKeyThatAllowsNothingBreaksTheConnection() {
        CompletableFuture<List<Integer>> served = served(100);
        CompletionQueue completions = client.completionQueue(CompletionQueueSettings.of(8));
        RdmaConnection stranger = client.prepare(at(), ConnectionSettings.of(completions, 4, 4));
        ByteBuffer message = ByteBuffer.allocateDirect(16);
        MemoryRegion memory = client.register(RdmaMemory.of(message));
        message.putLong(0, memory.remoteAddress()).putInt(8, memory.remoteKey()).putInt(12, 16);
        stranger.connect(new byte[0], LONG);
        stranger.postSend(1, memory, 0, 16);

        Throwable why = assertThrows(CompletionException.class, served::join).getCause();
        assertTrue(why.getMessage().contains("REMOTE_ACCESS_ERROR"), why::getMessage);
    }

    @Test
    void aServerThatDoesNotGoOnIsATimeOut() {
        CompletableFuture<RdmaPing> accepted =
                CompletableFuture.supplyAsync(() -> RdmaPing.accept(server, request(), 100, LONG));
        try (RdmaPing ping = RdmaPing.connect(client, at(), 10, Duration.ofMillis(500))) {
            accepted.join();
            RdmaException why = assertThrows(RdmaException.class, ping::ping);

            assertEquals("/127.0.0.66 did not go on within 500 ms, in round 0", withoutPort(why.getMessage()));
        }
    }

    private static String withoutPort(String message) {
        return message.replaceFirst(":\\d+", "");
    }
}
