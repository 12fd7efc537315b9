package io.peregrine.device;

import io.peregrine.composite.AcquisitionControl;
import io.peregrine.composite.CompositeStreamBase;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.gvsp.MulticastGroup;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.rdma.RdmaSource;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One stream channel of a device: sets the registers up and takes them down in the right order around a receiver that
 * is made anew for each run, because payload size and flows may change in between.
 */
final class DeviceStream implements StreamPort, StreamChannel, AcquisitionControl {
    private static final System.Logger LOGGER = System.getLogger(DeviceStream.class.getName());
    private static final int MOST_OPEN_BLOCKS = 1024;
    private static final long MAX_FLOW_TABLE_BYTES = 16 + 8L * 4096;

    private final DeviceContext device;
    private final CameraConnection connection;
    private final int index;
    private final int registers;

    private final ReconnectGap gap = new ReconnectGap();
    private volatile StreamEngine receiver;
    /** What the receivers counted that the present one follows within a run, and how often it was made anew. */
    private volatile StreamStatistics earlier = StreamStatistics.zero();

    /** What was known of them when the last of them ended. */
    private volatile List<String> earlierDiagnosis = List.of();

    private boolean acquiring;
    /** How the stream ended where there is no receiver that says so. */
    private volatile End withoutReceiver = new End.NotStarted();

    /** What the acquisition under way comes to, if that is known. */
    private volatile Optional<FiniteAcquisition> finite = Optional.empty();
    /** Whether that has come. The receiver stays: the acquisition may be started again. */
    private volatile boolean finished;
    /** Frames that the user has taken in this run. */
    private final AtomicLong taken = new AtomicLong();

    private volatile Throwable lost;
    private volatile long startedAt;
    private volatile boolean silenceTold;
    private FlowSetPool pool;
    private int flowSetCount;
    private volatile int packetSizeBytes;
    private final BorrowedPacketSize packetSize;
    private CompositeStreamBase stream;

    DeviceStream(DeviceContext device, CameraConnection connection, int index) {
        this.device = device;
        this.connection = connection;
        this.index = index;
        registers = StreamChannelRegister.address(index, 0);
        packetSize = new BorrowedPacketSize(registers);
        // Who does not receive needs none, but a pool has two.
        flowSetCount = joined() ? device.parameters().flowSetCount() : 2;
    }

    @Override
    public synchronized <T> T open(Class<T> type) {
        if (stream != null && !stream.closed()) {
            throw new DeviceException("Stream " + index + " is open already: close it first");
        }
        T opened = CompositeStreamBase.create(type, this, this);
        stream = (CompositeStreamBase) opened;
        return opened;
    }

    // ---- engine

    @Override
    public synchronized void start() {
        if (running()) {
            return;
        }
        if (lost != null) {
            throw DeviceException.of("The device is lost: open it again", lost);
        }
        closeReceiver();
        gap.clear();
        finite = Optional.empty();
        finished = false;
        taken.set(0);
        earlier = StreamStatistics.zero();
        earlierDiagnosis = List.of();
        acquiring = false;
        receive();
        Throwable gone = lost;
        if (gone != null) {
            receiver.fail(gone);
        } else if (!connection.alive()) {
            closeReceiver();
            throw DeviceException.of(
                    "The device was lost while the stream was started: open it again",
                    device.lossCause().orElse(null));
        }
    }

    private void receive() {
        try {
            receiver = connection
                    .holdings()
                    .put(
                            "stream " + index,
                            connection.rdma().flatMap(this::startRdma).orElseGet(this::startGvsp));
        } catch (StreamException e) {
            throw DeviceException.of(e.getMessage(), e);
        }
        startedAt = System.nanoTime();
        silenceTold = false;
    }

    // ---- from one connection to the next

    @Override
    public void suspend() {
        StreamEngine current = receiver;
        if (current != null && current.running()) {
            gap.begin();
        }
    }

    @Override
    public synchronized void detach() {
        connection.acquisition().forget(this);
        StreamEngine current = receiver;
        if (!gap.active() || current == null) {
            return;
        }
        Failures failures = new Failures();
        failures.attempt(current::stop);
        gap.keep(current);
        StreamStatistics sum = counted();
        earlierDiagnosis = current.diagnosis(sum);
        earlier = sum;
        receiver = null;
        failures.attempt(current::close);
        failures.throwIfAny();
    }

