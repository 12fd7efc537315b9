package io.peregrine.gvcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes control of a device, keeps it by a heartbeat, and gives it back. The methods are those of {@link GvcpChannel},
 * where they are described. Thread-safe.
 */
final class ControlPrivilege {
    private static final System.Logger LOGGER = System.getLogger(ControlPrivilege.class.getName());
    private static final int SWITCHOVER_KEY_SHIFT = 16;
    private static final int CCP = BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE;
    private static final int CCP_HELD = BootstrapRegister.CCP_CONTROL | BootstrapRegister.CCP_EXCLUSIVE;

    private final CommandExchange exchange;
    private final RegisterAccess registers;
    private final GvcpSettings settings;
    private final ControlCounters counters;
    private final ConnectionLoss loss;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Optional<Privilege> privilege = Optional.empty();
    private volatile Optional<Heartbeat> heartbeat = Optional.empty();

    ControlPrivilege(
            CommandExchange exchange,
            RegisterAccess registers,
            GvcpSettings settings,
            ControlCounters counters,
            ConnectionLoss loss) {
        this.exchange = exchange;
        this.registers = registers;
        this.settings = settings;
        this.counters = counters;
        this.loss = loss;
    }

    /** Follows a change of the device's heartbeat timeout. */
    void onWrite(RegisterValue written) {
        if (written.address() == BootstrapRegister.HEARTBEAT_TIMEOUT) {
            heartbeat.ifPresent(running -> running.retime(HeartbeatWatch.timeoutOf(written.value())));
        }
    }

    Optional<Privilege> held() {
        return privilege;
    }

    private boolean controls() {
        return privilege.isPresent() && privilege.get() != Privilege.MONITOR;
    }

    void take(Privilege wanted) {
        Optional<Heartbeat> before = Optional.empty();
        lock.lock();
        try {
            before = detachHeartbeat();
            int granted = 0;
            if (wanted != Privilege.MONITOR) {
                granted = writePrivilege(wanted);
            } else if (controls()) {
                registers.writeRegister(CCP, 0);
            }
            privilege = Optional.of(wanted);
            Optional<InetSocketAddress> self = granted == 0 ? Optional.empty() : PrimaryApplication.read(registers);
            startHeartbeat(new HeartbeatWatch(registers.deviceName(), granted, self, heartbeatTimeout(wanted)));
        } catch (GvcpException e) {
            if (before.isPresent()) {
                startHeartbeat(before.get().watch());
            } else {
                privilege = Optional.empty();
                if (wanted != Privilege.MONITOR && !(e instanceof AccessDeniedException)) {
                    giveUp();
                }
            }
            throw e;
        } finally {
            lock.unlock();
        }
        before.ifPresent(Heartbeat::join);
    }

    private void startHeartbeat(HeartbeatWatch watch) {
        Heartbeat started =
                new Heartbeat(watch, registers, exchange::lastAnswerNanos, counters.heartbeats, loss::declare);
        heartbeat = Optional.of(started);
        started.start();
    }

    private Optional<Heartbeat> detachHeartbeat() {
        Optional<Heartbeat> running = heartbeat;
        heartbeat = Optional.empty();
        running.ifPresent(Heartbeat::stop);
        return running;
    }

    private int writePrivilege(Privilege wanted) {
        int value = settings.switchoverKey().orElse(0) << SWITCHOVER_KEY_SHIFT | wanted.mask();
        try {
            registers.writeRegister(CCP, value);
        } catch (GvcpTimeoutException e) {
            takeLate(value, e);
        }
        int granted = registers.readRegister(CCP) & CCP_HELD;
        if (granted == 0) {
            throw new GvcpException(registers.deviceName() + " acknowledged " + wanted + " but did not grant it: "
                    + BootstrapRegister.describe(CCP) + " still reads 0");
        }
        return granted;
    }

