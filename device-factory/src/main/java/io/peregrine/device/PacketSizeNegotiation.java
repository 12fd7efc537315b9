package io.peregrine.device;

import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspStreamChannel;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds the largest packet that really arrives: asks the device for test packets that may not be fragmented, from the
 * largest that the local interface can take downwards. What was written is read back, for a device may round.
 */
final class PacketSizeNegotiation {
    private static final System.Logger LOG = System.getLogger(PacketSizeNegotiation.class.getName());
    /** A size that any Ethernet passes, even through tunnels. */
    private static final int SAFE_BYTES = 1400;

    private static final int MIN_BYTES = 576;
    private static final int MAX_BYTES = 16260;
    private static final int TRIES = 2;
    private static final Duration TEST_WINDOW = Duration.ofMillis(60);
    /** For who wants to know, and does not wait for a stream. */
    private static final Duration LONG_WINDOW = Duration.ofMillis(250);

    private static final int[] USUAL_BYTES = {16260, 9000, 8228, 8192, 4096, 1500, 1440};

    private final ControlChannel control;
    private final int register;
    private final GvspStreamChannel receiver;

    PacketSizeNegotiation(ControlChannel control, int channelRegisters, GvspStreamChannel receiver) {
        this.control = control;
        register = channelRegisters + StreamChannelRegister.SCPS;
        this.receiver = receiver;
    }

    /**
     * Settles the packet size.
     *
     * @param fixedBytes the size the user asked for, or 0 to negotiate
     * @return size in bytes that the device will use, with IP, UDP and GVSP headers
     */
    int settle(int fixedBytes) {
        if (fixedBytes != 0) {
            return write(fixedBytes);
        }
        int limit = Math.min(interfaceMtu(), MAX_BYTES) & ~3;
        int current = control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (testPacketsSupported()) {
            int[] candidates = IntStream.concat(IntStream.of(limit), IntStream.of(USUAL_BYTES))
                    .map(size -> size & ~3)
                    .filter(size -> size <= limit)
                    .distinct()
                    .toArray();
            for (int size : candidates) {
                if (arrives(size)) {
                    return write(size);
                }
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "None of the test packets arrived: a firewall may drop what the device sends to port {0}",
                    Integer.toString(receiver.localPort()));
        }
        boolean keep = current >= MIN_BYTES && current <= Math.min(limit, 1500);
        return write(keep ? current : SAFE_BYTES);
    }

    /** What test packets say about the path for the size that the device uses. */
    SilenceDiagnosis.TestPackets probe() {
        if (!testPacketsSupported()) {
            return SilenceDiagnosis.TestPackets.UNKNOWN;
        }
        int current = control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (arrives(current)) {
            return SilenceDiagnosis.TestPackets.ARRIVED;
        }
        boolean small = arrives(MIN_BYTES);
        write(current);
        return small ? SilenceDiagnosis.TestPackets.ONLY_SMALL : SilenceDiagnosis.TestPackets.NONE;
    }

    /**
     * Looks for the largest size that arrives, up to the MTU of the interface, by halves. The register is as it was
     * afterwards.
     */
    PacketPath explore() {
        int mtu = interfaceMtu();
        int most = Math.max(Math.min(mtu, MAX_BYTES) & ~3, MIN_BYTES);
        int before = control.readRegister(register) & ~StreamChannelRegister.SCPS_FIRE_TEST_PACKET;
        try {
            if (arrives(most, LONG_WINDOW)) {
                return new PacketPath(mtu, MIN_BYTES, most, OptionalInt.of(most), false);
            }
            if (!arrives(MIN_BYTES, LONG_WINDOW)) {
                return new PacketPath(mtu, MIN_BYTES, most, OptionalInt.empty(), false);
            }
            int good = MIN_BYTES;
            int bad = most;
            while (bad - good > 4) {
                int middle = good + (bad - good) / 2 & ~3;
                if (arrives(middle, LONG_WINDOW)) {
                    good = middle;
                } else {
                    bad = middle;
                }
            }
            return new PacketPath(mtu, MIN_BYTES, most, OptionalInt.of(good), !takes(bad));
        } finally {
            control.writeRegister(register, before);
        }
    }

    private boolean takes(int sizeBytes) {
        try {
            return write(sizeBytes) == sizeBytes;
        } catch (DeviceException e) {
            LOG.log(System.Logger.Level.DEBUG, "The device refused a packet size", e);
            return false;
        }
    }

    private boolean arrives(int sizeBytes) {
        return arrives(sizeBytes, TEST_WINDOW);
    }

    private boolean arrives(int sizeBytes, Duration window) {
        for (int i = 0; i < TRIES; i++) {
            try {
                control.writeRegister(
                        register,
                        StreamChannelRegister.SCPS_FIRE_TEST_PACKET
                                | StreamChannelRegister.SCPS_DO_NOT_FRAGMENT
                                | sizeBytes);
                if (receiver.awaitTestPacket(sizeBytes, window)) {
                    return true;
                }
            } catch (DeviceException e) {
                LOG.log(System.Logger.Level.DEBUG, "The device refused a test packet", e);
                return false;
            }
        }
        return false;
    }

    private int write(int sizeBytes) {
        control.writeRegister(register, StreamChannelRegister.SCPS_DO_NOT_FRAGMENT | sizeBytes);
        int actual = control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (actual != sizeBytes) {
            LOG.log(System.Logger.Level.INFO, "The device uses packets of {0} bytes instead of {1}", actual, sizeBytes);
        }
        return actual;
    }

    private boolean testPacketsSupported() {
        return (control.readRegister(BootstrapRegister.GVCP_CAPABILITY) & BootstrapRegister.GVCP_CAPABILITY_TEST_DATA)
                != 0;
    }

    private int interfaceMtu() {
        return mtuBytes(receiver.localAddress()).orElse(1500);
    }

    /** MTU of the interface that has an address. */
    static OptionalInt mtuBytes(InetAddress address) {
        try {
            NetworkInterface local = NetworkInterface.getByInetAddress(address);
            return local == null ? OptionalInt.empty() : OptionalInt.of(local.getMTU());
        } catch (SocketException e) {
            return OptionalInt.empty();
        }
    }
}
