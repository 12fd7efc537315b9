package io.peregrine.device;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.Optional;

/** Who holds a camera that refuses to be opened, as far as this program and the camera know. */
final class Refusal {
    private static final System.Logger LOGGER = System.getLogger(Refusal.class.getName());

    private Refusal() {}

    /**
     * What to tell the user.
     *
     * @param refused what the device that is refused holds
     */
    static String text(DiscoveryInformation info, ControlChannel channel, Holdings refused) {
        String camera = info.macAddress() + " at " + info.address().getHostAddress();
        Optional<Holdings> own = OpenDevices.controlling(info.device().mac(), refused);
        if (own.isPresent()) {
            return camera + " is open in this program already, since "
                    + own.get().openedAt() + ": use that device or close it, or open this one with AccessMode=ReadOnly";
        }
        return camera + " is controlled by " + holder(channel) + ", or open the camera with AccessMode=ReadOnly";
    }

    private static String holder(ControlChannel channel) {
        try {
            return channel.primaryApplication()
                    .map(Refusal::described)
                    .orElse("another application, and does not say which: end that program");
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The device does not say who controls it", e);
            return "another application exclusively, and does not say which: end that program";
        }
    }

    /** The application, and what to do about it. */
    private static String described(InetSocketAddress application) {
        String address = application.getAddress().getHostAddress() + ":" + application.getPort();
        if (!local(application.getAddress())) {
            return "an application on another host, " + address + ": end that program";
        }
        return free(application)
                ? "a program on this host that has ended or lost it, " + address
                        + "; the camera lets go after its heartbeat timeout, or with HeartbeatTimeout=off when it is"
                        + " restarted: wait and open it again"
                : "another program on this host, " + address + ": end that program";
    }

    /** Whether no program has a port of this host. */
    private static boolean free(InetSocketAddress port) {
        try (DatagramChannel probe = DatagramChannel.open(StandardProtocolFamily.INET)) {
            probe.bind(port);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean local(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
