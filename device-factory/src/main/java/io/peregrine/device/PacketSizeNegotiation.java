package io.peregrine.device;

import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.GvcpStatusException;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSource;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds the largest packet that really arrives: asks the device for test packets that may not be fragmented. What was
 * written is read back, for a device may round.
 */
final class PacketSizeNegotiation {
    private static final System.Logger LOGGER = System.getLogger(PacketSizeNegotiation.class.getName());
    /** A size that any Ethernet passes, even through tunnels. */
    private static final int SAFE_BYTES = 1400;

    private static final int MIN_BYTES = PacketSizeChoice.MIN_BYTES;
    private static final int MAX_BYTES = PacketSizeChoice.MAX_BYTES;
    private static final int TRIES = 2;
    /** For who waits for a stream: two of them are the most that a silent device costs. */
    private static final Duration TEST_WINDOW = Duration.ofMillis(50);
    /** For who wants to know, and does not wait for a stream. */
    private static final Duration LONG_WINDOW = Duration.ofMillis(250);

    /** What switches and adapters stop at, and what devices make. */
    private static final int[] USUAL_BYTES = {9000, 8228, 8192, 7152, 4072, 1500};

    private final ControlChannel control;
    private final int register;
    private final GvspSource receiver;

    PacketSizeNegotiation(ControlChannel control, int channelRegisters, GvspSource receiver) {
        this.control = control;
        register = channelRegisters + StreamChannelRegister.SCPS;
        this.receiver = receiver;
    }

    /**
     * Looks for the largest size that arrives, up to the MTU of the interface. Most often one packet does. If it does
     * not come, packets of all usual sizes are asked for at once, the smallest at last: when that has come, so has
     * every larger one that passes. The register holds what was tried last afterwards.
     *
     * @param presentBytes the size that the device is set to, which is tried too
     * @return the size, or nothing when not even the smallest packet came
     */
    OptionalInt largest(int presentBytes) {
        int limit = limit();
        OptionalInt most = fire(limit);
        if (most.isPresent() && receiver.awaitTestPacket(most.getAsInt(), TEST_WINDOW)) {
            return most;
        }
        int[] fired = IntStream.concat(IntStream.of(limit, presentBytes & ~3, MIN_BYTES), IntStream.of(USUAL_BYTES))
                .filter(size -> size >= MIN_BYTES && size <= limit)
                .distinct()
                .boxed()
                .sorted(Comparator.reverseOrder())
                .map(this::fire)
                .flatMapToInt(OptionalInt::stream)
                .toArray();
        if (fired.length == 0) {
            return OptionalInt.empty();
        }
        int smallest = fired[fired.length - 1];
        boolean smallestCame = receiver.awaitTestPacket(smallest, TEST_WINDOW);
        for (int size : fired) {
            if (size != smallest && receiver.awaitTestPacket(size, Duration.ZERO)) {
                return OptionalInt.of(size);
            }
        }
        return smallestCame ? OptionalInt.of(smallest) : OptionalInt.empty();
    }

    /**
     * Leaves the size as the user has set it.
     *
     * @param present what is in the register
     * @return the size in bytes
     */
    int keep(int present) {
        int size = present & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (size < MIN_BYTES) {
            throw new DeviceException("PacketSize is keep, but the device is set to packets of " + size
                    + " bytes: set GevSCPSPacketSize, or open it with PacketSize=negotiate");
        }
        if ((present & StreamChannelRegister.SCPS_BIG_ENDIAN_PIXELS) != 0) {
            control.writeRegister(register, present & ~StreamChannelRegister.SCPS_BIG_ENDIAN_PIXELS);
        }
        return size;
    }

    /**
     * Goes back to what was found when no test packet came.
     *
     * @param present what was in the register
     * @return the size in bytes
     */
    int stay(int present) {
        int size = present & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (size < MIN_BYTES || size > limit()) {
            return write(SAFE_BYTES);
        }
        control.writeRegister(register, present & ~StreamChannelRegister.SCPS_BIG_ENDIAN_PIXELS);
        return size;
    }

    /** Says why a stream gets packets no larger than it does. */
    void tellSilence(int sizeBytes) {
        boolean announced = testPacketsAnnounced();
        LOGGER.log(
                announced ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                "None of the test packets arrived, so packets have {0} bytes: {1}. PacketSize=keep does without test"
                        + " packets, a number asks for another size",
                Integer.toString(sizeBytes),
                announced
                        ? "a firewall may drop what the device sends to port " + receiver.localPort()
                        : "the device sends none, or a firewall drops what it sends to port " + receiver.localPort());
    }

