package io.peregrine.device;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.rdma.RdmaSource;
import io.peregrine.stream.End;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One stream channel of a device: sets the registers up and takes them down in the right order around a receiver that
 * is made again for each run, because payload size and flows may change in between.
 */
final class DeviceStream implements StreamPort, StreamChannel, AcquisitionControl {
    private static final System.Logger LOGGER = System.getLogger(DeviceStream.class.getName());

    private final DeviceContext device;
    private final CameraConnection connection;
    private final int index;
    private final int registers;

    private final ReconnectGap gap = new ReconnectGap();
    private volatile @Nullable StreamEngine receiver;
    /** What the receivers counted that the present one follows within a run, and how often it was replaced. */
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
    /** Frames left from before a reconnect that are skipped, in this run. */
    private final AtomicLong keptSkipped = new AtomicLong();

    private volatile @Nullable Throwable lost;
    private final StreamPool pool;
    private final PayloadSetup payload;
    private final AcquisitionCommands commands;
    private final ReceiverStart starter;
    private final SilenceWatch silence;
    private @Nullable CompositeStream stream;

    DeviceStream(DeviceContext device, CameraConnection connection, int index) {
        this.device = device;
        this.connection = connection;
        this.index = index;
        registers = StreamChannelRegister.address(index, 0);
        // A controller that does not receive needs no flow set, but a pool has two.
        pool = new StreamPool(
                joined() ? device.parameters().flowSetCount() : 2,
                device.parameters().memoryLimitBytes(),
                gap::active);
        payload = new PayloadSetup(device, connection.acquisition(), index);
        commands = new AcquisitionCommands(device, connection);
        starter = new ReceiverStart(device, connection, commands, payload, pool, index);
        silence = new SilenceWatch(device, connection, registers);
    }

    @Override
    public <T> T open(Class<T> type) {
        device.requireNoOperation();
        return opened(type);
    }

    private synchronized <T> T opened(Class<T> type) {
        if (stream != null && !stream.closed()) {
            throw new DeviceException("Stream " + index + " is open already: close it first");
        }
        T opened = CompositeStream.create(type, this, this);
        stream = (CompositeStream) opened;
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
        keptSkipped.set(0);
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
            receiver = connection.holdings().put("stream " + index, starter.start());
        } catch (StreamException e) {
            throw DeviceException.of(e.getMessage(), e);
        }
        silence.started();
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
        earlierDiagnosis = current.diagnosis(counted());
        earlier = received();
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

    private boolean monitoring() {
        return device.parameters().monitors();
    }

    private boolean joined() {
        return device.parameters().destination().joined();
    }

