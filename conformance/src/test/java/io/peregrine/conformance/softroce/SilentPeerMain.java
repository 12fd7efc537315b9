package io.peregrine.conformance.softroce;

import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import java.util.concurrent.CountDownLatch;

/** Accepts one connection and does nothing with it. */
final class SilentPeerMain {
    private SilentPeerMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (RdmaPeer peer = RdmaPeer.open("verbs", arguments[0]);
                RdmaListener listener = peer.transport.listen(0)) {
            System.out.println("port " + listener.port());
            try (RdmaConnection connection = RdmaPeer.next(listener).prepare(peer.settings())) {
                connection.accept(new byte[0], RdmaPeer.LIMIT);
                System.out.println("connected");
                new CountDownLatch(1).await();
            }
        }
    }
}
