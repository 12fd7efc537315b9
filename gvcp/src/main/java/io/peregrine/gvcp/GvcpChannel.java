package io.peregrine.gvcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The control channel to one device: reads and writes its registers and memory, takes control and keeps it.
 *
 * <p>The socket is connected, so that datagrams from anybody else never arrive. A command is one transaction under a
 * lock: it is repeated under the same request id until its answer comes; answers to anything else are dropped;
 * PENDING_ACK extends the time to wait. Any thread may call any method. An interrupt does not break a transaction,
 * which is bounded in time anyway; the interrupt status is kept.
 */
public final class GvcpChannel implements AutoCloseable {
    /** Most data bytes of one READMEM or WRITEMEM; below the standard's 536, which not every device bears. */
    static final int MEMORY_CHUNK_BYTES = 512;

    private static final System.Logger LOGGER = System.getLogger(GvcpChannel.class.getName());

    private static final int MAX_TRANSFER_BYTES = 64 << 20;
    private static final int RECEIVE_BUFFER_BYTES = 2048;
    private static final int MAX_DRAINED = 1024;
    private static final int ALIGNMENT = Integer.BYTES;
    private static final int SWITCHOVER_KEY_SHIFT = 16;
    private static final int CCP_HELD = BootstrapRegister.CCP_CONTROL | BootstrapRegister.CCP_EXCLUSIVE;

    private final InetSocketAddress device;
    private final InetSocketAddress local;
    private final GvcpSettings settings;
    private final DatagramChannel channel;
    private final Selector selector;

