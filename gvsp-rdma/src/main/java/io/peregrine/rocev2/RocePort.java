package io.peregrine.rocev2;

import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.PortInUseException;
import io.peregrine.rdma.PacketFaults;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaUnavailableException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * UDP port 4791 of one local address: shared by every transport of this process on that address, since only one can
 * bind it. The one that acquires a port releases it. Its own thread serves it, or one that waits for work to be done,
 * see {@link ServingRole}.
 */
final class RocePort {
    private static final int BUFFER_BYTES = 8 << 20;
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FAREWELL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int BATCHES_A_TURN = 4;
    private static final Path KERNEL_MODULE = Path.of("/sys/module/rdma_rxe");

    private static final Map<Integer, RocePort> PORTS = new HashMap<>();

    private final int address;
    private final int interfaceMtuBytes;
    private final PacketSocket socket;
    private final RoceEndpoint endpoint;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread;
    // Guarded by the lock, as all that is not volatile.
    private final ServingRole role = new ServingRole();
    /** Connections with finished work that is not announced. */
    private final List<SoftwareConnection> finished = new ArrayList<>();

    private final PacketSocket.Receiver receiver = this::onPacket;

    private PacketOutput output;
    private double notReadyPerMille;
    private Random faultRandom = new Random(1);
    private int users;
    private boolean oneByOne;
    /** When the turn began that is under way, and when the one who had it must look again at the latest. */
    private long turnAt;

    private long nextTurnAt;
    /** Whether the thread that serves sleeps, and must be woken for what is new. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    private volatile boolean ending;
    /** Why the port's thread serves no longer; null while it does. */
    private volatile @Nullable Throwable failure;
    /** Guarded by the socket's monitor. */
    private boolean closed;

    private RocePort(int address, int interfaceMtuBytes, PacketSocket socket) {
        this.address = address;
        this.interfaceMtuBytes = interfaceMtuBytes;
        this.socket = socket;
        output = socket.output();
        endpoint = new RoceEndpoint(address, new SecureRandom(), CmTimers.defaults());
        endpoint.connections().pathMtuCode(Headers.mtuCode(pathMtuBytes()));
        thread = new Thread(this::serve, "peregrine-rocev2-" + text(address));
        thread.setDaemon(true);
    }

    /**
     * Opens the port of an address, or shares it.
     *
     * @throws RdmaUnavailableException if it cannot be opened, with the reason
     */
    static RocePort acquire(Inet4Address local) {
        return acquire(local, RocePort::open);
    }

    /** With another socket. */
    static RocePort acquire(Inet4Address local, IntFunction<PacketSocket> opener) {
        int address = ByteBuffer.wrap(local.getAddress()).getInt();
        synchronized (PORTS) {
            RocePort port = PORTS.get(address);
            if (port == null) {
                port = new RocePort(address, interfaceMtu(local), opener.apply(address));
                PORTS.put(address, port);
                port.thread.start();
            } else {
                port.checkServes();
            }
            port.users++;
            return port;
        }
    }

    private static PacketSocket open(int address) {
        try {
            return new MmsgPacketSocket(address, BUFFER_BYTES);
        } catch (PortInUseException e) {
            String reason = Files.isDirectory(KERNEL_MODULE)
                    ? "UDP port 4791 belongs to the kernel's Soft-RoCE (rdma_rxe is loaded): use the provider verbs"
                    : "UDP port 4791 of " + text(address)
                            + " is in use by another program: one process per address can have it";
            throw new RdmaUnavailableException(reason, e);
        } catch (NativeUnavailableException e) {
            throw new RdmaUnavailableException(e.getMessage(), e);
        }
    }

