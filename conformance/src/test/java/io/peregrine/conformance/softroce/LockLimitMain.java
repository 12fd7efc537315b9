package io.peregrine.conformance.softroce;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import java.nio.ByteBuffer;

/** Tries to register more memory than it may, and says what it is told. */
final class LockLimitMain {
    private LockLimitMain() {}

    public static void main(String[] arguments) {
        try (RdmaTransport transport =
                RdmaProviders.open("verbs", RdmaPeer.ipv4(arguments[0])).transport()) {
            transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(1 << 20)));
        } catch (RdmaException e) {
            System.out.println(e.getMessage());
        }
    }
}
