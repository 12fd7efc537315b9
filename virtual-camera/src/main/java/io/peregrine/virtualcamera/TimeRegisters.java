package io.peregrine.virtualcamera;

/** The clock in the bootstrap space. */
final class TimeRegisters {
    static final int IEEE_1588_STATUS = 0x096C;
    static final int IEEE_1588_ENABLE = 0x00080000;

    private static final int LATCH = 0x2;
    private static final int RESET = 0x1;

    private final RegisterSpace space;
    private final CameraClock clock;

    TimeRegisters(RegisterSpace space, CameraClock clock) {
        this.space = space;
        this.clock = clock;
        space.constant(Reg.TICK_FREQUENCY_HIGH, 0);
        space.constant(Reg.TICK_FREQUENCY_LOW, GevDevice.TICKS_PER_SECOND);
        space.writable(Reg.TIMESTAMP_CONTROL, 4, value -> {}, this::timestampControl);
        space.constant(Reg.TIMESTAMP_HIGH, 0);
        space.constant(Reg.TIMESTAMP_LOW, 0);
        space.constant(IEEE_1588_STATUS, clock.dataSet().state().code());
    }

    /** Follows the GVCP configuration. */
    void configured(int configuration) {
        clock.ptp((configuration & IEEE_1588_ENABLE) != 0);
    }

    /** Brings the state of the PTP port up to date. */
    void refresh() {
        space.set(IEEE_1588_STATUS, clock.dataSet().state().code());
    }

    private void timestampControl() {
        int bits = space.get(Reg.TIMESTAMP_CONTROL);
        space.set(Reg.TIMESTAMP_CONTROL, 0);
        if ((bits & LATCH) != 0) {
            space.setLong(Reg.TIMESTAMP_HIGH, clock.now());
        }
        if ((bits & RESET) != 0) {
            clock.reset();
        }
    }
}
