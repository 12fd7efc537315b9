package io.peregrine.virtualcamera;

/** What starts a frame: software, an action signal or a line. Used by the holder of the device's monitor. */
final class TriggerRegisters {
    /** Values of TriggerSource: software, then the action signals, then the lines. */
    private static final int SOFTWARE = 0;

    private static final int ACTION_0 = 1;
    private static final int LINE_0 = ACTION_0 + ActionSignals.COUNT;
    private static final int LINES = 2;

    private static final int RISING_EDGE = 0;
    private static final int ANY_EDGE = 2;

    private final GevDevice device;
    private final RegisterSpace space;
    private final Runnable onTrigger;

    /**
     * Prepares the registers.
     *
     * @param device the device that they belong to
     * @param onTrigger runs for each trigger while TriggerMode is on
     */
    TriggerRegisters(GevDevice device, Runnable onTrigger) {
        this.device = device;
        this.onTrigger = onTrigger;
        space = device.space;
    }

    /** Maps the features; an action follows a change of TriggerMode. */
    void map(RegisterSpace.Action modeChanged) {
        device.register(Reg.TRIGGER_SELECTOR, v -> GevDevice.within(v, 0, 0));
        device.register(Reg.TRIGGER_MODE, v -> GevDevice.within(v, 0, 1), modeChanged);
        device.register(Reg.TRIGGER_SOURCE, v -> GevDevice.within(v, SOFTWARE, LINE_0 + LINES - 1));
        device.register(Reg.TRIGGER_ACTIVATION, v -> GevDevice.within(v, RISING_EDGE, ANY_EDGE));
        device.register(Reg.LINE_SELECTOR, v -> GevDevice.within(v, 0, LINES - 1));
        space.constant(Reg.LINE_STATUS_ALL, 0);
        device.command(Reg.TRIGGER_SOFTWARE, () -> trigger(SOFTWARE));
    }

    void loadDefaults() {
        space.set(Reg.TRIGGER_MODE, 0);
        space.set(Reg.TRIGGER_SOURCE, SOFTWARE);
        space.set(Reg.TRIGGER_ACTIVATION, RISING_EDGE);
    }

    /** Whether blocks wait for a trigger. */
    boolean active() {
        return space.get(Reg.TRIGGER_MODE) == 1;
    }

    /** An action signal was asserted. */
    void action(int signal) {
        trigger(ACTION_0 + signal);
    }

    /** Sets the level of an input line. */
    void setLine(int line, boolean high) {
        if (line < 0 || line >= LINES) {
            throw new VirtualCameraException("The camera has the lines 0 to " + (LINES - 1) + ", not " + line);
        }
        int all = space.get(Reg.LINE_STATUS_ALL);
        int now = high ? all | 1 << line : all & ~(1 << line);
        if (now == all) {
            return;
        }
        space.set(Reg.LINE_STATUS_ALL, now);
        int activation = space.get(Reg.TRIGGER_ACTIVATION);
        if (activation == ANY_EDGE || (activation == RISING_EDGE) == high) {
            trigger(LINE_0 + line);
        }
    }

    private void trigger(int source) {
        if (source == space.get(Reg.TRIGGER_SOURCE) && active()) {
            onTrigger.run();
        }
    }
}
