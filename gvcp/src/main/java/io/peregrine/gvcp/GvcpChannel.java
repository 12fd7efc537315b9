package io.peregrine.gvcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The control channel to one device: reads and writes its registers and memory, takes control and keeps it.
 *
 * <p>The socket is connected, so that datagrams from any other address never arrive. A command is one transaction under
 * a lock: it is repeated under the same request id until its answer comes; answers to anything else are dropped;
 * PENDING_ACK extends the time to wait. Any thread may call any method. An interrupt does not break a transaction,
 * which is bounded in time anyway; the interrupt status is kept.
 */
public final class GvcpChannel implements AutoCloseable {
    private static final int RESEND_BUFFER_BYTES = 64;

    private final ControlSocket socket;
    private final ControlCounters counters = new ControlCounters();
    private final ConnectionLoss loss = new ConnectionLoss();
    private final CommandExchange exchange;
    private final RegisterAccess registers;
    private final ControlPrivilege privilege;
    private final ByteBuffer resendPacket =
            ByteBuffer.allocateDirect(RESEND_BUFFER_BYTES).order(ByteOrder.BIG_ENDIAN);
    private final AtomicBoolean closing = new AtomicBoolean();

    private GvcpChannel(ControlSocket socket, GvcpSettings settings) {
        this.socket = socket;
        exchange = new CommandExchange(socket, settings, counters, loss);
        registers = new RegisterAccess(exchange);
        privilege = new ControlPrivilege(exchange, registers, settings, counters, loss);
        registers.onWrite(privilege::onWrite);
    }

    /**
     * Opens a socket to a device. Nothing is sent: whether the device is there shows with the first command.
     *
     * @param device address and port (usually {@link Gvcp#PORT})
     * @param settings timeouts, attempts, heartbeat
     * @return the channel; without any privilege yet
     * @throws GvcpException if there is no route to the device
     */
    public static GvcpChannel open(InetSocketAddress device, GvcpSettings settings) {
        return new GvcpChannel(ControlSocket.open(device, settings.localAddress(), settings.typeOfService()), settings);
    }

    /**
     * Reads a register.
     *
     * @param address a multiple of 4, unsigned
     * @return its 32 bits
     * @throws GvcpException if that fails, with the register's name
     */
    public int readRegister(int address) {
        return registers.readRegister(address);
    }

    /**
     * Reads registers, in as few commands as the device supports.
     *
     * @param addresses each a multiple of 4, unsigned
     * @return their values in the same order
     * @throws GvcpException if that fails, with the name of the first register of the command
     */
    public int[] readRegisters(int... addresses) {
        return registers.readRegisters(addresses);
    }

    /**
     * Writes a register.
     *
     * @param address a multiple of 4, unsigned
     * @param value its 32 bits
     * @throws GvcpException if that fails, with the register's name
     */
    public void writeRegister(int address, int value) {
        registers.writeRegister(address, value);
    }

    /**
     * Reads memory of any address and length: what is not aligned is read with its surroundings, what is long in
     * pieces.
     *
     * @param address first byte, unsigned
     * @param length how many bytes, at most 64 MiB
     * @return the bytes
     * @throws GvcpException if that fails, with the register's name
     */
    public byte[] readMemory(int address, int length) {
        return registers.readMemory(address, length);
    }

    /**
     * Writes memory of any address and length: where an end is not aligned, the bytes around it are read and written
     * back; what is long is written in pieces.
     *
     * @param address first byte, unsigned
     * @param data the bytes, at most 64 MiB
     * @throws GvcpException if that fails, with the register's name
     */
    public void writeMemory(int address, byte[] data) {
        registers.writeMemory(address, data);
    }

    /**
     * Notifies a listener of each register written from now on, also as a part of memory, once the device acknowledged
     * it: on the thread that wrote it, before that goes on.
     *
     * @param listener takes address and value; must not fail
     */
    public void onWrite(Consumer<RegisterValue> listener) {
        registers.onWrite(listener);
    }

    /**
     * Limits the time that all commands together may take that this thread sends from now on, however fast each is
     * answered. Giving back control when the channel closes is exempt.
     *
     * @param name what the limit is called, for the message
     * @param limit after that much time the command under way or the next one throws a {@link GvcpTimeoutException}
     *     that says how far it got
     */
    public void limitTime(String name, Duration limit) {
        limitTime(name, limit, System::nanoTime);
    }

    void limitTime(String name, Duration limit, LongSupplier nanoClock) {
        registers.limitTime(new TimeLimit(Thread.currentThread(), name, limit, nanoClock));
    }

