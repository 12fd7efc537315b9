package io.peregrine.gvsp;

import io.peregrine.nativeio.NativeUnavailableException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.ServiceLoader;

/** Opens queues for raw packets. Found by {@link ServiceLoader}. */
public interface RawPacketProvider {
    /** Receives of a queue that is only tried out. */
    int PROBE_DEPTH = 8;

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
     * @throws NativeUnavailableException if that is not possible here, with what is missing
     */
    RawPacketQueue open(Request request);

    /**
     * Opens a queue with a flow rule at an interface, and closes it again.
     *
     * @param local address of the interface
     * @return why that is not possible; empty if it is
     */
    static String problem(Inet4Address local) {
        // The port is held meanwhile, so that no packets of others are taken.
        try (DatagramSocket port = new DatagramSocket(new InetSocketAddress(local, 0))) {
            InetSocketAddress endpoint = new InetSocketAddress(local, port.getLocalPort());
            ServiceLoader.load(RawPacketProvider.class)
                    .findFirst()
                    .orElseThrow(() -> new NativeUnavailableException("nothing here opens raw packet queues", null))
                    .open(new Request(local, List.of(endpoint), PROBE_DEPTH, 0))
                    .close();
            return "";
        } catch (NativeUnavailableException e) {
            return String.valueOf(e.getMessage());
        } catch (SocketException e) {
            return local.getHostAddress() + " is no address of this host: " + e.getMessage();
        }
    }
}