    private static int interfaceMtu(Inet4Address local) {
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(local);
            if (network == null && local.isLoopbackAddress()) {
                network = NetworkInterface.getByInetAddress(Inet4Address.getLoopbackAddress());
            }
            if (network == null) {
                throw new RdmaUnavailableException(local.getHostAddress() + " is not an address of this host");
            }
            return network.getMTU();
        } catch (SocketException e) {
            throw new RdmaUnavailableException("the interface of " + local.getHostAddress() + " cannot be read", e);
        }
    }

    /** Gives the port back; the last user closes it, after a short while for farewells. */
    void release() {
        synchronized (PORTS) {
            if (--users > 0) {
                return;
            }
            PORTS.remove(address);
            ending = true;
            wakeSocket();
            recall();
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            synchronized (socket) {
                closed = true;
                socket.close();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Guards {@link #endpoint()} and all that belongs to it. */
    ReentrantLock lock() {
        return lock;
    }

    RoceEndpoint endpoint() {
        return endpoint;
    }

    int pathMtuBytes() {
        return Headers.largestPathMtu(interfaceMtuBytes);
    }

    /**
     * Sends what was posted, in the thread that posted it: waking another takes longer than sending. With the lock.
     *
     * @return whether {@link #wakeUp} must follow
     */
    boolean sendNow() {
        if (ending) {
            return true;
        }
        long now = System.nanoTime();
        boolean all = false;
        for (int i = 0; i < BATCHES_A_TURN && !all; i++) {
            all = endpoint.transmit(output, now);
            socket.flush();
        }
        return !all;
    }

    /** Sends the answers that a connection owes its peer before it ends. With the lock. */
    void sendAnswers(QueuePair queuePair) {
        if (!ending) {
            queuePair.transmitAnswers(output);
            socket.flush();
        }
    }

    /** There is something new to send. After the lock was given back. */
    void wakeUp() {
        if (waiting.get() && waiting.compareAndSet(true, false)) {
            wakeSocket();
        } else {
            recall();
        }
    }

    /** Wakes the thread that sleeps in the socket. Any thread. */
    void wakeSocket() {
        synchronized (socket) {
            if (!closed) {
                socket.wakeUp();
            }
        }
    }

    /** Makes the port's thread serve if no one does. Any thread. */
    void recall() {
        lock.lock();
        try {
            if (role.recall()) {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Of all packets from now on, and of those of peers that are connected to from now on. */
    void typeOfService(int value) {
        lock.lock();
        try {
            socket.typeOfService(value);
            endpoint.connections().trafficClass(value);
        } catch (NativeUnavailableException e) {
            throw new RdmaException("The class of service " + value + " cannot be set: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    void injectFaults(PacketFaults faults) {
        lock.lock();
        try {
            output = faults.any() ? new FaultyOutput(socket.output(), faults) : socket.output();
            notReadyPerMille = faults.notReadyPerMille();
            faultRandom = new Random(~faults.seed());
        } finally {
            lock.unlock();
        }
    }

    /** A fault on purpose. With the lock. */
    boolean pretendsNotReady() {
        return notReadyPerMille > 0 && faultRandom.nextDouble() * 1000 < notReadyPerMille;
    }

    /** The port's thread. */
    private void serve() {
        try {
            serveUntilEnd();
        } catch (RuntimeException | Error e) {
            // Streams that wait for it are given the reason.
            failure = e;
        }
    }

    private void checkServes() {
        Throwable cause = failure;
        if (cause != null) {
            throw new RdmaUnavailableException(
                    "the RoCEv2 port of " + text(address) + " serves no longer after an error in it (" + cause
                            + "): close all devices that stream by it, and open them again",
                    cause);
        }
    }

    private void serveUntilEnd() {
        long endAt = Long.MAX_VALUE;
        while (true) {
            boolean idle = false;
            ServingRole.Waiter next = null;
            long rest;
            lock.lock();
            try {
                long now = System.nanoTime();
                rest = role.restNanos(now);
                if (rest == 0) {
                    idle = turn(now, null);
                    if (ending) {
                        endAt = endAt == Long.MAX_VALUE ? now + FAREWELL_NANOS : endAt;
                        if (now - endAt >= 0 || (idle && endpoint.connections().settled())) {
                            return;
                        }
                        nextTurnAt = Math.min(nextTurnAt, now + FAREWELL_NANOS / 10);
                    } else if (idle) {
                        next = role.handOver();
                    }
                    // Posts after this point wake the socket.
                    waiting.set(idle && next == null);
                }
            } finally {
                lock.unlock();
            }
            if (rest > 0) {
                LockSupport.parkNanos(this, rest);
            } else if (next != null) {
                next.wake();
            } else if (idle) {
                sleep(Long.MAX_VALUE);
            }
        }
    }

    /**
     * Waits for work of a queue to be done, and serves the port meanwhile, unless another does. On the thread that
     * polls the queue.
     *
     * @throws RdmaUnavailableException if the port's thread serves no longer
     */
    void await(SoftwareCompletionQueue queue, long deadlineNanos) {
        checkServes();
        if (arrive(queue)) {
            // The port's thread hands over when it has nothing to do.
            wakeUp();
        }
        try {
            while (!queue.ready()
                    && !ending
                    && deadlineNanos - System.nanoTime() > 0
                    && !Thread.currentThread().isInterrupted()) {
                boolean serves;
                boolean idle = false;
                lock.lock();
                try {
                    serves = role.serves(queue);
                    if (serves) {
                        idle = turn(System.nanoTime(), queue);
                        waiting.set(idle);
                    }
                } finally {
                    lock.unlock();
                }
                if (!serves) {
                    queue.park(deadlineNanos);
                } else if (idle && queue.beginSleep()) {
                    sleep(deadlineNanos);
                    queue.endSleep();
                }
            }
        } finally {
            leave(queue);
        }
    }

    private boolean arrive(SoftwareCompletionQueue queue) {
        lock.lock();
        try {
            return role.arrive(queue);
        } finally {
            lock.unlock();
        }
    }

    private void leave(SoftwareCompletionQueue queue) {
        ServingRole.Waiter next;
        lock.lock();
        try {
            if (role.serves(queue)) {
                waiting.set(false);
            }
            next = role.leave(queue, System.nanoTime());
            if (ending) {
                recall();
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.wake();
        }
    }

    private void sleep(long deadlineNanos) {
        long now = System.nanoTime();
        socket.await(Math.min(nextTurnAt - now, deadlineNanos == Long.MAX_VALUE ? deadlineNanos : deadlineNanos - now));
        waiting.set(false);
    }

    /**
     * Receives and sends what there is. With the lock.
     *
     * @param own the queue whose thread has the turn: as soon as it has something, the turn is over, and what is to be
     *     sent leaves with the next one; null for none
     * @return whether all is done until something arrives, is posted, or the time of the next turn comes
     */
    private boolean turn(long now, @Nullable SoftwareCompletionQueue own) {
        turnAt = now;
        boolean more = true;
        for (int i = 0; i < BATCHES_A_TURN && more; i++) {
            more = socket.receive(receiver);
        }
        endpoint.onTime(now);
        if (!oneByOne && endpoint.struggling()) {
            oneByOne = true;
            socket.sendOneByOne();
        }
        // First, as sending takes longer.
        announce(now);
        if (own != null && own.ready()) {
            return false;
        }
        boolean idle = endpoint.transmit(output, now) && !more;
        // With the lock: who posts sends too.
        socket.flush();
        // Who posts begins timers of its own; none ends before.
        long wait = Math.min(MAX_WAIT_NANOS, Math.max(MIN_WAIT_NANOS, endpoint.shortestTimeoutNanos()));
        long deadline = Math.min(endpoint.nextDeadlineNanos(), announce(now));
        nextTurnAt = Math.min(System.nanoTime() + wait, deadline);
        return idle;
    }

    private void onPacket(int source, ByteBuffer packet, int at, int lengthBytes) {
        endpoint.onPacket(source, packet, at, lengthBytes, turnAt);
    }

    /** A connection has finished work. With the lock. */
    void finished(SoftwareConnection connection) {
        finished.add(connection);
    }

    /** Makes finished work known; gives the time when to look again. */
    private long announce(long now) {
        long next = Long.MAX_VALUE;
        int held = 0;
        for (int i = 0; i < finished.size(); i++) {
            long until = finished.get(i).announce(now);
            if (until != Long.MIN_VALUE) {
                next = Math.min(next, until);
                finished.set(held++, finished.get(i));
            }
        }
        for (int i = finished.size() - 1; i >= held; i--) {
            finished.remove(i);
        }
        return next;
    }

    Map<String, Long> counters() {
        lock.lock();
        try {
            Map<String, Long> result = new LinkedHashMap<>(endpoint.counters());
            result.put("packetsSent", socket.sentPackets());
            result.put("packetsDamaged", socket.damagedPackets());
            result.put("sendFailures", socket.sendFailures());
            result.putAll(endpoint.connections().counters());
            return result;
        } finally {
            lock.unlock();
        }
    }

    static String text(int address) {
        return (address >>> 24) + "." + ((address >>> 16) & 0xFF) + "." + ((address >>> 8) & 0xFF) + "."
                + (address & 0xFF);
    }
}