    @Override
    public synchronized void resume() {
        if (gap.active()) {
            receive();
        }
    }

    @Override
    public synchronized void resumeAcquisition() {
        if (!gap.active()) {
            return;
        }
        if (acquiring && !finished) {
            startAcquisition();
        }
        earlier = earlier.plus(Counter.RECONNECTS, 1);
        gap.end();
    }

    /** Empty when it must go by GVSP instead. */
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
        if (!configurePayload(control).genDc()) {
            throw new DeviceException("the device does not offer GenDC on stream " + index + ", which RDMA needs");
        }
        FlowSetPool flowSets = poolOf(flowSizes(control));
        return link.source(
                device.info().address().getHostAddress() + "-rdma-" + index,
                flowSets,
                new RdmaControl(link, control, index));
    }

    private boolean monitoring() {
        return device.parameters().privilege() == Privilege.MONITOR;
    }

    private boolean joined() {
        return device.parameters().destination().joined();
    }

    private boolean unconditional() {
        return device.parameters().destination().unconditional();
    }

    private StreamEngine startGvsp() {
        ControlChannel control = connection.channel();
        if (monitoring()) {
            return startMonitor(control);
        }
        if ((capability(control) & StreamChannelRegister.SCC_UNCONDITIONAL_STREAMING) != 0
                && StreamInProgress.read(control, registers, true).unconditional()) {
            // Whoever started it is gone.
            endAcquisition("AcquisitionStop");
            control.writeRegister(registers + StreamChannelRegister.SCP, 0);
        }
        PayloadConfiguration payload = configurePayload(control);
        poolOf(payload.genDc() ? flowSizes(control) : new long[] {payloadSize(payload.multiPart())});
        GvspSettings settings = device.parameters()
                .destination()
                .group()
                .map(settings(control)::withGroup)
                .orElseGet(() -> settings(control));
        try {
            // A receiver must know the packet size, and the size can only be tried out with a receiver.
            int port;
            try (GvspSource trial = open(control, settings)) {
                packetSizeBytes =
                        packetSize.settle(control, trial, device.parameters().packetSize());
                device.nodes().invalidateAll();
                port = trial.localPort();
            }
            GvspSettings settled = settings.withPacketSizeBytes(packetSizeBytes);
            GvspSource opened = joined() ? open(control, settled) : GvspSource.withoutReception(settled, pool, port);
            return started(opened, control);
        } catch (RuntimeException | Error e) {
            Failures failures = new Failures();
            failures.attempt(() -> control.writeRegister(registers + StreamChannelRegister.SCP, 0));
            failures.attempt(() -> giveBackPacketSize(control));
            failures.first().ifPresent(e::addSuppressed);
            throw e;
        }
    }

    private StreamEngine started(GvspSource opened, ControlChannel control) {
        try {
            opened.sourcePort(sourcePort(control));
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
        return started(opened);
    }

    private static StreamEngine started(StreamSource opened) {
        StreamEngine engine = new StreamEngine(opened);
        try {
            engine.start();
            return engine;
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    private void giveBackPacketSize(ControlChannel control) {
        if (packetSize.borrowed()) {
            packetSize.giveBack(control);
            device.nodes().invalidateAll();
        }
    }

    /** Receives what the controller has set up; writes nothing. */
    private StreamEngine startMonitor(ControlChannel control) {
        device.nodes().invalidateAll();
        StreamInProgress present = StreamInProgress.read(control, registers, capability(control) != 0);
        MulticastGroup group = present.group();
        poolOf(present.genDc() ? flowSizes(control) : new long[] {payloadSize(present.multiPart())});
        packetSizeBytes = present.packetSizeBytes();
        GvspSettings settings = settings(control).withGroup(group).withPacketSizeBytes(packetSizeBytes);
        return started(receiver(control, settings), control);
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
                .withOpenBlocks(Math.min(Math.max(defaults.openBlocks(), flowSetCount), MOST_OPEN_BLOCKS))
                .withReceiveBufferBytes(device.parameters().receiveBufferBytes())
                .withInOrder(device.parameters().inOrderDelivery())
                .withThread(device.parameters().receiverThread())
                .withWaiting(device.parameters().receiverWaiting())
                .withSharedThread(device.parameters().sharedReceiverThread());
    }

    /** The pool that is there if it fits, or a new one. */
    private FlowSetPool poolOf(long[] flows) {
        if (pool == null
                || pool.count() != flowSetCount
                || !Arrays.equals(pool.flowSizesBytes(), flows)
                || (pool.leasedCount() > 0 && !gap.active())) {
            pool = FlowSetPool.allocate(flowSetCount, flows, device.parameters().memoryLimitBytes());
        }
        return pool;
    }

    /** Opens a receiver and tells the device where it is. */
    private GvspSource open(ControlChannel control, GvspSettings settings) {
        GvspSource opened = receiver(control, settings);
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

    private GvspSource receiver(ControlChannel control, GvspSettings settings) {
        return GvspSource.open(
                settings, pool, control.resends(index), device.parameters().packetReceiver());
    }

    @Override
    public void stop() {
        end(StreamEngine::stop, !monitoring());
    }

    @Override
    public void abort() {
        end(StreamEngine::abort, !monitoring() && !unconditional());
        gap.clear();
    }

    private synchronized void end(Consumer<StreamEngine> how, boolean closesChannel) {
        StreamEngine current = receiver;
        if (current == null) {
            if (gap.active()) {
                withoutReceiver = new End.Stopped();
            }
            gap.end();
            return;
        }
        gap.end();
        Failures failures = new Failures();
        if (closesChannel && current.source() instanceof GvspSource && current.running() && connection.alive()) {
            failures.attempt(() -> connection.channel().writeRegister(registers + StreamChannelRegister.SCP, 0));
        }
        failures.attempt(() -> how.accept(current));
        if (closesChannel && connection.alive()) {
            failures.attempt(() -> giveBackPacketSize(connection.channel()));
        }
        failures.throwIfAny();
    }

    @Override
    public synchronized void giveBack() {
        if (!unconditional() && connection.alive()) {
            packetSize.giveBackAtLast(connection.channel());
        }
    }

    @Override
    public boolean running() {
        StreamEngine current = receiver;
        return gap.active() || (current != null && current.running());
    }

    @Override
    public Optional<End> end() {
        if (finished) {
            return Optional.of(new End.Finished());
        }
        if (gap.active()) {
            return Optional.empty();
        }
        StreamEngine current = receiver;
        return current != null ? current.end() : Optional.of(withoutReceiver);
    }

    @Override
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        Optional<FiniteAcquisition> known = finite;
        if (!finished && known.isPresent() && known.get().over(counted(), taken.get())) {
            finished = true;
        }
        Optional<FlowSet> filled = next(finished ? Duration.ZERO : timeout);
        if (filled.isPresent()) {
            taken.incrementAndGet();
            if (!filled.get().block().complete()) {
                // What is left of an earlier frame must not pass for this one.
                filled.get().fillMissing(device.parameters().missingBytes());
            }
        }
        return filled;
    }

    private Optional<FlowSet> next(Duration timeout) throws InterruptedException {
        Optional<FlowSet> kept = gap.take();
        if (kept.isPresent()) {
            return kept;
        }
        StreamEngine current = receiver;
        Optional<FlowSet> filled = current == null ? Optional.empty() : current.poll(timeout);
        if (filled.isEmpty() && gap.active()) {
            gap.await(timeout);
            return gap.take();
        }
        if (filled.isEmpty() && !silenceTold && current != null && current.source() instanceof GvspSource gvsp) {
            tellSilence(current, gvsp);
        }
        return filled;
    }

    @Override
    public StreamStatistics statistics() {
        StreamEngine current = receiver;
        if (current != null
                && current.source() instanceof RdmaSource rdma
                && !gap.active()
                && connection.alive()
                && !Thread.currentThread().isInterrupted()) {
            try {
                rdma.askForDrops();
            } catch (DeviceException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "The device does not say how many frames it dropped", e);
            }
        }
        return counted();
    }

    /** Without asking the device. */
    private StreamStatistics counted() {
        StreamEngine current = receiver;
        return current == null ? earlier : earlier.plus(current.statistics());
    }

    /** Once in a run. */
    private void tellSilence(StreamEngine current, GvspSource gvsp) {
        if (System.nanoTime() - startedAt < SilenceDiagnosis.PATIENCE.toNanos()) {
            return;
        }
        silenceTold = true;
        List<String> reasons = silence(current, gvsp);
        if (!reasons.isEmpty()) {
            LOGGER.log(System.Logger.Level.INFO, String.join("; ", reasons));
        }
    }

    /** Why nothing came since the start; empty when something did. */
    private List<String> silence(StreamEngine current, GvspSource gvsp) {
        if (!current.running()
                || !joined()
                || !(device.connected() && connection.alive())
                || gvsp.counters().get(Counter.PACKETS_RECEIVED)
                                - gvsp.counters().get(Counter.TEST_PACKETS)
                        > 0) {
            return List.of();
        }
        Duration sinceStart = Duration.ofNanos(System.nanoTime() - startedAt);
        return sinceStart.compareTo(SilenceDiagnosis.PATIENCE) < 0
                ? List.of()
                : SilenceDiagnosis.of(
                        StreamEvidence.collect(device, connection.channel(), registers, gvsp), sinceStart);
    }

    @Override
    public List<String> diagnosis() {
        StreamEngine current = receiver;
        if (current == null) {
            return earlierDiagnosis;
        }
        List<String> found = new ArrayList<>();
        if (current.source() instanceof GvspSource gvsp) {
            found.addAll(silence(current, gvsp));
        }
        found.addAll(current.diagnosis(statistics()));
        return List.copyOf(found);
    }

    @Override
    public Bandwidth.Stream bandwidth(double framesPerSecond) {
        ControlChannel control = connection.channel();
        int scps = control.readRegister(registers + StreamChannelRegister.SCPS);
        long ticks = Integer.toUnsignedLong(control.readRegister(BootstrapRegister.TIMESTAMP_TICK_FREQUENCY_HIGH)) << 32
                | Integer.toUnsignedLong(control.readRegister(BootstrapRegister.TIMESTAMP_TICK_FREQUENCY_LOW));
        boolean extended = (control.readRegister(BootstrapRegister.GVSP_CONFIGURATION)
                        & BootstrapRegister.GVSP_CONFIGURATION_EXTENDED_BLOCK_ID)
                != 0;
        int size = packetSizeBytes > 0 ? packetSizeBytes : scps & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        return new Bandwidth.Stream(device.toString(), payloadSize(false), framesPerSecond, size, extended, ticks);
    }

    @Override
    public synchronized void packetDelay(long ticks) {
        if (ticks < 0 || ticks > 0xFFFF_FFFFL) {
            throw new DeviceException("A packet delay of " + ticks + " ticks is not possible: give 0 to 4294967295");
        }
        connection.channel().writeRegister(registers + StreamChannelRegister.SCPD, (int) ticks);
    }

    @Override
    public synchronized FlowSetPool pool() {
        if (pool == null) {
            throw new StreamException("The flow sets are allocated when the stream is started");
        }
        return pool;
    }

    @Override
    public synchronized void resizePool(int count) {
        if (running()) {
            throw new StreamException("The pool cannot be resized while the stream is running: stop it first");
        }
        if (count < 2 || count > 4096) {
            throw new StreamException("A pool of " + count + " flow sets is not possible: give 2 to 4096");
        }
        flowSetCount = count;
    }

    @Override
    public void endWith(End how) {
        how.cause().ifPresent(cause -> lost = cause);
        withoutReceiver = how;
        gap.end();
        StreamEngine current = receiver;
        if (current != null) {
            current.endWith(how);
        }
    }

    @Override
    public void close() {
        Failures failures = new Failures();
        CompositeStreamBase open;
        synchronized (this) {
            open = stream;
            stream = null;
        }
        if (open != null) {
            failures.attempt(open::close);
        }
        failures.attempt(this::abort);
        failures.attempt(this::closeReceiver);
        failures.throwIfAny();
    }

    private synchronized void closeReceiver() {
        StreamEngine current = receiver;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public int packetSizeBytes() {
        return packetSizeBytes;
    }

    @Override
    public String receiver() {
        StreamEngine current = receiver;
        if (current != null && current.source() instanceof GvspSource gvsp) {
            return joined() ? gvsp.receiverKind().name().toLowerCase(Locale.ROOT) : "";
        }
        return current == null ? "" : "rdma";
    }

    @Override
    public int index() {
        return index;
    }

    // ---- device

    @Override
    public synchronized void startAcquisition() {
        acquiring = true;
        if (monitoring()) {
            return;
        }
        NodeMap nodes = device.nodes();
        finite = FiniteAcquisition.of(nodes, counted());
        finished = false;
        connection.acquisition().begin(this, () -> {
            if (writable(nodes, "TLParamsLocked")) {
                nodes.integer("TLParamsLocked").set(1);
            }
            StreamEngine current = receiver;
            if (current != null && current.source() instanceof GvspSource gvsp) {
                // Some devices send from another port each time.
                gvsp.sourcePort(sourcePort(connection.channel()));
            }
            nodes.command("AcquisitionStart").execute();
        });
    }

    @Override
    public synchronized void stopAcquisition() {
        acquiring = false;
        connection.acquisition().end(this, () -> endAcquisition("AcquisitionStop"));
    }

    @Override
    public synchronized void abortAcquisition() {
        if (unconditional()) {
            return;
        }
        acquiring = false;
        connection.acquisition().end(this, () -> {
            endAcquisition(writable(device.nodes(), "AcquisitionAbort") ? "AcquisitionAbort" : "AcquisitionStop");
        });
    }

    private synchronized void endAcquisition(String command) {
        acquiring = false;
        if (!connection.alive() || monitoring()) {
            return;
        }
        NodeMap nodes = device.nodes();
        Failures failures = new Failures();
        failures.attempt(() -> nodes.command(command).execute());
        if (writable(nodes, "TLParamsLocked")) {
            failures.attempt(() -> nodes.integer("TLParamsLocked").set(0));
        }
        failures.throwIfAny();
    }

    @Override
    public RuntimeException failure(String message, Throwable cause) {
        return DeviceException.of(message, cause);
    }

    // ---- set-up

    /** Tells the device which payload to send. */
    private PayloadConfiguration configurePayload(ControlChannel control) {
        OpenOptions.Payload choice = device.parameters().payload();
        int capability = capability(control);
        PayloadConfiguration wanted = configure(control, capability, capability != 0 && extendedBootstrap(control));
        if (wanted.genDc() && refusesGenDc(device.nodes())) {
            wanted = configure(control, capability, false);
        }
        boolean met = switch (choice) {
            case AUTOMATIC, IMAGE -> true;
            case MULTI_PART -> wanted.multiPart();
            case GENDC -> wanted.genDc();
        };
        if (!met) {
            throw new DeviceException(
                    "Payload=" + choice.text() + " cannot be met: the device does not offer it on stream " + index);
        }
        return wanted;
    }

    private PayloadConfiguration configure(ControlChannel control, int capability, boolean genDcUsable) {
        NodeMap nodes = device.nodes();
        // Some devices have no SCCFG: without capabilities there is nothing to switch.
        int present = capability == 0 ? 0 : control.readRegister(registers + StreamChannelRegister.SCCFG);
        PayloadConfiguration wanted = PayloadConfiguration.decide(
                        capability, present, genDcUsable, device.parameters().payload(), chunkMode(nodes))
                .withUnconditionalStreaming(capability, unconditional());
        if (wanted.genDc() || wanted.multiPart()) {
            // Both need 64-bit block ids and 32-bit packet ids (GigE Vision 2.1 and 2.2; dissector facts).
            int gvsp = control.readRegister(BootstrapRegister.GVSP_CONFIGURATION);
            int extended = gvsp | BootstrapRegister.GVSP_CONFIGURATION_EXTENDED_BLOCK_ID;
            if (extended != gvsp) {
                control.writeRegister(BootstrapRegister.GVSP_CONFIGURATION, extended);
            }
        }
        // What a stream of the device uses already is locked, and is as it was made for that one.
        boolean shared = connection.acquisition().running();
        if (wanted.value() != present || (wanted.genDc() && !shared)) {
            control.writeRegister(registers + StreamChannelRegister.SCCFG, wanted.value());
        }
        if (!shared && (capability & StreamChannelRegister.SCC_GENDC) != 0 && writable(nodes, "GenDCStreamingMode")) {
            nodes.enumeration("GenDCStreamingMode").set(wanted.genDc() ? "On" : "Off");
        }
        nodes.invalidateAll();
        return wanted;
    }

    /** GenDCStreamingMode only asks; a device whose other features stand against containers sends none. */
    private static boolean refusesGenDc(NodeMap nodes) {
        return readable(nodes, "GenDCStreamingStatus")
                && "Off".equals(nodes.enumeration("GenDCStreamingStatus").value());
    }

    private static boolean chunkMode(NodeMap nodes) {
        return readable(nodes, "ChunkModeActive")
                && nodes.bool("ChunkModeActive").value();
    }

    /** SCC, or 0 for a device that does not have the register. */
    private int capability(ControlChannel control) {
        try {
            return control.readRegister(registers + StreamChannelRegister.SCC);
        } catch (DeviceException e) {
            // Devices before 2.0 need not have it.
            LOGGER.log(System.Logger.Level.DEBUG, "No capability register of the stream channel", e);
            return 0;
        }
    }

    /** UDP port that the device says it sends from; 0 where it does not say, or a translation may change it. */
    private int sourcePort(ControlChannel control) {
        if (!joined() || device.parameters().endpoint().announced().isPresent()) {
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
            LOGGER.log(System.Logger.Level.DEBUG, "No register that tells the port of the stream", e);
            return 0;
        }
    }

    private static boolean extendedBootstrap(ControlChannel control) {
        try {
            return (control.readRegister(BootstrapRegister.STREAM_CHANNEL_CAPABILITY)
                            & BootstrapRegister.STREAM_CAPABILITY_EXTENDED_BOOTSTRAP)
                    != 0;
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No register that tells of an extended bootstrap block", e);
            return false;
        }
    }

    private static boolean resendSupported(ControlChannel control) {
        return (control.readRegister(BootstrapRegister.GVCP_CAPABILITY)
                        & BootstrapRegister.GVCP_CAPABILITY_PACKET_RESEND)
                != 0;
    }

    private long[] flowSizes(ControlChannel control) {
        int extension = control.readRegister(registers + StreamChannelRegister.SCEBA);
        int address = control.readRegister(extension + StreamChannelRegister.SCGFTA);
        long size = Integer.toUnsignedLong(control.readRegister(extension + StreamChannelRegister.SCGFTS));
        if (size < 24 || size > MAX_FLOW_TABLE_BYTES) {
            throw new DeviceException("The device gives its GenDC flow table a size of " + size + " bytes: 24 to "
                    + MAX_FLOW_TABLE_BYTES + " were expected");
        }
        return FlowTable.parse(ByteBuffer.wrap(control.readMemory(address, (int) size)))
                .flowSizes();
    }

    private long payloadSize(boolean multiPart) {
        NodeMap nodes = device.nodes();
        if (readable(nodes, "PayloadSize")) {
            long size = nodes.integer("PayloadSize").value();
            if (size > 0) {
                return multiPart ? Math.addExact(size, PayloadConfiguration.alignmentBytes()) : size;
            }
        }
        return PixelFormat.of((int) nodes.enumeration("PixelFormat").intValue())
                .imageSizeBytes(
                        nodes.integer("Width").value(), nodes.integer("Height").value(), 0, 0);
    }

    private static boolean writable(NodeMap nodes, String name) {
        return nodes.find(name).filter(Node::writable).isPresent();
    }

    static boolean readable(NodeMap nodes, String name) {
        return nodes.find(name)
                .filter(node -> node.accessMode() != AccessMode.NI && node.readable())
                .isPresent();
    }
}
