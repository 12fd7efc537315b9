package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.gvsp.MulticastGroup;
import io.peregrine.rdma.RdmaSource;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.util.Optional;

/**
 * Starts the receiver of one stream channel, over RDMA or GVSP: payload, flow sets, receiver, packet size, destination,
 * in this order.
 */
final class ReceiverStart {
    private static final System.Logger LOGGER = System.getLogger(ReceiverStart.class.getName());
    private static final int MAX_OPEN_BLOCKS = 1024;

    private final DeviceContext device;
    private final CameraConnection connection;
    private final AcquisitionCommands acquisition;
    private final PayloadSetup payload;
    private final StreamPool pool;
    private final int index;
    private final int registers;
    private final BorrowedPacketSize packetSize;
    private volatile int packetSizeBytes;

    ReceiverStart(
            DeviceContext device,
            CameraConnection connection,
            AcquisitionCommands acquisition,
            PayloadSetup payload,
            StreamPool pool,
            int index) {
        this.device = device;
        this.connection = connection;
        this.acquisition = acquisition;
        this.payload = payload;
        this.pool = pool;
        this.index = index;
        registers = StreamChannelRegister.address(index, 0);
        packetSize = new BorrowedPacketSize(registers);
    }

    /**
     * Starts a receiver.
     *
     * @throws StreamException if this host cannot receive
     * @throws DeviceException if the device cannot be set up
     */
    StreamEngine start() {
        return connection.rdma().flatMap(this::startRdma).orElseGet(this::startGvsp);
    }

    /**
     * Sizes of the flows that a start would need, in bytes, with the payload that it would choose.
     *
     * @throws DeviceException if the device cannot be set up
     */
    long[] flowSizes() {
        ControlChannel control = connection.channel();
        if (device.parameters().monitors()) {
            StreamInProgress present = StreamInProgress.read(control, registers, payload.capability(control) != 0);
            return payload.flowSizes(control, present.genDc(), present.multiPart());
        }
        PayloadConfiguration wanted = payload.configure(control);
        return payload.flowSizes(control, wanted.genDc(), wanted.multiPart());
    }

    /** Packet size of the last start; 0 over RDMA, and before. */
    int packetSizeBytes() {
        return packetSizeBytes;
    }

    /** Has the device send nothing more over GVSP. */
    void closeChannel(ControlChannel control) {
        control.writeRegister(registers + StreamChannelRegister.SCP, 0);
    }

    /** Empty when the stream must use GVSP instead. */
    private Optional<StreamEngine> startRdma(RdmaLink link) {
        try {
            RdmaSource opened = openRdma(link);
            StreamEngine started = started(opened);
            packetSizeBytes = 0;
            device.streamingMode(link.streamingMode(opened.pathMtuBytes()));
            return Optional.of(started);
        } catch (StreamException | DeviceException e) {
            if (!connection.alive()) {
                throw e;
            }
            device.streamingMode(RdmaLink.refused(device.parameters().rdma(), e));
            return Optional.empty();
        }
    }

    private RdmaSource openRdma(RdmaLink link) {
        ControlChannel control = connection.channel();
        if (!payload.configure(control).genDc()) {
            throw new DeviceException("the device does not offer GenDC on stream " + index + ", which RDMA needs");
        }
        device.warmUp().expect(PayloadType.GENDC);
        FlowSetPool flowSets = pool.of(payload.flowSizes(control));
        return link.source(
                device.info().address().getHostAddress() + "-rdma-" + index,
                flowSets,
                new RdmaControl(link, control, index));
    }