    /** What test packets say about the path for the size that the device uses. The register is as it was afterwards. */
    SilenceDiagnosis.TestPackets probe() {
        int before = control.readRegister(register) & ~StreamChannelRegister.SCPS_FIRE_TEST_PACKET;
        try {
            if (arrives(before & StreamChannelRegister.SCPS_PACKET_SIZE_MASK, TEST_WINDOW)) {
                return SilenceDiagnosis.TestPackets.ARRIVED;
            }
            if (arrives(MIN_BYTES, TEST_WINDOW)) {
                return SilenceDiagnosis.TestPackets.ONLY_SMALL;
            }
            // A few devices send none, and do not announce them.
            return testPacketsAnnounced() ? SilenceDiagnosis.TestPackets.NONE : SilenceDiagnosis.TestPackets.UNKNOWN;
        } finally {
            control.writeRegister(register, before);
        }
    }

    /**
     * Looks for the largest size that arrives, up to the MTU of the interface, by halves. The register is as it was
     * afterwards.
     */
    DeviceNetwork.PacketPath explore() {
        int mtu = interfaceMtu(receiver.localAddress());
        int most = limit();
        int before = control.readRegister(register) & ~StreamChannelRegister.SCPS_FIRE_TEST_PACKET;
        try {
            if (arrives(most, LONG_WINDOW)) {
                return new DeviceNetwork.PacketPath(mtu, MIN_BYTES, most, OptionalInt.of(most), false);
            }
            if (!arrives(MIN_BYTES, LONG_WINDOW)) {
                return new DeviceNetwork.PacketPath(mtu, MIN_BYTES, most, OptionalInt.empty(), false);
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
            return new DeviceNetwork.PacketPath(mtu, MIN_BYTES, most, OptionalInt.of(good), !takes(bad));
        } finally {
            control.writeRegister(register, before);
        }
    }

    private boolean takes(int sizeBytes) {
        try {
            return write(sizeBytes) == sizeBytes;
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The device refused a packet size", e);
            return false;
        }
    }

    private boolean arrives(int sizeBytes, Duration window) {
        for (int i = 0; i < TRIES; i++) {
            OptionalInt fired = fire(sizeBytes);
            if (fired.isEmpty() || fired.getAsInt() != sizeBytes) {
                return false;
            }
            if (receiver.awaitTestPacket(sizeBytes, window)) {
                return true;
            }
        }
        return false;
    }

    /** Asks for a test packet; gives its size, for a device may round, or nothing if the device refuses the size. */
    private OptionalInt fire(int sizeBytes) {
        try {
            control.writeRegister(
                    register,
                    StreamChannelRegister.SCPS_FIRE_TEST_PACKET
                            | StreamChannelRegister.SCPS_DO_NOT_FRAGMENT
                            | sizeBytes);
            return OptionalInt.of(control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK);
        } catch (DeviceException e) {
            if (!(e.getCause() instanceof GvcpStatusException)) {
                throw e;
            }
            LOGGER.log(System.Logger.Level.DEBUG, "The device refused a test packet", e);
            return OptionalInt.empty();
        }
    }

    /** Sets a size; gives the one that the device uses. */
    int write(int sizeBytes) {
        control.writeRegister(register, StreamChannelRegister.SCPS_DO_NOT_FRAGMENT | sizeBytes);
        int actual = control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        if (actual != sizeBytes) {
            LOGGER.log(
                    System.Logger.Level.INFO, "The device uses packets of {0} bytes instead of {1}", actual, sizeBytes);
        }
        return actual;
    }

    /** The bit says that test packets have a defined content; without it they may be sent all the same. */
    private boolean testPacketsAnnounced() {
        return (control.readRegister(BootstrapRegister.GVCP_CAPABILITY) & BootstrapRegister.GVCP_CAPABILITY_TEST_DATA)
                != 0;
    }

    private int limit() {
        return limit(receiver.localAddress());
    }

    /** The largest size that an interface and GigE Vision allow. */
    static int limit(InetAddress local) {
        return Math.max(Math.min(interfaceMtu(local), MAX_BYTES) & ~3, MIN_BYTES);
    }

    private static int interfaceMtu(InetAddress local) {
        return mtuBytes(local).orElse(1500);
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
