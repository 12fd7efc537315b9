package io.peregrine.device;

import io.peregrine.device.SilenceDiagnosis.Endpoint;
import io.peregrine.device.SilenceDiagnosis.Evidence;
import io.peregrine.device.SilenceDiagnosis.TestPackets;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Asks device and host about a stream that gives nothing. What cannot be found out stays empty. */
final class StreamEvidence {
    private static final System.Logger LOGGER = System.getLogger(StreamEvidence.class.getName());

    private StreamEvidence() {}

    static Evidence collect(DeviceContext device, ControlChannel control, int registers, GvspSource receiver) {
        Endpoint local = new Endpoint(device.parameters().endpoint().told(receiver), receiver.localPort());
        Optional<Endpoint> destination = ask(() -> {
            int address = control.readRegister(registers + StreamChannelRegister.SCDA);
            int port = control.readRegister(registers + StreamChannelRegister.SCP)
                    & StreamChannelRegister.SCP_HOST_PORT_MASK;
            return new Endpoint(AddressConfiguration.ofBits(address), port);
        });
        Optional<Integer> size = ask(() -> control.readRegister(registers + StreamChannelRegister.SCPS)
                & StreamChannelRegister.SCPS_PACKET_SIZE_MASK);
        boolean elsewhere = destination.isPresent() && !destination.get().equals(local);
        boolean mayAsk = !elsewhere && device.parameters().privilege() != Privilege.MONITOR;
        TestPackets tests = !mayAsk
                ? TestPackets.UNKNOWN
                : ask(() -> new PacketSizeNegotiation(control, registers, receiver).probe())
                        .orElse(TestPackets.UNKNOWN);
        NodeMap nodes = device.nodes();
        OptionalLong locked = ask(() -> NodeAccess.readable(nodes, "TLParamsLocked")
                        ? OptionalLong.of(nodes.integer("TLParamsLocked").value())
                        : OptionalLong.empty())
                .orElse(OptionalLong.empty());
        return new Evidence(
                device.info().address(),
                local,
                destination,
                size.map(OptionalInt::of).orElse(OptionalInt.empty()),
                PacketSizeNegotiation.mtuBytes(receiver.localAddress()),
                tests,
                receiver.counters().get(Counter.PACKETS_FOREIGN_SOURCE),
                receiver.counters().get(Counter.PACKETS_FOREIGN_PORT),
                locked,
                ask(() -> active(nodes)).orElse(Optional.empty()),
                ask(() -> triggerSource(nodes)).orElse(Optional.empty()));
    }

    /** Whether the device says that it acquires; empty if it says nothing about it now. */
    static Optional<Boolean> active(NodeMap nodes) {
        boolean told = NodeAccess.readable(nodes, "AcquisitionStatus")
                && NodeAccess.readable(nodes, "AcquisitionStatusSelector")
                && "AcquisitionActive"
                        .equals(nodes.enumeration("AcquisitionStatusSelector").value());
        return told ? Optional.of(nodes.bool("AcquisitionStatus").value()) : Optional.empty();
    }

    private static Optional<String> triggerSource(NodeMap nodes) {
        if (!NodeAccess.readable(nodes, "TriggerMode")
                || !"On".equals(nodes.enumeration("TriggerMode").value())) {
            return Optional.empty();
        }
        return Optional.of(
                NodeAccess.readable(nodes, "TriggerSource")
                        ? nodes.enumeration("TriggerSource").value()
                        : "of its TriggerSource");
    }

    /** A device that does not answer a question says nothing about the reason. */
    private static <T> Optional<T> ask(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (DeviceException | GenApiException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The device does not report it", e);
            return Optional.empty();
        }
    }
}