    private StreamEngine startGvsp() {
        ControlChannel control = connection.channel();
        if (device.parameters().monitors()) {
            return startMonitor(control);
        }
        if ((payload.capability(control) & StreamChannelRegister.SCC_UNCONDITIONAL_STREAMING) != 0
                && StreamInProgress.read(control, registers, true).unconditional()) {
            // The application that started it is gone.
            acquisition.end("AcquisitionStop");
            closeChannel(control);
        }
        PayloadConfiguration wanted = payload.configure(control);
        int payloadType = expect(wanted.genDc(), wanted.multiPart());
        FlowSetPool flowSets = hostMemory(payload.flowSizes(control, wanted.genDc(), wanted.multiPart()));
        GvspSettings settings = device.parameters()
                .destination()
                .group()
                .map(settings(control)::withGroup)
                .orElseGet(() -> settings(control));
        try {
            return started(settled(control, settings, flowSets), control, payloadType);
        } catch (RuntimeException | Error e) {
            Failures failures = new Failures();
            failures.attempt(() -> closeChannel(control));
            failures.attempt(() -> giveBackPacketSize(control));
            failures.first().ifPresent(e::addSuppressed);
            throw e;
        }
    }

    /**
     * Opens a receiver, and has it find the packet size. A receiver is made for packets of one size, so another one
     * follows it if the size is not the one that was likely.
     */
    private GvspSource settled(ControlChannel control, GvspSettings settings, FlowSetPool flowSets) {
        int likely = packetSize.likely(
                control, settings.localAddress(), device.parameters().packetSize(), packetSizeBytes);
        GvspSource opened = open(control, settings.withPacketSizeBytes(likely), flowSets);
        try {
            packetSizeBytes =
                    packetSize.settle(control, opened, device.parameters().packetSize());
            device.nodes().invalidateAll();
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
        boolean joined = device.parameters().destination().joined();
        if (joined && packetSizeBytes == likely) {
            return opened;
        }
        int port = opened.localPort();
        opened.close();
        GvspSettings known = settings.withPacketSizeBytes(packetSizeBytes);
        return joined ? open(control, known, flowSets) : GvspSource.withoutReception(known, flowSets, port);
    }

    /** GVSP needs the processor: packets are copied by it, by the kernel, or moved after a loss. */
    private FlowSetPool hostMemory(long[] flowSizes) {
        FlowSetPool flowSets =
                pool.of(flowSizes, device.parameters().reception().flowSets(flowSizes));
        if (!flowSets.hostAccess()) {
            throw new StreamException("The flow sets are in memory of a device, which only RDMA over an adapter fills"
                    + device.streamingMode()
                            .reason()
                            .map(reason -> ", and RDMA is not used: " + reason)
                            .orElse(": set UseRdma=require"));
        }
        return flowSets;
    }

    private int expect(boolean genDc, boolean multiPart) {
        int payloadType = genDc ? PayloadType.GENDC : multiPart ? PayloadType.MULTI_PART : PayloadType.IMAGE;
        device.warmUp().expect(payloadType);
        return payloadType;
    }

    private StreamEngine started(GvspSource opened, ControlChannel control, int payloadType) {
        try {
            opened.sourcePort(sourcePort(control));
            rehearse(opened, payloadType);
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
        return started(opened);
    }

    /** Not where no one waits for the end of a frame, or a thread runs the code for many streams anyway. */
    private void rehearse(GvspSource opened, int payloadType) {
        OpenParameters parameters = device.parameters();
        if (parameters.receiverWaiting().promptEnd()
                && parameters.sharedReceiverThread().isEmpty()) {
            try {
                int frames = parameters.warmUpFrames();
                opened.rehearse(
                        new RehearsedFrame(payloadType),
                        () -> !WarmUp.compiled(WarmUp.made(payloadType) + RehearsedFrame.runs(), frames));
            } catch (RuntimeException | Error e) {
                // The stream does without.
                LOGGER.log(System.Logger.Level.DEBUG, "The ends of frames cannot be rehearsed", e);
            }
        }
    }

    private StreamEngine started(StreamSource opened) {
        StreamEngine engine = new StreamEngine(opened, device.parameters().handOff());
        try {
            engine.start();
            return engine;
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    /** Receives what the controller has set up; writes nothing. */
    private StreamEngine startMonitor(ControlChannel control) {
        device.nodes().invalidateAll();
        StreamInProgress present = StreamInProgress.read(control, registers, payload.capability(control) != 0);
        MulticastGroup group = present.group();
        int payloadType = expect(present.genDc(), present.multiPart());
        FlowSetPool flowSets = hostMemory(payload.flowSizes(control, present.genDc(), present.multiPart()));
        packetSizeBytes = present.packetSizeBytes();
        GvspSettings settings = settings(control).withGroup(group).withPacketSizeBytes(packetSizeBytes);
        return started(receiver(control, settings, flowSets), control, payloadType);
    }

    private GvspSettings settings(ControlChannel control) {
        HostEndpoint endpoint = device.parameters().endpoint();
        GvspSettings defaults = endpoint.settings(control, device.info().address(), index);
        int tries = device.parameters().resendTries();
        return defaults.withResendEnabled(device.parameters().resendEnabled() && resendSupported(control))
                // Tries are of no use to a block that may not ask for more packets.
                .withResendLimits(tries, defaults.resendRatio() * tries / defaults.resendTries())
                .withFrameRetention(device.parameters().frameRetention())
                // Who gives more memory wants it to be used before a block is given up for a newer one.
                .withOpenBlocks(Math.min(Math.max(defaults.openBlocks(), pool.count()), MAX_OPEN_BLOCKS))
                .withReceiveBufferBytes(device.parameters().receiveBufferBytes())
                .withInOrder(device.parameters().inOrderDelivery())
                .withThread(device.parameters().receiverThread())
                .withWaiting(device.parameters().receiverWaiting())
                .withVerbs(device.parameters().reception().verbs())
                .withSharedThread(device.parameters().sharedReceiverThread());
    }

    /** Opens a receiver and sets its address in the device. */
    private GvspSource open(ControlChannel control, GvspSettings settings, FlowSetPool flowSets) {
        GvspSource opened = receiver(control, settings, flowSets);
        try {
            control.writeRegister(
                    registers + StreamChannelRegister.SCDA,
                    AddressConfiguration.bits(device.parameters().endpoint().told(opened)));
            control.writeRegister(registers + StreamChannelRegister.SCP, opened.localPort());
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private GvspSource receiver(ControlChannel control, GvspSettings settings, FlowSetPool flowSets) {
        return GvspSource.open(
                settings, flowSets, control.resends(index), device.parameters().packetReceiver());
    }

    /** UDP port that the device says it sends from; 0 where it does not say, or a translation may change it. */
    int sourcePort(ControlChannel control) {
        if (!device.parameters().destination().joined()
                || device.parameters().endpoint().announced().isPresent()) {
            return 0;
        }
        try {
            return (control.readRegister(BootstrapRegister.STREAM_CHANNEL_CAPABILITY)
                                    & BootstrapRegister.STREAM_CAPABILITY_SOURCE_PORT)
                            == 0
                    ? 0
                    : control.readRegister(registers + StreamChannelRegister.SCSP)
                            & StreamChannelRegister.SCSP_SOURCE_PORT_MASK;
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No register with the source port of the stream", e);
            return 0;
        }
    }

    private static boolean resendSupported(ControlChannel control) {
        return (control.readRegister(BootstrapRegister.GVCP_CAPABILITY)
                        & BootstrapRegister.GVCP_CAPABILITY_PACKET_RESEND)
                != 0;
    }

    /** Restores the packet size that the device had before the stream. */
    void giveBackPacketSize(ControlChannel control) {
        if (packetSize.borrowed()) {
            packetSize.giveBack(control);
            device.nodes().invalidateAll();
        }
    }

    /** Restores the packet size of a device that refused it while another stream ran. */
    void giveBackPacketSizeAtLast() {
        packetSize.giveBackAtLast(connection.channel());
    }
}