    private boolean unconditional() {
        return device.parameters().destination().unconditional();
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
            failures.attempt(() -> starter.closeChannel(connection.channel()));
        }
        failures.attempt(() -> how.accept(current));
        if (closesChannel && connection.alive()) {
            failures.attempt(() -> starter.giveBackPacketSize(connection.channel()));
        }
        failures.throwIfAny();
    }

    @Override
    public synchronized void giveBack() {
        if (!unconditional() && connection.alive()) {
            starter.giveBackPacketSizeAtLast();
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
        StreamEngine current = receiver;
        Optional<FlowSet> kept = gap.take();
        if (kept.isPresent()) {
            return device.parameters().handOff().newestOnly() && current != null ? newer(kept.get(), current) : kept;
        }
        Optional<FlowSet> filled = current == null ? Optional.empty() : current.poll(timeout);
        if (filled.isEmpty() && gap.active()) {
            gap.await(timeout);
            return gap.take();
        }
        if (filled.isEmpty() && current != null) {
            silence.look(current);
        }
        return filled;
    }

    /** What came after a reconnect, if anything has, instead of what was left before it. */
    private Optional<FlowSet> newer(FlowSet kept, StreamEngine current) {
        Optional<FlowSet> filled;
        try {
            filled = current.poll(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(kept);
        }
        if (filled.isEmpty()) {
            return Optional.of(kept);
        }
        keptSkipped.incrementAndGet();
        kept.release();
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
        long skipped = keptSkipped.get();
        return skipped == 0 ? received() : received().plus(Counter.FRAMES_SKIPPED, skipped);
    }

    /** What the receivers of this run counted. */
    private StreamStatistics received() {
        StreamEngine current = receiver;
        return current == null ? earlier : earlier.plus(current.statistics());
    }

    @Override
    public List<String> diagnosis() {
        StreamEngine current = receiver;
        if (current == null) {
            return earlierDiagnosis;
        }
        List<String> found = new ArrayList<>(silence.reasons(current));
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
        int used = starter.packetSizeBytes();
        int size = used > 0 ? used : scps & StreamChannelRegister.SCPS_PACKET_SIZE_MASK;
        return new Bandwidth.Stream(
                device.toString(), payload.payloadSize(false), framesPerSecond, size, extended, ticks);
    }

    @Override
    public void packetDelay(long ticks) {
        device.requireNoOperation();
        if (ticks < 0 || ticks > 0xFFFF_FFFFL) {
            throw new DeviceException("A packet delay of " + ticks + " ticks is not possible: give 0 to 4294967295");
        }
        synchronized (this) {
            connection.channel().writeRegister(registers + StreamChannelRegister.SCPD, (int) ticks);
        }
    }

    @Override
    public synchronized FlowSetPool pool() {
        return pool.present();
    }

    @Override
    public void resizePool(int count) {
        changePool(() -> pool.resize(count));
    }

    @Override
    public List<FlowInfo> flowSetInfo() {
        device.requireNoOperation();
        return presentFlowSetInfo();
    }

    private synchronized List<FlowInfo> presentFlowSetInfo() {
        if (running()) {
            return ExternalMemory.needs(pool.present().flowSizesBytes());
        }
        if (lost != null) {
            throw DeviceException.of("The device is lost: open it again", lost);
        }
        return ExternalMemory.needs(starter.flowSizes());
    }

    @Override
    public void usePool(ExternalMemory memory) {
        changePool(() -> pool.use(memory));
    }

    @Override
    public void useManagedPool() {
        changePool(pool::manage);
    }

    private void changePool(Supplier<Optional<ExternalMemory>> change) {
        device.requireNoOperation();
        Optional<ExternalMemory> before;
        synchronized (this) {
            if (running()) {
                throw new StreamException("The pool cannot be changed while the stream is running: stop it first");
            }
            if (pool.isExternal()) {
                // Their user gets the flow sets back now, and not at the next start.
                gap.clear();
                closeReceiver();
            }
            before = change.get();
        }
        // Code of the user's.
        before.ifPresent(ExternalMemory::release);
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
        CompositeStream open;
        synchronized (this) {
            open = stream;
            stream = null;
        }
        if (open != null) {
            failures.attempt(open::close);
        }
        failures.attempt(this::abort);
        failures.attempt(this::closeReceiver);
        failures.attempt(this::givePoolBack);
        failures.throwIfAny();
    }

    private void givePoolBack() {
        Optional<ExternalMemory> before;
        synchronized (this) {
            before = pool.manage();
        }
        before.ifPresent(ExternalMemory::release);
    }

    private synchronized void closeReceiver() {
        StreamEngine current = receiver;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public int packetSizeBytes() {
        return starter.packetSizeBytes();
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
    public void requireFreeThread() {
        device.requireNoOperation();
    }

    @Override
    public synchronized void startAcquisition() {
        acquiring = true;
        device.warmUp().finish();
        if (monitoring()) {
            return;
        }
        finite = FiniteAcquisition.of(device.nodes(), counted());
        finished = false;
        connection.acquisition().begin(this, () -> commands.begin(this::expectSourcePort));
    }

    /** Some devices send from another port each time. */
    private void expectSourcePort() {
        StreamEngine current = receiver;
        if (current != null && current.source() instanceof GvspSource gvsp) {
            gvsp.sourcePort(starter.sourcePort(connection.channel()));
        }
    }

    @Override
    public synchronized void stopAcquisition() {
        acquiring = false;
        connection.acquisition().end(this, () -> commands.end("AcquisitionStop"));
    }

    @Override
    public synchronized void abortAcquisition() {
        if (unconditional()) {
            return;
        }
        acquiring = false;
        connection.acquisition().end(this, commands::abort);
    }

    @Override
    public Optional<RuntimeException> failure(String message, Throwable cause) {
        return Optional.of(DeviceException.of(message, cause));
    }
}
