package io.peregrine.device;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.Privilege;
import io.peregrine.rdma.GvrspControl;
import io.peregrine.rdma.GvrspMapping;
import io.peregrine.rdma.InterimMapping;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaSelection;
import io.peregrine.rdma.RdmaSource;
import io.peregrine.rdma.RdmaStreamGroup;
import io.peregrine.rdma.RdmaStreamSettings;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.rdma.RegisterAccess;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.FlowSetPool;
import java.net.Inet4Address;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a device needs to stream by RDMA: the mapping that it speaks, and the transport of the host, opened once and
 * closed with the device after its streams.
 */
final class RdmaLink implements AutoCloseable {

    /** Opens transports; the library's providers, or those of a test. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens a transport.
         *
         * @throws RdmaUnavailableException with the reason if that is not possible
         */
        RdmaSelection open(String provider, Inet4Address localAddress);
    }

    /** How the device streams, and what it takes. */
    record Choice(StreamingMode mode, Optional<RdmaLink> link) {}

    private static final System.Logger LOGGER = System.getLogger(RdmaLink.class.getName());
    private static final int GIGE_VISION_3 = 3;

    private final RegisterAccess registers;
    private final GvrspMapping mapping;
    private final RdmaMode mode;
    private final RdmaSelection selection;
    private final RdmaStreamSettings settings;
    private final Optional<SharedRdma> shared;

    private RdmaLink(
            RegisterAccess registers,
            GvrspMapping mapping,
            RdmaMode mode,
            RdmaSelection selection,
            RdmaStreamSettings settings,
            Optional<SharedRdma> shared) {
        this.registers = registers;
        this.mapping = mapping;
        this.mode = mode;
        this.selection = selection;
        this.settings = settings;
        this.shared = shared;
    }

    /**
     * Decides how a device streams. Nothing is written to the device.
     *
     * @throws DeviceException if RDMA is required and not possible
     */
    static Choice choose(ControlChannel channel, NodeMap nodes, OpenParameters parameters, Opener opener) {
        if (parameters.rdma() == OpenOptions.Rdma.OFF) {
            return new Choice(StreamingMode.gvsp(), Optional.empty());
        }
        try {
            RdmaLink link = open(channel, nodes, parameters, opener);
            return new Choice(link.streamingMode(OptionalInt.empty()), Optional.of(link));
        } catch (RdmaException | DeviceException | GenApiException e) {
            return new Choice(refused(parameters.rdma(), e), Optional.empty());
        }
    }

    /** GVSP instead, with a warning; or the error that the user asked for. */
    static StreamingMode refused(OpenOptions.Rdma request, RuntimeException cause) {
        String reason = cause.getMessage();
        if (request == OpenOptions.Rdma.REQUIRE) {
            throw new DeviceException(
                    "UseRdma=require cannot be met: " + reason + ". Use UseRdma=1 to fall back to GVSP", cause);
        }
        LOGGER.log(System.Logger.Level.WARNING, "UseRdma=1 is not met, frames use GVSP: {0}", reason);
        return new StreamingMode(Protocol.GVSP, Protocol.RDMA, Optional.of(reason));
    }

    private static RdmaLink open(ControlChannel channel, NodeMap nodes, OpenParameters parameters, Opener opener) {
        RegisterAccess registers = new Registers(channel);
        if (parameters.destination().group().isPresent() || parameters.privilege() == Privilege.MONITOR) {
            throw new RdmaUnavailableException(
                    "an RDMA connection joins the device with one host, and not with a group or a monitor");
        }
        OpenOptions.Payload payload = parameters.payload();
        if (payload != OpenOptions.Payload.AUTOMATIC && payload != OpenOptions.Payload.GENDC) {
            throw new RdmaUnavailableException(
                    "Payload=" + payload.text() + " was asked for, and RDMA carries GenDC containers only");
        }
        GvrspMapping mapping = mapping(channel, nodes);
        GvrspMapping.Probe probe = mapping.probe(registers);
        if (!probe.usable()) {
            throw new RdmaUnavailableException(probe.reason());
        }
        RdmaStreamSettings settings = parameters.rdmaStream();
        Set<RdmaMode> offered = probe.modes();
        Optional<RdmaMode> wanted = settings.mode();
        if (settings.shared() && wanted.isEmpty() && offered.contains(RdmaMode.WRITE)) {
            wanted = Optional.of(RdmaMode.WRITE);
        }
        RdmaMode mode = RdmaMode.choose(offered, wanted)
                .orElseThrow(() -> new RdmaUnavailableException("the device does not offer RdmaMode="
                        + settings.mode().map(RdmaLink::name).orElse("auto") + ", only " + offered));
        Inet4Address local = local(channel, settings);
        if (settings.shared() && mode == RdmaMode.WRITE) {
            SharedRdma shared = SharedRdma.open(opener, settings, local, mapping);
            typeOfService(shared.selection(), parameters, shared::close);
            return new RdmaLink(registers, mapping, mode, shared.selection(), settings, Optional.of(shared));
        }
        RdmaSelection selection = opener.open(settings.provider(), local);
        typeOfService(selection, parameters, selection.transport()::close);
        return new RdmaLink(registers, mapping, mode, selection, settings, Optional.empty());
    }

    private static void typeOfService(RdmaSelection selection, OpenParameters parameters, Runnable release) {
        int wanted = parameters.control().typeOfService();
        if (wanted != 0) {
            try {
                selection.transport().typeOfService(wanted);
            } catch (RdmaException e) {
                release.run();
                throw e;
            }
        }
    }

    private static GvrspMapping mapping(ControlChannel channel, NodeMap nodes) {
        Optional<Node> marker = nodes.find(InterimMapping.ADDRESS_FEATURE).filter(Node::readable);
        if (marker.isPresent()) {
            return InterimMapping.at(
                    nodes.integer(InterimMapping.ADDRESS_FEATURE).value());
        }
        int major = channel.readRegister(BootstrapRegister.VERSION) >>> 16;
        if (major >= GIGE_VISION_3) {
            throw new RdmaUnavailableException("the device announces GigE Vision " + major
                    + ".0, but how it streams by RDMA is not public: frames use GVSP");
        }
        throw new RdmaUnavailableException(
                VendorRdma.of(nodes).map(VendorRdma::reason).orElse("the device does not offer RDMA"));
    }

    private static Inet4Address local(ControlChannel channel, RdmaStreamSettings settings) {
        if (settings.interfaceAddress().isPresent()) {
            return settings.interfaceAddress().get();
        }
        if (channel.localAddress() instanceof Inet4Address address) {
            return address;
        }
        throw new RdmaUnavailableException("the way to the device has no IPv4 address: set RdmaInterface");
    }

    private static String name(RdmaMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** The streaming mode with this link in use. */
    StreamingMode streamingMode(OptionalInt pathMtuBytes) {
        RdmaTransport transport = selection.transport();
        return new StreamingMode(
                Protocol.RDMA,
                Protocol.RDMA,
                Optional.empty(),
                Optional.of(new StreamingMode.Rdma(
                        transport.provider(),
                        transport.deviceName(),
                        transport.gid(),
                        name(mode),
                        pathMtuBytes,
                        selection.reason())));
    }

    RegisterAccess registers() {
        return registers;
    }

    GvrspMapping mapping() {
        return mapping;
    }

    RdmaTransport transport() {
        return selection.transport();
    }

    /** Registers the flow sets of a pool for a stream. */
    RdmaSource source(String name, FlowSetPool pool, GvrspControl control) {
        Optional<RdmaStreamGroup> group = shared.map(SharedRdma::group)
                .filter(candidate -> candidate.hasRoomFor(pool.count(), mapping, pool.flowSizesBytes().length));
        return group.isPresent()
                ? RdmaSource.open(name, settings, group.get(), pool, mapping, control)
                : RdmaSource.open(name, settings, selection.transport(), pool, mode, mapping, control);
    }

    @Override
    public void close() {
        if (shared.isPresent()) {
            shared.get().close();
        } else {
            selection.transport().close();
        }
    }

    /** The control channel as a mapping sees it. */
    private record Registers(ControlChannel channel) implements RegisterAccess {
        @Override
        public int read(long address) {
            return channel.readRegister(checked(address));
        }

        @Override
        public void write(long address, int value) {
            channel.writeRegister(checked(address), value);
        }

        private static int checked(long address) {
            if (address < 0 || address > 0xFFFF_FFFFL) {
                throw new RdmaException(
                        "There is no register at 0x" + Long.toHexString(address) + ": addresses have 32 bits");
            }
            return (int) address;
        }
    }
}
