package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaUnavailableException;
import java.lang.reflect.Proxy;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port whose thread ended by an error. */
@Timeout(60)
class FailedPortTest {
    private final IllegalStateException error = new IllegalStateException("unforeseen");
    private Inet4Address address;
    private RocePort port;

    @BeforeEach
    void fail() throws Exception {
        address = (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 73});
        port = RocePort.acquire(address, any -> failing());
    }

    @AfterEach
    void release() {
        port.release();
    }

    private PacketSocket failing() {
        return (PacketSocket) Proxy.newProxyInstance(
                PacketSocket.class.getClassLoader(),
                new Class<?>[] {PacketSocket.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("receive")) {
                        throw error;
                    }
                    return null;
                });
    }

    /** What a stream gets that waits. */
    private RdmaException refusal() {
        SoftwareCompletionQueue queue = new SoftwareCompletionQueue(new CompletionQueueSettings(1, 0, 1, true), port);
        return assertThrows(RdmaException.class, () -> {
            while (!Thread.currentThread().isInterrupted()) {
                queue.await(System.nanoTime() + 1);
            }
        });
    }

    @Test
    void aStreamThatWaitsIsGivenTheReason() {
        assertSame(error, refusal().getCause());
    }

    @Test
    void noOtherStreamIsOpenedByIt() {
        refusal();
        RdmaUnavailableException thrown = assertThrows(RdmaUnavailableException.class, () -> RocePort.acquire(address));
        assertSame(error, thrown.getCause());
    }
}
