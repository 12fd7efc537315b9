package io.peregrine.gvsp;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.List;

/** Opens queues for raw packets. Found by {@link java.util.ServiceLoader}. */
public interface RawPacketProvider {
    /**
     * What to open.
     *
     * @param local IPv4 address of the adapter's interface
     * @param endpoints IPv4 addresses and UDP ports, of this host or of groups, whose packets are received
     * @param depth receives to have posted at a time; fewer are possible where the adapter has no more
     * @param completionVector which interrupt wakes, taken modulo those that there are; negative never sleeps
     */
    record Request(Inet4Address local, List<InetSocketAddress> endpoints, int depth, int completionVector) {
        /** Copies the list. */
        public Request {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * Opens a queue, not started.
     *
     * @throws io.peregrine.nativeio.NativeUnavailableException if that is not possible here, with what is missing
     */
    RawPacketQueue open(Request request);
}
