package io.peregrine.device;

import io.peregrine.genapi.NodeMap;
import io.peregrine.gvcp.BootstrapRegister;
import java.util.function.Supplier;

/**
 * To which actions a camera listens: bootstrap registers (GigE Vision 2.2), which cameras with the features of
 * ActionControl show there as well. What a signal does is said by features such as {@code TriggerSource=Action0}.
 *
 * <p>Methods may be called from any thread, but changes by one thread at a time: some read a register and write it
 * back.
 */
public final class ActionSettings {
    private static final int MAX_SIGNALS = 128;

    /** Another one after each loss of the device. */
    private final Supplier<ControlChannel> control;

    private final NodeMap nodes;

    ActionSettings(Supplier<ControlChannel> control, NodeMap nodes) {
        this.control = control;
        this.nodes = nodes;
    }

    /** Features over the registers must not keep what they read before. */
    private void write(int register, int value) {
        control.get().writeRegister(register, value);
        nodes.invalidateAll();
    }

    private boolean can(int capability) {
        return (control.get().capability() & capability) != 0;
    }

    /** How many action signals the camera has; 0 when it takes no actions. */
    public int signalCount() {
        if (!can(BootstrapRegister.GVCP_CAPABILITY_ACTION)) {
            return 0;
        }
        int count = control.get().readRegister(BootstrapRegister.ACTION_SIGNAL_COUNT);
        return Math.max(0, Math.min(count, MAX_SIGNALS));
    }

    /**
     * Sets the key that actions for the camera have, and lets it answer with the status codes of GigE Vision 2.0, which
     * say why it does not act.
     *
     * @throws DeviceException if the camera takes no actions
     */
    public void deviceKey(int key) {
        if (signalCount() == 0) {
            throw new DeviceException("The camera takes no actions: its GVCP capability lacks them");
        }
        write(BootstrapRegister.ACTION_DEVICE_KEY, key);
        if (can(BootstrapRegister.GVCP_CAPABILITY_EXTENDED_STATUS_2_0)) {
            configure(BootstrapRegister.GVCP_CONFIGURATION_EXTENDED_STATUS_2_0, true);
        }
    }

    /**
     * Says which actions assert a signal.
     *
     * @param signal number of the signal, from 0
     * @param groupKey key that the action must have
     * @param groupMask the action must have one of these bits
     * @throws DeviceException if the camera has no such signal
     */
    public void group(int signal, int groupKey, int groupMask) {
        int count = signalCount();
        if (signal < 0 || signal >= count) {
            throw new DeviceException("There is no action signal " + signal + ": the camera has " + count);
        }
        int offset = signal * BootstrapRegister.ACTION_GROUP_STRIDE;
        write(BootstrapRegister.ACTION_GROUP_KEY + offset, groupKey);
        write(BootstrapRegister.ACTION_GROUP_MASK + offset, groupMask);
    }

    /**
     * Lets the camera act though no application controls it, or not.
     *
     * @throws DeviceException if the camera cannot
     */
    public void unconditional(boolean on) {
        if (!can(BootstrapRegister.GVCP_CAPABILITY_UNCONDITIONAL_ACTION)) {
            throw new DeviceException("The camera acts only while an application controls it");
        }
        configure(BootstrapRegister.GVCP_CONFIGURATION_UNCONDITIONAL_ACTION, on);
    }

    private void configure(int bit, boolean on) {
        int before = control.get().readRegister(BootstrapRegister.GVCP_CONFIGURATION);
        write(BootstrapRegister.GVCP_CONFIGURATION, on ? before | bit : before & ~bit);
    }
}
