package io.peregrine.device;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Says why nothing was received since a stream was started, from what can be found out about device and path. */
final class SilenceDiagnosis {
    /** How long a device may take for its first packet. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private SilenceDiagnosis() {}

    /** The outcome of a request for a test packet. */
    enum TestPackets {
        /** The device knows none, or they could not be asked for. */
        UNKNOWN,
        /** One of the size in use arrived. */
        ARRIVED,
        /** A small one arrived, one of the size in use did not. */
        ONLY_SMALL,
        /** None arrived. */
        NONE
    }

    /**
     * What was found out.
     *
     * @param device address of the device
     * @param local address and port at which packets are expected
     * @param destination where the device sends to by its registers SCDA and SCP
     * @param packetSizeBytes packet size by its register SCPS
     * @param interfaceMtuBytes MTU of the local interface
     * @param testPackets the outcome of a request for a test packet
     * @param foreignPackets packets that came from other addresses
     * @param foreignPortPackets packets that came from the device's address, but not from the port that it reports
     * @param locked value of TLParamsLocked
     * @param acquisitionActive whether the device says that acquisition is active
     * @param triggerSource source of the trigger that the device waits for; empty when none is on
     */
    record Evidence(
            InetAddress device,
            Endpoint local,
            Optional<Endpoint> destination,
            OptionalInt packetSizeBytes,
            OptionalInt interfaceMtuBytes,
            TestPackets testPackets,
            long foreignPackets,
            long foreignPortPackets,
            OptionalLong locked,
            Optional<Boolean> acquisitionActive,
            Optional<String> triggerSource) {}

    /** An address and a port. */
    record Endpoint(InetAddress address, int port) {
        @Override
        public String toString() {
            return address.getHostAddress() + ":" + port;
        }
    }

    /**
     * Explains why nothing came.
     *
     * @param evidence what was found out
     * @param sinceStart time since the stream was started
     * @return one sentence for each reason that holds, the surest first; empty while it is too early to say
     */
    static List<String> of(Evidence evidence, Duration sinceStart) {
        if (sinceStart.compareTo(PATIENCE) < 0) {
            return List.of();
        }
        List<String> reasons = new ArrayList<>();
        path(evidence, reasons);
        device(evidence, reasons);
        if (reasons.isEmpty()) {
            reasons.add(
                    evidence.testPackets == TestPackets.ARRIVED
                            ? "A test packet of the size in use arrived, so network and firewall are fine: the device"
                                    + " itself does not send. Look at its exposure, its trigger and its user set"
                            : "Registers and features of the device are as they should be: allow UDP from "
                                    + evidence.device.getHostAddress() + " to port " + evidence.local.port
                                    + " in the firewall, and check that "
                                    + (group(evidence)
                                            ? "the switches pass on the group "
                                                    + evidence.local.address.getHostAddress()
                                                    + ": with IGMP snooping, one of them must be a querier"
                                            : network(evidence) + " is the one that the device is connected to"));
        }
        String seconds = sinceStart.toSeconds() + " s";
        reasons.set(0, "Nothing was received in " + seconds + ": " + reasons.get(0));
        return List.copyOf(reasons);
    }

    private static void path(Evidence evidence, List<String> reasons) {
        evidence.destination
                .filter(actual -> !actual.equals(evidence.local))
                .ifPresent(actual -> reasons.add("the device sends to " + actual + " and not to " + evidence.local
                        + " (its registers SCDA and SCP): another program has changed them, or the device did not take"
                        + " them; start the stream again, and look for a second program that controls the device"));
        if (evidence.foreignPackets > 0) {
            reasons.add(evidence.foreignPackets + " packets came from another address than the device's "
                    + evidence.device.getHostAddress()
                    + ": it sends from a second address, or another device sends to this port");
        }
        if (evidence.foreignPortPackets > 0) {
            reasons.add(
                    evidence.foreignPortPackets + " packets came from the device's address, but from another port than"
                            + " its register SCSP reports: another host sends under its address, or the register is"
                            + " wrong (look for newer firmware)");
        }
        int size = evidence.packetSizeBytes.orElse(0);
        int mtu = evidence.interfaceMtuBytes.orElse(Integer.MAX_VALUE);
        if (size > mtu) {
            reasons.add("packets of " + size + " bytes do not fit the MTU of " + mtu + " of " + network(evidence)
                    + ": set PacketSize=negotiate to find a size that does, or raise the"
                    + " MTU (ip link set dev ... mtu 9000)");
        } else if (evidence.testPackets == TestPackets.ONLY_SMALL) {
            reasons.add("a small test packet arrived, one of " + size
                    + " bytes did not: the MTU of the path, for example of"
                    + " a switch, is smaller; set PacketSize=negotiate to find a size that passes, or allow"
                    + " jumbo frames");
        } else if (evidence.testPackets == TestPackets.NONE) {
            reasons.add("not even a small test packet arrived at " + evidence.local + ": a firewall drops UDP from "
                    + evidence.device.getHostAddress()
                    + ", or its way back leads to another interface; allow it, and check"
                    + " with 'ip route get " + evidence.device.getHostAddress() + "'");
        }
    }

    private static boolean group(Evidence evidence) {
        return evidence.local.address.isMulticastAddress();
    }

    private static String network(Evidence evidence) {
        return group(evidence)
                ? "the interface to the device"
                : "the interface " + evidence.local.address.getHostAddress();
    }

    private static void device(Evidence evidence, List<String> reasons) {
        if (evidence.locked.isPresent() && evidence.locked.getAsLong() == 0) {
            reasons.add("TLParamsLocked is 0, so the device was not asked to stream: start the device half too"
                    + " (stream.start() or deviceStart())");
        } else if (evidence.acquisitionActive.isPresent() && !evidence.acquisitionActive.get()) {
            reasons.add(
                    "AcquisitionStatus says that acquisition is not active: it was not started, or has ended by itself"
                            + " (AcquisitionMode)");
        }
        evidence.triggerSource.ifPresent(source -> reasons.add("TriggerMode is On and the device waits for the trigger "
                + source + ": send it, or set TriggerMode=Off"));
    }
}
