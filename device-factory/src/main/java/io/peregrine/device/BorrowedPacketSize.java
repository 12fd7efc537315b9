package io.peregrine.device;

import io.peregrine.gvcp.GvcpStatusException;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSource;
import java.net.InetAddress;
import java.util.OptionalInt;

/**
 * The packet size of a stream channel, which is the stream's while it runs: what was found in the register comes back
 * afterwards. A device that was away in between gets back what was found first. Used under the lock of the stream.
 */
final class BorrowedPacketSize {
    private static final System.Logger LOGGER = System.getLogger(BorrowedPacketSize.class.getName());

    private final int channelRegisters;
    private final int register;
    private OptionalInt found = OptionalInt.empty();
    /** What the device said that it uses then; empty while sizes are tried out. */
    private OptionalInt settled = OptionalInt.empty();

    private boolean silenceTold;

    BorrowedPacketSize(int channelRegisters) {
        this.channelRegisters = channelRegisters;
        register = channelRegisters + StreamChannelRegister.SCPS;
    }

    /**
     * What the packet size will probably be.
     *
     * @param local address of the interface that packets arrive at
     * @param before size of the last stream, or 0
     */
    int likely(ControlChannel control, InetAddress local, PacketSizeChoice choice, int before) {
        return switch (choice.way()) {
            case KEEP ->
                Math.max(
                        control.readRegister(register) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK,
                        PacketSizeChoice.MIN_BYTES);
            case GIVEN -> choice.bytes();
            case NEGOTIATE -> before > 0 ? before : PacketSizeNegotiation.limit(local);
        };
    }

    /**
     * Settles the packet size.
     *
     * @param trial is where the device sends to
     * @return size in bytes that the device will use, with the headers of IP, UDP and GVSP
     */
    int settle(ControlChannel control, GvspSource trial, PacketSizeChoice choice) {
        int present = control.readRegister(register) & ~StreamChannelRegister.SCPS_FIRE_TEST_PACKET;
        if (found.isEmpty()) {
            found = OptionalInt.of(present);
        }
        settled = OptionalInt.empty();
        PacketSizeNegotiation negotiation = new PacketSizeNegotiation(control, channelRegisters, trial);
        int size = switch (choice.way()) {
            case KEEP -> negotiation.keep(present);
            case GIVEN -> negotiation.write(choice.bytes());
            case NEGOTIATE -> negotiate(negotiation, present);
        };
        settled = OptionalInt.of(size);
        return size;
    }

    private int negotiate(PacketSizeNegotiation negotiation, int present) {
        OptionalInt largest = negotiation.largest(present & StreamChannelRegister.SCPS_PACKET_SIZE_MASK);
        if (largest.isPresent()) {
            return negotiation.write(largest.getAsInt());
        }
        int size = negotiation.stay(present);
        if (!silenceTold) {
            silenceTold = true;
            negotiation.tellSilence(size);
        }
        return size;
    }

    /** Whether there is something to give back. */
    boolean borrowed() {
        return found.isPresent();
    }

    /**
     * Restores the registers that were changed here and not by another application since.
     *
     * @return false if the device does not take it now: try again when it has stopped
     * @throws DeviceException if the device does not answer
     */
    boolean giveBack(ControlChannel control) {
        if (!borrowed()) {
            return true;
        }
        try {
            int present = control.readRegister(register) & ~StreamChannelRegister.SCPS_FIRE_TEST_PACKET;
            int size = present & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
            boolean ours = settled.isEmpty() || settled.getAsInt() == size;
            if (ours && present != found.getAsInt()) {
                control.writeRegister(register, found.getAsInt());
            }
        } catch (DeviceException e) {
            if (!(e.getCause() instanceof GvcpStatusException)) {
                throw e;
            }
            LOGGER.log(System.Logger.Level.DEBUG, "The device does not take its packet size back", e);
            return false;
        }
        found = OptionalInt.empty();
        settled = OptionalInt.empty();
        return true;
    }

    /** The same for the last time. */
    void giveBackAtLast(ControlChannel control) {
        if (!giveBack(control)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The device refuses to have its packet size set back to {0} bytes: set GevSCPSPacketSize, or switch"
                            + " the device off and on",
                    Integer.toString(found.orElse(0) & StreamChannelRegister.SCPS_PACKET_SIZE_MASK));
        }
    }
}