    /** Removes the limit of {@link #limitTime}. */
    public void unlimitTime() {
        registers.unlimitTime();
    }

    /**
     * Announces that the channel is closed soon: from now on PENDING_ACK extends a command by two seconds at most, the
     * one under way included, and none after one that was still not answered. Never waits.
     */
    public void hurry() {
        exchange.hurry();
    }

    /**
     * What the device supports beyond the mandatory: its GVCP capability register, read once.
     *
     * @return see the {@code GVCP_CAPABILITY_} masks of {@link BootstrapRegister}
     * @throws GvcpException if that fails
     */
    public int capability() {
        return registers.capability();
    }

    /**
     * Takes a privilege and keeps it: a heartbeat thread of the channel shows the device regularly that the application
     * is alive. A monitor writes nothing, but watches the device in the same way.
     *
     * @param wanted what to do with the device
     * @throws AccessDeniedException if another application holds the device
     * @throws GvcpException if the device does not answer or grant
     */
    public void takePrivilege(Privilege wanted) {
        privilege.take(wanted);
    }

    /**
     * Which application controls the device.
     *
     * @return its address and port; empty if none does, or the device does not report it
     * @throws GvcpException if the device does not answer
     */
    public Optional<InetSocketAddress> primaryApplication() {
        return PrimaryApplication.read(registers);
    }

    /**
     * Lets another application take over control, if it knows a key.
     *
     * @param key 16 bits
     * @throws GvcpException if the device does not support this, or this application does not control it
     */
    public void allowSwitchover(int key) {
        privilege.allowSwitchover(key);
    }

    /**
     * Lets no application take over control any longer.
     *
     * @throws GvcpException if this application does not control the device
     */
    public void denySwitchover() {
        privilege.denySwitchover();
    }

    /**
     * Gives the privilege back and ends the heartbeat. Does nothing if there is none.
     *
     * @throws GvcpException if the device does not answer
     */
    public void releasePrivilege() {
        privilege.release();
    }

    /**
     * The privilege held.
     *
     * @return empty before one was taken and after it was given back
     */
    public Optional<Privilege> privilege() {
        return privilege.held();
    }

    /**
     * The host's address on the route to the device; the one where its stream should go.
     *
     * @return the address that the route gave, or the one of the settings
     */
    public InetAddress localAddress() {
        return socket.local().getAddress();
    }

    /**
     * The host's end of the channel.
     *
     * @return address and port
     */
    public InetSocketAddress localSocketAddress() {
        return socket.local();
    }

    /**
     * The device's end of the channel.
     *
     * @return address and port
     */
    public InetSocketAddress deviceAddress() {
        return socket.device();
    }

    /**
     * Requests a resend of stream packets. Never waits, never fails, allocates nothing: a request that the network does
     * not take is only counted.
     *
     * @param streamChannel index of the stream channel
     * @param blockId which block
     * @param first first packet
     * @param last last packet, inclusive
     * @param extended whether the ids have their extended form, as the stream has
     */
    public void requestResend(int streamChannel, long blockId, long first, long last, boolean extended) {
        synchronized (resendPacket) {
            PacketResendCommand.encode(
                    resendPacket, exchange.nextRequestId(), extended, streamChannel, blockId, first, last);
            try {
                if (socket.send(resendPacket)) {
                    counters.resendRequests.increment();
                } else {
                    counters.resendFailures.increment();
                }
            } catch (IOException e) {
                counters.resendFailures.increment();
            }
        }
    }

    /**
     * Adds a listener that is notified once when the device is lost: it does not answer for the whole of its heartbeat
     * timeout, or another application took control. The call comes on the heartbeat's thread, without any lock held, or
     * at once if the device is lost already.
     *
     * @param listener receives the reason
     */
    public void onLost(Consumer<GvcpException> listener) {
        loss.onLost(listener);
    }

    /**
     * Whether the channel can be used.
     *
     * @return false once it is closed or the device is lost
     */
    public boolean alive() {
        return loss.reason().isEmpty() && !closing.get();
    }

    /**
     * What happened so far.
     *
     * @return the counters at this moment
     */
    public GvcpStatistics statistics() {
        return counters.statistics();
    }

    /**
     * Gives the privilege back, ends the heartbeat and closes the socket. A command under way fails at once.
     * Idempotent.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        exchange.beginClose();
        Optional<Heartbeat> running = privilege.close();
        exchange.endClose();
        running.ifPresent(Heartbeat::join);
    }

    @Override
    public String toString() {
        return "control channel " + ControlSocket.name(socket.local()) + " to " + socket.deviceName();
    }
}
