package io.peregrine.traffic;

import io.peregrine.device.DeviceException;
import io.peregrine.nativeio.LinkCapture;
import io.peregrine.nativeio.NativeUnavailableException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * GVCP and RoCEv2 at an interface of this host, also what a mirror port of a switch sends there. Only listens. What an
 * adapter with RDMA handles itself does not pass here. For one thread.
 */
public final class LiveTraffic implements AutoCloseable {
    private final LinkCapture capture;
    private final long begun = System.nanoTime();

    private LiveTraffic(LinkCapture capture) {
        this.capture = capture;
    }

    /**
     * Begins to listen.
     *
     * @param name name or IPv4 address of the interface
     * @throws DeviceException if there is no such interface, or the right to listen is missing, with the remedy
     */
    public static LiveTraffic open(String name) {
        NetworkInterface found = find(name);
        try {
            return new LiveTraffic(LinkCapture.open(found.getIndex(), TrafficRecorder.PORTS));
        } catch (NativeUnavailableException e) {
            throw new DeviceException(
                    "traffic at " + found.getName() + " cannot be recorded: " + e.getMessage()
                            + ". Run this command as root; or record with 'tcpdump -i " + found.getName()
                            + " -w FILE udp port 3956 or udp port 4791' and give --file FILE",
                    e);
        }
    }

    private static NetworkInterface find(String name) {
        try {
            NetworkInterface found = name.matches("[0-9.]+")
                    ? NetworkInterface.getByInetAddress(InetAddress.getByName(name))
                    : NetworkInterface.getByName(name);
            if (found != null) {
                return found;
            }
            throw new DeviceException("this host has no interface " + name + ", only "
                    + NetworkInterface.networkInterfaces()
                            .map(NetworkInterface::getName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        } catch (SocketException | UnknownHostException e) {
            throw new DeviceException("the interface " + name + " cannot be found: " + e.getMessage(), e);
        }
    }

    /**
     * Waits for a packet, and gives it to a recorder.
     *
     * @param timeout how long to wait
     */
    public void receive(TrafficRecorder recorder, Duration timeout) {
        ByteBuffer packet = capture.receive(timeout.toNanos());
        if (packet.limit() > 0) {
            recorder.accept(System.nanoTime() - begun, packet, capture.sender());
        }
    }

    /** Packets that the system dropped because this program was too slow. */
    public long drops() {
        return capture.drops();
    }

    @Override
    public void close() {
        capture.close();
    }
}
