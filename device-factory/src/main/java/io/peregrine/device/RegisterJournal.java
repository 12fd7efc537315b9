package io.peregrine.device;

import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.GvcpStatusException;
import io.peregrine.gvcp.RegisterValue;
import io.peregrine.gvcp.StreamChannelRegister;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was written to bootstrap registers (GigE Vision 2.2) that are the user's to set and that a device forgets when
 * it restarts: keys, groups and masks of actions, the GVCP configuration, the heartbeat timeout, how events are
 * repeated, and packet delays; whichever way they were written. Many descriptions do not call their features settings.
 */
final class RegisterJournal {
    private static final Set<Integer> KEPT = Set.of(
            BootstrapRegister.ACTION_DEVICE_KEY,
            BootstrapRegister.HEARTBEAT_TIMEOUT,
            BootstrapRegister.GVCP_CONFIGURATION,
            BootstrapRegister.MESSAGE_CHANNEL_TIMEOUT,
            BootstrapRegister.MESSAGE_CHANNEL_RETRY_COUNT);
    private static final int STREAM_CHANNELS_END =
            StreamChannelRegister.BASE + StreamChannelRegister.MAX_CHANNELS * StreamChannelRegister.STRIDE;

    /** Written before a user set was loaded, which may have changed some of them. */
    private final Map<Integer, Integer> beforeUserSet = new LinkedHashMap<>();

    private final Map<Integer, Integer> latest = new LinkedHashMap<>();
    private volatile Optional<Thread> restorer = Optional.empty();

    /** Notes what is written over a channel from now on. */
    void watch(ControlChannel channel) {
        channel.onWrite(this::wrote);
    }

    private void wrote(RegisterValue written) {
        if (kept(written.address())
                && restorer.filter(Thread.currentThread()::equals).isEmpty()) {
            note(written.address(), written.value());
        }
    }

    private synchronized void note(int address, int value) {
        latest.put(address, value);
    }

    /** Notes nothing of what these steps write: it is known, or passes. */
    void without(Runnable steps) {
        restorer = Optional.of(Thread.currentThread());
        try {
            steps.run();
        } finally {
            restorer = Optional.empty();
        }
    }

    private static boolean kept(int address) {
        boolean group = address >= BootstrapRegister.ACTION_GROUP_KEY && address < BootstrapRegister.DEVICE_SPECIFIC;
        boolean stream = address >= StreamChannelRegister.BASE && address < STREAM_CHANNELS_END;
        return KEPT.contains(address)
                || group
                || (stream
                        && (address - StreamChannelRegister.BASE) % StreamChannelRegister.STRIDE
                                == StreamChannelRegister.SCPD);
    }

    /** The device has loaded a user set. */
    synchronized void userSetLoaded() {
        beforeUserSet.putAll(latest);
        latest.clear();
    }

    /** Writes what was written before the user set was loaded, which is to be loaded after this. */
    void restoreBeforeUserSet(ControlChannel control, List<String> problems) {
        write(control, copy(beforeUserSet), problems);
    }

    /** Writes what was written since then. */
    void restoreLatest(ControlChannel control, List<String> problems) {
        write(control, copy(latest), problems);
    }

    private synchronized Map<Integer, Integer> copy(Map<Integer, Integer> values) {
        return new LinkedHashMap<>(values);
    }

    private static void write(ControlChannel control, Map<Integer, Integer> values, List<String> problems) {
        values.forEach((address, value) -> {
            try {
                control.writeRegister(
                        address,
                        address == BootstrapRegister.GVCP_CONFIGURATION ? withPresentHeartbeat(control, value) : value);
            } catch (DeviceException e) {
                if (!(e.getCause() instanceof GvcpStatusException)) {
                    throw e;
                }
                problems.add(e.getMessage());
            }
        });
    }

    /** Whether the device watches its application was settled when control was taken. */
    private static int withPresentHeartbeat(ControlChannel control, int configuration) {
        int bit = BootstrapRegister.GVCP_CONFIGURATION_HEARTBEAT_DISABLE;
        return (configuration & ~bit) | (control.readRegister(BootstrapRegister.GVCP_CONFIGURATION) & bit);
    }
}
