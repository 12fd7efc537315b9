package io.peregrine.virtualcamera;

/** The registers behind the features of PtpControl. */
final class PtpRegisters {
    static final int PTP = 0xB800;
    static final int PTP_BYTES = 0x40;
    static final int PTP_DATA_SET_LATCH = PTP;
    static final int PTP_STATUS = PTP + 0x04;
    static final int PTP_OFFSET = PTP + 0x08;
    static final int PTP_CLOCK_ID = PTP + 0x10;
    static final int PTP_PARENT_CLOCK_ID = PTP + 0x18;
    static final int PTP_GRANDMASTER_CLOCK_ID = PTP + 0x20;
    static final int PTP_MEAN_PROPAGATION_DELAY = PTP + 0x28;
    static final int PTP_SERVO_STATUS = PTP + 0x30;

    /** Locally administered, as that of no real clock. */
    private static final long MASTER_CLOCK_ID = 0x0200_00FF_FE00_0000L;

    private static final int SERVO_UNKNOWN = 0;
    private static final int SERVO_LOCKED = 1;

    private final RegisterSpace space;
    private final CameraClock clock;
    private final long clockId;

    PtpRegisters(RegisterSpace space, CameraClock clock) {
        this.space = space;
        this.clock = clock;
        // EUI-64 of the hardware address, as IEEE 1588 makes it.
        long mac = (long) (space.get(Reg.MAC_HIGH) & 0xFFFF) << 32 | Integer.toUnsignedLong(space.get(Reg.MAC_LOW));
        clockId = (mac >>> 24) << 40 | 0xFFFEL << 24 | (mac & 0xFFFFFF);
        space.map(PTP, PTP_BYTES);
        space.writable(PTP_DATA_SET_LATCH, 4, value -> {}, this::latchDataSet);
        space.setLong(PTP_CLOCK_ID, clockId);
        latchDataSet();
    }

    /** Keeps what PTP knows. */
    void latchDataSet() {
        space.set(PTP_DATA_SET_LATCH, 0);
        CameraClock.DataSet data = clock.dataSet();
        space.set(PTP_STATUS, data.state().code());
        space.setLong(PTP_OFFSET, data.offsetNanos());
        boolean follows =
                data.state() == CameraClock.PortState.SLAVE || data.state() == CameraClock.PortState.UNCALIBRATED;
        space.setLong(PTP_PARENT_CLOCK_ID, follows ? MASTER_CLOCK_ID : clockId);
        space.setLong(PTP_GRANDMASTER_CLOCK_ID, follows ? MASTER_CLOCK_ID : clockId);
        space.setLong(PTP_MEAN_PROPAGATION_DELAY, 0);
        space.set(PTP_SERVO_STATUS, data.state() == CameraClock.PortState.SLAVE ? SERVO_LOCKED : SERVO_UNKNOWN);
    }
}