    private final ReentrantLock lock = new ReentrantLock();
    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BUFFER_BYTES);
    private final ByteBuffer resendPacket = ByteBuffer.allocateDirect(64).order(ByteOrder.BIG_ENDIAN);
    private final AtomicInteger requestIds = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicReference<GvcpException> loss = new AtomicReference<>();
    private final List<LossListener> lossListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<RegisterValue>> writeListeners = new CopyOnWriteArrayList<>();

    private final ReentrantLock privilegeLock = new ReentrantLock();
    private volatile Optional<Privilege> privilege = Optional.empty();
    private volatile Optional<Heartbeat> heartbeat = Optional.empty();
    private volatile long lastAnswerNanos = System.nanoTime();
    private volatile Optional<Integer> capability = Optional.empty();
    private volatile Optional<TimeLimit> timeLimit = Optional.empty();

    private final LongAdder commands = new LongAdder();
    private final LongAdder repetitions = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder staleAnswers = new LongAdder();
    private final LongAdder malformedAnswers = new LongAdder();
    private final LongAdder pendingAnswers = new LongAdder();
    private final LongAdder resendRequests = new LongAdder();
    private final LongAdder resendFailures = new LongAdder();
    private final LongAdder heartbeats = new LongAdder();

    private GvcpChannel(InetSocketAddress device, GvcpSettings settings, DatagramChannel channel, Selector selector)
            throws IOException {
        this.device = device;
        this.settings = settings;
        this.channel = channel;
        this.selector = selector;
        this.local = (InetSocketAddress) channel.getLocalAddress();
    }

    /**
     * Opens a socket to a device. Nothing is sent: whether the device is there shows with the first command.
     *
     * @param device address and port (usually {@link Gvcp#PORT})
     * @param settings how patient to be
     * @return the channel; without any privilege yet
     * @throws GvcpException if there is no way to the device
     */
    @SuppressWarnings("resource") // channel and selector belong to what is returned
    public static GvcpChannel open(InetSocketAddress device, GvcpSettings settings) {
        if (device.isUnresolved()) {
            throw new GvcpException("unknown host " + device.getHostString());
        }
        Wire.requireIpv4(device.getAddress());
        DatagramChannel channel = null;
        Selector selector = null;
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            if (settings.localAddress().isPresent()) {
                channel.bind(settings.localAddress().get());
            }
            channel.connect(device);
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new GvcpChannel(device, settings, channel, selector);
        } catch (IOException e) {
            closeQuietly(selector, e);
            closeQuietly(channel, e);
            throw new GvcpException("no way to " + name(device) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a register.
     *
     * @param address a multiple of 4, unsigned
     * @return its 32 bits
     * @throws GvcpException if that fails, with the register's name
     */
    public int readRegister(int address) {
        return readBatch(new int[] {address}, 0, 1).get(0);
    }

    /**
     * Reads registers; in as few commands as the device can.
     *
     * @param addresses each a multiple of 4, unsigned
     * @return their values in the same order
     * @throws GvcpException if that fails, with the name of the first register of the command
     */
    public int[] readRegisters(int... addresses) {
        boolean together =
                addresses.length > 1 && (capability() & BootstrapRegister.GVCP_CAPABILITY_CONCATENATION) != 0;
        int batch = together ? ReadRegisterCommand.MAX_REGISTERS : 1;
        int[] values = new int[addresses.length];
        for (int start = 0; start < addresses.length; start += batch) {
            List<Integer> read = readBatch(addresses, start, Math.min(addresses.length, start + batch));
            for (int i = 0; i < read.size(); i++) {
                values[start + i] = read.get(i);
            }
        }
        return values;
    }

    private List<Integer> readBatch(int[] addresses, int from, int to) {
        List<Integer> batch = new ArrayList<>();
        for (int i = from; i < to; i++) {
            requireAligned(addresses[i]);
            batch.add(addresses[i]);
        }
        return transact(id -> new ReadRegisterCommand(id, batch), Gvcp.READ_REGISTER, addresses[from], answer -> {
            List<Integer> values = ReadRegisterAck.decode(answer).values();
            if (values.size() < batch.size()) {
                throw new MalformedPacketException(
                        "READREG_ACK holds " + values.size() + " registers instead of " + batch.size());
            }
            return values.subList(0, batch.size());
        });
    }

    /**
     * Writes a register.
     *
     * @param address a multiple of 4, unsigned
     * @param value its 32 bits
     * @throws GvcpException if that fails, with the register's name
     */
    public void writeRegister(int address, int value) {
        requireAligned(address);
        writeRegister(address, value, settings.attempts(), false);
    }

    private void writeRegister(int address, int value, int attempts, boolean evenIfClosing) {
        List<RegisterValue> writes = List.of(new RegisterValue(address, value));
        transact(
                id -> new WriteRegisterCommand(id, writes),
                Gvcp.WRITE_REGISTER,
                address,
                GvcpChannel::acknowledged,
                attempts,
                evenIfClosing);
        if (address == BootstrapRegister.HEARTBEAT_TIMEOUT) {
            heartbeat.ifPresent(running -> running.retime(timeout(value)));
        }
        writeListeners.forEach(listener -> listener.accept(writes.get(0)));
    }

    /**
     * Reads memory. Any address and length will do: what is not aligned is read with its surroundings, what is long in
     * pieces.
     *
     * @param address first byte, unsigned
     * @param length how many bytes, at most 64 MiB
     * @return the bytes
     * @throws GvcpException if that fails, with the register's name
     */
    public byte[] readMemory(int address, int length) {
        requireRange(address, length);
        byte[] bytes = new byte[length];
        long start = Integer.toUnsignedLong(address);
        long end = start + length;
        for (long at = start & -ALIGNMENT; at < end && length > 0; at += MEMORY_CHUNK_BYTES) {
            long read = Math.max(0, at - start);
            timeLimit.ifPresent(limit -> limit.check(() -> "of " + length + " bytes from "
                    + BootstrapRegister.describe(address) + " of " + name(device) + " " + read + " were read"));
            byte[] chunk = readChunk((int) at, (int) Math.min(MEMORY_CHUNK_BYTES, alignUp(end - at)));
            int skipped = (int) Math.max(0, start - at);
            int target = (int) (at + skipped - start);
            System.arraycopy(chunk, skipped, bytes, target, Math.min(chunk.length - skipped, length - target));
        }
        return bytes;
    }

    private byte[] readChunk(int address, int count) {
        return transact(id -> new ReadMemoryCommand(id, address, count), Gvcp.READ_MEMORY, address, answer -> {
            ReadMemoryAck ack = ReadMemoryAck.decode(answer);
            byte[] data = ack.data();
            if (ack.address() != address || data.length < count) {
                throw new MalformedPacketException("READMEM_ACK holds " + data.length + " bytes from "
                        + BootstrapRegister.describe(ack.address()) + " instead of " + count + " from "
                        + BootstrapRegister.describe(address));
            }
            return data.length == count ? data : Arrays.copyOf(data, count);
        });
    }

    /**
     * Writes memory. Any address and length will do: where an end is not aligned, the bytes around it are read and
     * written back; what is long goes in pieces.
     *
     * @param address first byte, unsigned
     * @param data the bytes, at most 64 MiB
     * @throws GvcpException if that fails, with the register's name
     */
    public void writeMemory(int address, byte[] data) {
        requireRange(address, data.length);
        if (data.length == 0) {
            return;
        }
        long start = Integer.toUnsignedLong(address);
        long end = start + data.length;
        long alignedStart = start & -ALIGNMENT;
        long alignedEnd = alignUp(end);
        byte[] bytes = new byte[(int) (alignedEnd - alignedStart)];
        if (alignedStart != start) {
            System.arraycopy(readChunk((int) alignedStart, ALIGNMENT), 0, bytes, 0, ALIGNMENT);
        }
        if (alignedEnd != end) {
            byte[] last = readChunk((int) (alignedEnd - ALIGNMENT), ALIGNMENT);
            System.arraycopy(last, 0, bytes, bytes.length - ALIGNMENT, ALIGNMENT);
        }
        System.arraycopy(data, 0, bytes, (int) (start - alignedStart), data.length);
        for (int at = 0; at < bytes.length; at += MEMORY_CHUNK_BYTES) {
            byte[] chunk = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + MEMORY_CHUNK_BYTES));
            int chunkAddress = (int) (alignedStart + at);
            transact(
                    id -> new WriteMemoryCommand(id, chunkAddress, chunk),
                    Gvcp.WRITE_MEMORY,
                    chunkAddress,
                    GvcpChannel::acknowledged);
            tellWritten(chunkAddress, chunk);
        }
    }

    private void tellWritten(int address, byte[] data) {
        if (!writeListeners.isEmpty()) {
            ByteBuffer words = ByteBuffer.wrap(data);
            for (int at = 0; at < data.length; at += Integer.BYTES) {
                RegisterValue written = new RegisterValue(address + at, words.getInt(at));
                writeListeners.forEach(listener -> listener.accept(written));
            }
        }
    }

    /**
     * Calls a listener with each register that the device let be written from now on, also as a part of memory: on the
     * thread that wrote it, before that goes on.
     *
     * @param listener takes address and value; must not fail
     */
    public void onWrite(Consumer<RegisterValue> listener) {
        writeListeners.add(listener);
    }

    /** What a write is answered with is not looked at beyond its header: devices differ in the count they give. */
    private static Boolean acknowledged(ByteBuffer answer) {
        return answer.hasRemaining();
    }

    /**
     * Sets how long all commands together that this thread sends from now on may take, however fast each is answered.
     * Giving back control is not concerned.
     *
     * @param name what the limit is called, for the message
     * @param limit after that much time the next command throws a {@link GvcpTimeoutException} that tells how far it
     *     came
     */
    public void limitTime(String name, Duration limit) {
        limitTime(name, limit, System::nanoTime);
    }

    void limitTime(String name, Duration limit, LongSupplier nanoClock) {
        timeLimit = Optional.of(new TimeLimit(Thread.currentThread(), name, limit, nanoClock));
    }

    /** Takes the limit of {@link #limitTime} away. */
    public void unlimitTime() {
        timeLimit = Optional.empty();
    }

    /**
     * What the device can beyond the mandatory: its GVCP capability register, read once.
     *
     * @return see the {@code GVCP_CAPABILITY_} masks of {@link BootstrapRegister}
     * @throws GvcpException if that fails
     */
    public int capability() {
        Optional<Integer> known = capability;
        if (known.isEmpty()) {
            known = Optional.of(readRegister(BootstrapRegister.GVCP_CAPABILITY));
            capability = known;
        }
        return known.get();
    }

    /**
     * Takes a privilege and keeps it: a thread of the channel's own tells the device regularly that the application is
     * alive. A monitor writes nothing, but watches the device in the same way.
     *
     * @param wanted what to do with the device
     * @throws AccessDeniedException if another application holds the device
     * @throws GvcpException if the device does not answer or grant
     */
    public void takePrivilege(Privilege wanted) {
        Optional<Heartbeat> before = Optional.empty();
        privilegeLock.lock();
        try {
            before = detachHeartbeat();
            int granted = 0;
            if (wanted != Privilege.MONITOR) {
                granted = writePrivilege(wanted);
            } else if (privilege.isPresent() && privilege.get() != Privilege.MONITOR) {
                writeRegister(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, 0);
            }
            privilege = Optional.of(wanted);
            Optional<InetSocketAddress> self = granted == 0 ? Optional.empty() : primaryApplication();
            startHeartbeat(new Heartbeat(granted, self, heartbeatTimeout(wanted)));
        } catch (GvcpException e) {
            if (before.isPresent()) {
                startHeartbeat(new Heartbeat(before.get().granted, before.get().self, before.get().timeout));
            } else {
                privilege = Optional.empty();
                if (wanted != Privilege.MONITOR && !(e instanceof AccessDeniedException)) {
                    letGo();
                }
            }
            throw e;
        } finally {
            privilegeLock.unlock();
        }
        before.ifPresent(Heartbeat::join);
    }

    private void startHeartbeat(Heartbeat started) {
        heartbeat = Optional.of(started);
        started.start();
    }

    private int writePrivilege(Privilege wanted) {
        int register = BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE;
        int value = settings.switchoverKey().orElse(0) << SWITCHOVER_KEY_SHIFT | wanted.mask();
        try {
            writeRegister(register, value);
        } catch (GvcpTimeoutException e) {
            takeLate(value, e);
        }
        int granted = readRegister(register) & CCP_HELD;
        if (granted == 0) {
            throw new GvcpException(name(device) + " acknowledged " + wanted + " but did not grant it: "
                    + BootstrapRegister.describe(register) + " still reads 0");
        }
        return granted;
    }

    /**
     * The device did not answer in time: it refused by silence, as some do, or it is slow and grants what it was asked
     * for. If somebody is in, a second write tells who, for only its owner may write a privilege.
     */
    private void takeLate(int value, GvcpTimeoutException silence) {
        int register = BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE;
        boolean held = false;
        try {
            held = (readRegister(register) & CCP_HELD) != 0;
        } catch (GvcpTimeoutException e) {
            silence.addSuppressed(e);
        }
        if (!held) {
            throw silence;
        }
        try {
            writeRegister(register, value);
        } catch (GvcpException e) {
            AccessDeniedException denied = new AccessDeniedException(
                    Gvcp.name(Gvcp.WRITE_REGISTER), BootstrapRegister.describe(register), name(device));
            denied.addSuppressed(silence);
            denied.addSuppressed(e);
            letGo();
            throw denied;
        }
    }

    /**
     * Gives back what the device may have granted; it refuses that to others than its controller. Nobody waits for the
     * answer: whoever closes the device waits already, and there may be none.
     */
    private void letGo() {
        List<RegisterValue> release = List.of(new RegisterValue(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, 0));
        try {
            channel.write(ByteBuffer.wrap(new WriteRegisterCommand(nextRequestId(), release).encode()));
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "control that was not granted cannot be given back", e);
        }
    }

    private Duration heartbeatTimeout(Privilege taken) {
        int register = BootstrapRegister.HEARTBEAT_TIMEOUT;
        if (taken != Privilege.MONITOR && settings.heartbeatTimeout().isPresent()) {
            long millis = settings.heartbeatTimeout().get().toMillis();
            writeRegister(register, (int) Math.min(millis, Integer.MAX_VALUE));
        }
        if (taken != Privilege.MONITOR
                && settings.heartbeatDisabled()
                && has(BootstrapRegister.GVCP_CAPABILITY_HEARTBEAT_DISABLE)) {
            writeRegister(
                    BootstrapRegister.GVCP_CONFIGURATION,
                    readRegister(BootstrapRegister.GVCP_CONFIGURATION)
                            | BootstrapRegister.GVCP_CONFIGURATION_HEARTBEAT_DISABLE);
        }
        return timeout(readRegister(register));
    }

    private static Duration timeout(int registerValue) {
        long millis = Integer.toUnsignedLong(registerValue);
        return Duration.ofMillis(millis == 0 ? Heartbeat.DEFAULT_TIMEOUT_MILLIS : millis);
    }

    /** Whether the device says that it can something; a device without the register cannot. */
    private boolean has(int capabilityBit) {
        try {
            return (capability() & capabilityBit) != 0;
        } catch (GvcpStatusException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "no capability register", e);
            return false;
        }
    }

    /**
     * Which application controls the device.
     *
     * @return its address and port; empty if nobody does, or the device does not tell
     * @throws GvcpException if the device does not answer
     */
    public Optional<InetSocketAddress> primaryApplication() {
        if (!has(BootstrapRegister.GVCP_CAPABILITY_APPLICATION_REGISTERS)) {
            return Optional.empty();
        }
        int[] values = readRegisters(
                BootstrapRegister.PRIMARY_APPLICATION_PORT, BootstrapRegister.PRIMARY_APPLICATION_IP_ADDRESS);
        return application(values[0], values[1]);
    }

    private static Optional<InetSocketAddress> application(int port, int address) {
        int number = port & BootstrapRegister.PRIMARY_APPLICATION_PORT_MASK;
        if (number == 0) {
            return Optional.empty();
        }
        byte[] octets = ByteBuffer.allocate(Integer.BYTES).putInt(0, address).array();
        try {
            return Optional.of(new InetSocketAddress(InetAddress.getByAddress(octets), number));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Lets another application take control over, if it knows a key.
     *
     * @param key 16 bits
     * @throws GvcpException if the device cannot do this, or this application does not control it
     */
    public void allowSwitchover(int key) {
        GvcpSettings.requireKey(key);
        if (!has(BootstrapRegister.GVCP_CAPABILITY_SWITCHOVER)) {
            throw new GvcpException(name(device) + " cannot switch control over to another application");
        }
        writeRegister(BootstrapRegister.CONTROL_SWITCHOVER_KEY, key);
        writeRegister(
                BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, held().mask() | BootstrapRegister.CCP_SWITCHOVER_ENABLE);
    }

    /**
     * Lets nobody take control over any longer.
     *
     * @throws GvcpException if this application does not control the device
     */
    public void denySwitchover() {
        writeRegister(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, held().mask());
    }

    private Privilege held() {
        return privilege
                .filter(value -> value != Privilege.MONITOR)
                .orElseThrow(() -> new GvcpException("only who controls " + name(device) + " can do this"));
    }

    /**
     * Gives the privilege back and ends the heartbeat. Does nothing if there is none.
     *
     * @throws GvcpException if the device does not answer
     */
    public void releasePrivilege() {
        Optional<Heartbeat> before = Optional.empty();
        privilegeLock.lock();
        try {
            before = detachHeartbeat();
            Optional<Privilege> held = privilege;
            privilege = Optional.empty();
            if (held.isPresent() && held.get() != Privilege.MONITOR && loss.get() == null) {
                writeRegister(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, 0);
            }
        } finally {
            privilegeLock.unlock();
        }
        before.ifPresent(Heartbeat::join);
    }

    /**
     * The privilege held.
     *
     * @return empty before one was taken and after it was given back
     */
    public Optional<Privilege> privilege() {
        return privilege;
    }

    private Optional<Heartbeat> detachHeartbeat() {
        Optional<Heartbeat> running = heartbeat;
        heartbeat = Optional.empty();
        running.ifPresent(Heartbeat::stop);
        return running;
    }

    /**
     * The host's address on the way to the device; the one where its stream should go.
     *
     * @return the address that the route gave, or the one of the settings
     */
    public InetAddress localAddress() {
        return local.getAddress();
    }

    /**
     * The host's end of the channel.
     *
     * @return address and port
     */
    public InetSocketAddress localSocketAddress() {
        return local;
    }

    /**
     * The device's end of the channel.
     *
     * @return address and port
     */
    public InetSocketAddress deviceAddress() {
        return device;
    }

    /**
     * Asks for stream packets again. Never waits, never fails, allocates nothing: what the network does not take is
     * only counted.
     *
     * @param streamChannel index of the stream channel
     * @param blockId which block
     * @param first first packet asked for
     * @param last last packet asked for, inclusive
     * @param extended form of the ids, the one that the stream has
     */
    public void requestResend(int streamChannel, long blockId, long first, long last, boolean extended) {
        synchronized (resendPacket) {
            PacketResendCommand.encode(resendPacket, nextRequestId(), extended, streamChannel, blockId, first, last);
            try {
                if (channel.write(resendPacket) > 0) {
                    resendRequests.increment();
                } else {
                    resendFailures.increment();
                }
            } catch (IOException e) {
                resendFailures.increment();
            }
        }
    }

    /**
     * Sets who is told, once, when the device is lost: it does not answer for the whole of its heartbeat timeout, or
     * control went to somebody else. The call comes on the heartbeat's thread, without any lock held, or at once if the
     * device is lost already.
     *
     * @param listener receives the reason
     */
    public void onLost(Consumer<GvcpException> listener) {
        LossListener added = new LossListener(listener);
        lossListeners.add(added);
        GvcpException reason = loss.get();
        if (reason != null) {
            added.tell(reason);
        }
    }

    /**
     * Tells whether the channel can be used.
     *
     * @return false once it is closed or the device is lost
     */
    public boolean alive() {
        return loss.get() == null && !closing.get();
    }

    /**
     * What happened so far.
     *
     * @return the counters at this moment
     */
    public GvcpStatistics statistics() {
        return new GvcpStatistics(
                commands.sum(),
                repetitions.sum(),
                timeouts.sum(),
                failures.sum(),
                staleAnswers.sum(),
                malformedAnswers.sum(),
                pendingAnswers.sum(),
                resendRequests.sum(),
                resendFailures.sum(),
                heartbeats.sum());
    }

    /** Gives the privilege back, ends the heartbeat and closes the socket. A command under way fails at once. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        selector.wakeup();
        Optional<Heartbeat> running = Optional.empty();
        privilegeLock.lock();
        try {
            running = detachHeartbeat();
            if (privilege.isPresent() && privilege.get() != Privilege.MONITOR && loss.get() == null) {
                writeRegister(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE, 0, Math.min(2, settings.attempts()), true);
            }
        } catch (GvcpException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG, "control of {0} could not be given back: {1}", device, e.getMessage());
        } finally {
            privilege = Optional.empty();
            privilegeLock.unlock();
        }
        lock.lock();
        try {
            closeQuietly(selector, null);
            closeQuietly(channel, null);
        } finally {
            lock.unlock();
        }
        running.ifPresent(Heartbeat::join);
    }

    @Override
    public String toString() {
        return "control channel " + name(local) + " to " + name(device);
    }

    private <A> A transact(IntFunction<GvcpCommand> command, int code, int address, Function<ByteBuffer, A> decoder) {
        return transact(command, code, address, decoder, settings.attempts(), false);
    }

    private <A> A transact(
            IntFunction<GvcpCommand> command,
            int code,
            int address,
            Function<ByteBuffer, A> decoder,
            int attempts,
            boolean evenIfClosing) {
        if (!evenIfClosing) {
            timeLimit.ifPresent(limit -> limit.check(() -> "the next was " + Gvcp.name(code) + " of "
                    + BootstrapRegister.describe(address) + " of " + name(device)));
        }
        lock.lock();
        try {
            int id = nextRequestId();
            Transaction<A> transaction =
                    new Transaction<>(id, code, BootstrapRegister.describe(address), decoder, evenIfClosing);
            return transaction.run(ByteBuffer.wrap(command.apply(id).encode()), attempts);
        } finally {
            lock.unlock();
        }
    }

    private int nextRequestId() {
        return requestIds.updateAndGet(id -> id >= 0xFFFF ? 1 : id + 1);
    }

    private void lost(GvcpException reason) {
        if (loss.compareAndSet(null, reason)) {
            LOGGER.log(System.Logger.Level.DEBUG, reason::getMessage);
            lossListeners.forEach(listener -> listener.tell(reason));
        }
    }

    private static void requireAligned(int address) {
        if (address % ALIGNMENT != 0) {
            throw new GvcpException(
                    "a register's address must be a multiple of 4, not " + BootstrapRegister.describe(address));
        }
    }

    private static void requireRange(int address, int length) {
        if (length < 0 || length > MAX_TRANSFER_BYTES) {
            throw new GvcpException("cannot transfer " + length + " bytes at " + BootstrapRegister.describe(address)
                    + ": the limit is 64 MiB");
        }
        if (Integer.toUnsignedLong(address) + length > 1L << 32) {
            throw new GvcpException(length + " bytes at " + BootstrapRegister.describe(address)
                    + " reach beyond the end of the 32-bit address space");
        }
    }

    private static long alignUp(long value) {
        return (value + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private static String name(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static void closeQuietly(AutoCloseable resource, Exception cause) {
        if (resource == null) {
            return;
        }
        try {
            resource.close();
        } catch (Exception e) {
            if (cause != null) {
                cause.addSuppressed(e);
            } else {
                LOGGER.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
            }
        }
    }

    /** One command and its answer; lives under the channel's lock. */
    private final class Transaction<A> {
        private final int id;
        private final int code;
        private final String register;
        private final Function<ByteBuffer, A> decoder;
        private final boolean evenIfClosing;
        private String trouble = "";
        private long endNanos;
        private long limitNanos;
        private boolean interrupted;

        Transaction(int id, int code, String register, Function<ByteBuffer, A> decoder, boolean evenIfClosing) {
            this.id = id;
            this.code = code;
            this.register = register;
            this.decoder = decoder;
            this.evenIfClosing = evenIfClosing;
        }

        A run(ByteBuffer packet, int attempts) {
            commands.increment();
            limitNanos = System.nanoTime() + settings.pendingLimit().toNanos();
            try {
                drain();
                for (int attempt = 0; attempt < attempts; attempt++) {
                    if (attempt > 0) {
                        repetitions.increment();
                    }
                    Optional<A> answer = attempt(packet.rewind());
                    if (answer.isPresent()) {
                        return answer.get();
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            timeouts.increment();
            throw new GvcpTimeoutException(what() + ": no answer to " + attempts + " attempts of "
                    + settings.timeout().toMillis() + " ms"
                    + (trouble.isEmpty() ? "; some devices stay silent when they refuse a command" : "; " + trouble));
        }

        private Optional<A> attempt(ByteBuffer packet) {
            requireUsable();
            endNanos = System.nanoTime() + settings.timeout().toNanos();
            try {
                channel.write(packet);
                return answer();
            } catch (PortUnreachableException e) {
                trouble = "nothing listens on that port";
            } catch (IOException e) {
                trouble = e.getMessage();
            }
            return Optional.empty();
        }

        private Optional<A> answer() throws IOException {
            while (true) {
                received.clear();
                if (channel.read(received) > 0) {
                    Optional<A> answer = examine(received.flip());
                    if (answer.isPresent()) {
                        return answer;
                    }
                }
                requireUsable();
                long leftNanos = endNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return Optional.empty();
                }
                if (Thread.interrupted()) {
                    interrupted = true;
                }
                selector.select(key -> {}, TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
            }
        }

        private Optional<A> examine(ByteBuffer datagram) {
            try {
                AckHeader header = AckHeader.decode(datagram);
                boolean pending = header.acknowledge() == Gvcp.PENDING_ACK;
                if (header.ackId() != id || (header.acknowledge() != code + 1 && !pending)) {
                    staleAnswers.increment();
                    return Optional.empty();
                }
                lastAnswerNanos = System.nanoTime();
                if (!header.status().success()) {
                    failures.increment();
                    throw GvcpStatusException.of(header.status(), Gvcp.name(code), register, name(device));
                }
                if (pending) {
                    extend(PendingAck.decode(datagram));
                    return Optional.empty();
                }
                return Optional.of(decoder.apply(datagram));
            } catch (MalformedPacketException e) {
                malformedAnswers.increment();
                trouble = e.getMessage();
                return Optional.empty();
            }
        }

        private void extend(PendingAck pending) {
            pendingAnswers.increment();
            long wantedNanos = System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(pending.timeToCompletionMs())
                    + settings.timeout().toNanos();
            if (wantedNanos - limitNanos > 0) {
                wantedNanos = limitNanos;
                trouble = "the device kept asking for more time, longer than "
                        + settings.pendingLimit().toMillis() + " ms";
            }
            if (wantedNanos - endNanos > 0) {
                endNanos = wantedNanos;
            }
        }

        /** Throws away what earlier transactions left, and the errors that earlier datagrams caused. */
        private void drain() {
            for (int i = 0; i < MAX_DRAINED; i++) {
                try {
                    received.clear();
                    if (channel.read(received) <= 0) {
                        return;
                    }
                    staleAnswers.increment();
                } catch (PortUnreachableException e) {
                    trouble = "";
                } catch (IOException e) {
                    trouble = e.getMessage();
                    return;
                }
            }
        }

        private void requireUsable() {
            if (closing.get() && !evenIfClosing) {
                throw new GvcpException(what() + ": the channel is closed");
            }
            GvcpException reason = loss.get();
            if (reason != null) {
                throw new ConnectionLostException(what() + ": " + reason.getMessage(), reason);
            }
        }

        private String what() {
            return Gvcp.name(code) + " of " + register + " on " + name(device);
        }
    }

    /** Tells the device regularly that the application is alive, and notices when the device is not. */
    private final class Heartbeat implements Runnable {
        private static final long DEFAULT_TIMEOUT_MILLIS = 3000;
        private static final long SHORTEST_PERIOD_NANOS = 10_000_000;
        private static final int BEATS_PER_TIMEOUT = 3;

        private final int granted;
        /** This application as the device sees it, behind whatever translates addresses; empty if it does not tell. */
        private final Optional<InetSocketAddress> self;

        private final ReentrantLock waiting = new ReentrantLock();
        private final Condition changed = waiting.newCondition();
        private final Thread thread;
        private volatile Duration timeout;
        private volatile boolean stopped;

        Heartbeat(int granted, Optional<InetSocketAddress> self, Duration timeout) {
            this.granted = granted;
            this.self = self;
            this.timeout = timeout;
            this.thread = new Thread(this, "gvcp-heartbeat-" + name(device));
            this.thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        void stop() {
            stopped = true;
            wake();
        }

        /** The device has another timeout now. */
        void retime(Duration value) {
            timeout = value;
            wake();
        }

        private void wake() {
            waiting.lock();
            try {
                changed.signalAll();
            } finally {
                waiting.unlock();
            }
        }

        /** Waits for the end of the thread, unless that is the one that calls. */
        void join() {
            if (Thread.currentThread() == thread) {
                return;
            }
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void run() {
            try {
                while (pause()) {
                    Optional<ConnectionLostException> reason = beat();
                    if (reason.isPresent() && !stopped) {
                        lost(reason.get());
                        return;
                    }
                }
            } catch (InterruptedException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "heartbeat of {0} interrupted", device);
            }
        }

        /** Waits for the next beat, or for another timeout; false when there is none any more. */
        private boolean pause() throws InterruptedException {
            long start = System.nanoTime();
            waiting.lockInterruptibly();
            try {
                while (!stopped) {
                    // Whoever gives a device a long time still wants to know soon that it is gone.
                    long periodNanos = Math.max(SHORTEST_PERIOD_NANOS, patienceNanos() / BEATS_PER_TIMEOUT);
                    long leftNanos = start + periodNanos - System.nanoTime();
                    if (leftNanos <= 0) {
                        return true;
                    }
                    changed.awaitNanos(leftNanos);
                }
                return false;
            } finally {
                waiting.unlock();
            }
        }

        private long patienceNanos() {
            return TimeUnit.MILLISECONDS.toNanos(Math.min(timeout.toMillis(), DEFAULT_TIMEOUT_MILLIS));
        }

        private Optional<ConnectionLostException> beat() {
            try {
                int[] values = self.isPresent()
                        ? readRegisters(
                                BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE,
                                BootstrapRegister.PRIMARY_APPLICATION_PORT,
                                BootstrapRegister.PRIMARY_APPLICATION_IP_ADDRESS)
                        : readRegisters(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE);
                heartbeats.increment();
                if (granted == 0) {
                    return Optional.empty();
                }
                if ((values[0] & granted) == 0) {
                    return Optional.of(new ConnectionLostException(String.format(
                            "control of %s was lost: its privilege register reads 0x%08X", name(device), values[0])));
                }
                Optional<InetSocketAddress> holder =
                        values.length == 1 ? Optional.empty() : application(values[1], values[2]);
                return holder.equals(self)
                        ? Optional.empty()
                        : Optional.of(new ConnectionLostException("control of " + name(device) + " was lost: "
                                + holder.map(other -> name(other) + " holds it").orElse("nobody holds it")));
            } catch (AccessDeniedException e) {
                return Optional.of(new ConnectionLostException(
                        "control of " + name(device) + " was lost: another application holds it exclusively", e));
            } catch (GvcpException e) {
                long patience = patienceNanos();
                return System.nanoTime() - lastAnswerNanos >= patience
                        ? Optional.of(new ConnectionLostException(
                                name(device) + " was lost: no answer for " + patience / 1_000_000 + " ms", e))
                        : Optional.empty();
            }
        }
    }

    /** Whom to tell about the loss, once. */
    private static final class LossListener {
        private final Consumer<GvcpException> listener;
        private final AtomicBoolean told = new AtomicBoolean();

        LossListener(Consumer<GvcpException> listener) {
            this.listener = listener;
        }

        void tell(GvcpException reason) {
            if (told.compareAndSet(false, true)) {
                try {
                    listener.accept(reason);
                } catch (RuntimeException e) {
                    LOGGER.log(System.Logger.Level.WARNING, "a listener for the loss of a device failed", e);
                }
            }
        }
    }
}
