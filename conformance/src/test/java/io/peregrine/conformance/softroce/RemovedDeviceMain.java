package io.peregrine.conformance.softroce;

import io.peregrine.rdma.RdmaConnection.State;

/** Connects a device with itself, and says what becomes of the connection when the device goes away. */
final class RemovedDeviceMain {
    private RemovedDeviceMain() {}

    public static void main(String[] arguments) {
        try (RdmaPeer one = RdmaPeer.open("verbs", arguments[0]);
                RdmaPeer other = RdmaPeer.open("verbs", arguments[0])) {
            RdmaPeer.Link link = one.connectTo(other);
            link.active().postReceive(1, one.region, 0, 100);
            System.out.println("connected");
            one.awaitState(link.active(), State.FAILED);
            System.out.println(link.active().failure().orElseThrow().getMessage());
        }
        System.out.println("closed");
    }
}