    /**
     * The device did not answer in time: it refused by silence, as some do, or it is slow and grants what it was asked
     * for. If an application holds it, a second write shows which, for only the holder may write a privilege.
     */
    private void takeLate(int value, GvcpTimeoutException silence) {
        boolean held = false;
        try {
            held = (registers.readRegister(CCP) & CCP_HELD) != 0;
        } catch (GvcpTimeoutException e) {
            silence.addSuppressed(e);
        }
        if (!held) {
            throw silence;
        }
        try {
            registers.writeRegister(CCP, value);
        } catch (GvcpException e) {
            AccessDeniedException denied = new AccessDeniedException(
                    Gvcp.name(Gvcp.WRITE_REGISTER), BootstrapRegister.describe(CCP), registers.deviceName());
            denied.addSuppressed(silence);
            denied.addSuppressed(e);
            giveUp();
            throw denied;
        }
    }

    /**
     * Gives back what the device may have granted; it refuses that to others than its controller. Does not wait for the
     * answer: the caller has waited enough, and there may be none.
     */
    private void giveUp() {
        List<RegisterValue> release = List.of(new RegisterValue(CCP, 0));
        try {
            exchange.sendOnly(id -> new WriteRegisterCommand(id, release));
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "control that was not granted cannot be given back", e);
        }
    }

    private Duration heartbeatTimeout(Privilege taken) {
        int register = BootstrapRegister.HEARTBEAT_TIMEOUT;
        if (taken != Privilege.MONITOR && settings.heartbeatTimeout().isPresent()) {
            long millis = settings.heartbeatTimeout().get().toMillis();
            registers.writeRegister(register, (int) Math.min(millis, Integer.MAX_VALUE));
        }
        if (taken != Privilege.MONITOR
                && settings.heartbeatDisabled()
                && registers.has(BootstrapRegister.GVCP_CAPABILITY_HEARTBEAT_DISABLE)) {
            registers.writeRegister(
                    BootstrapRegister.GVCP_CONFIGURATION,
                    registers.readRegister(BootstrapRegister.GVCP_CONFIGURATION)
                            | BootstrapRegister.GVCP_CONFIGURATION_HEARTBEAT_DISABLE);
        }
        return HeartbeatWatch.timeoutOf(registers.readRegister(register));
    }

    void allowSwitchover(int key) {
        GvcpSettings.requireKey(key);
        if (!registers.has(BootstrapRegister.GVCP_CAPABILITY_SWITCHOVER)) {
            throw new GvcpException(
                    registers.deviceName() + " does not support switching control over to another application");
        }
        registers.writeRegister(BootstrapRegister.CONTROL_SWITCHOVER_KEY, key);
        registers.writeRegister(CCP, requireControl().mask() | BootstrapRegister.CCP_SWITCHOVER_ENABLE);
    }

    void denySwitchover() {
        registers.writeRegister(CCP, requireControl().mask());
    }

    private Privilege requireControl() {
        return privilege
                .filter(value -> value != Privilege.MONITOR)
                .orElseThrow(() -> new GvcpException(
                        "only the application that controls " + registers.deviceName() + " can do this"));
    }

    void release() {
        Optional<Heartbeat> before = Optional.empty();
        lock.lock();
        try {
            before = detachHeartbeat();
            boolean controlled = controls();
            privilege = Optional.empty();
            if (controlled && loss.reason().isEmpty()) {
                registers.writeRegister(CCP, 0);
            }
        } finally {
            lock.unlock();
        }
        before.ifPresent(Heartbeat::join);
    }

    /** Gives control back when the channel closes, as far as the device answers, and stops the heartbeat. */
    Optional<Heartbeat> close() {
        lock.lock();
        try {
            Optional<Heartbeat> running = detachHeartbeat();
            if (controls() && loss.reason().isEmpty()) {
                try {
                    registers.writeLast(CCP, 0);
                } catch (GvcpException e) {
                    LOGGER.log(
                            System.Logger.Level.DEBUG,
                            "control of {0} could not be given back: {1}",
                            registers.deviceName(),
                            e.getMessage());
                }
            }
            privilege = Optional.empty();
            return running;
        } finally {
            lock.unlock();
        }
    }
}
