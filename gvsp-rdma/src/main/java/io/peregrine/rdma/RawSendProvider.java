package io.peregrine.rdma;

import java.net.Inet4Address;
import java.util.ServiceLoader;

/** Opens queues that send raw packets. Found by {@link ServiceLoader}. */
public interface RawSendProvider {
    /**
     * What to open.
     *
     * @param local IPv4 address of the adapter's interface
     * @param depth packets to have posted at a time; fewer are possible where the adapter has no more
     * @param completionVector which interrupt wakes, taken modulo those that there are; negative never sleeps
     * @param maxPoll polls in a row before the interrupt is armed, at least 1
     */
    record Request(Inet4Address local, int depth, int completionVector, int maxPoll) {}

    /**
     * Opens a queue that sends.
     *
     * @throws RdmaUnavailableException if that is not possible here, with what is missing
     */
    RawSendQueue open(Request request);

    /**
     * Opens a queue of the first provider that is there.
     *
     * @throws RdmaUnavailableException if that is not possible here, with what is missing
     */
    static RawSendQueue openFirst(Request request) {
        return ServiceLoader.load(RawSendProvider.class, RawSendProvider.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new RdmaUnavailableException("there is no provider of raw packets"))
                .open(request);
    }
}
