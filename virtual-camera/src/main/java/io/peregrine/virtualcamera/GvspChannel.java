package io.peregrine.virtualcamera;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A stream channel that sends by GVSP only. It has its own destination, packet size and packet delay; the blocks are
 * the same on all channels. Used by the holder of the device's monitor, except for start and close.
 */
final class GvspChannel {
    /** What the channels of a device have in common. */
    interface Source {
        /** Whether a channel with a new destination sends at once. */
        boolean sendsByGvsp();

        /** What the blocks are. */
        BlockLayout layout();

        /** Whether blocks wait for a trigger. */
        boolean triggered();

        /** From the start of a block to that of the next. */
        long framePeriodNanos();

        /** What is sent to a destination, with the value of SCPS. */
        StreamSender.Job job(InetSocketAddress to, int scps, StreamSession session);

        /** Follows a change of SCCFG. */
        void rebuild();
    }

    /** Bits of SCPS. */
    static final int SCPS_FIRE = 0x80000000;

    static final int SCPS_DO_NOT_FRAGMENT = 0x40000000;
    static final int SCPS_SIZE = 0xFFFF;

    /** Distance of the registers of two channels. */
    private static final int STRIDE = 0x40;

    private final GevDevice device;
    private final Source source;
    private final RegisterSpace space;
    private final StreamSender sender;
    private final int registers;
    private StreamSession session;

    GvspChannel(int index, GevDevice device, Source source, StreamSender sender) {
        this.device = device;
        this.source = source;
        this.sender = sender;
        space = device.space;
        registers = index * STRIDE;
    }

    void start() {
        sender.start();
    }

    StreamSender sender() {
        return sender;
    }

    /** Maps the registers; those of further channels after those of the first. */
    void map(int packetSizeBytes, int switchable) {
        space.map(registers + Reg.SCP, STRIDE);
        device.register(registers + Reg.SCP, v -> v & 0xFFFF, this::reopen);
        device.register(
                registers + Reg.SCPS,
                v -> checkPacketSize(v, scps() & SCPS_SIZE, streaming()),
                this::packetSizeWritten);
        space.set(registers + Reg.SCPS, packetSizeBytes);
        device.register(registers + Reg.SCPD, v -> v, this::pace);
        device.register(registers + Reg.SCDA, v -> v, this::reopen);
        space.constant(registers + Reg.SCSP, sender.sourcePort());
        device.lockable(registers + Reg.SCCFG, v -> v & switchable, () -> {
            space.set(Reg.SCCFG, space.get(registers + Reg.SCCFG));
            source.rebuild();
        });
        for (int same : new int[] {Reg.SCC, Reg.SCZ, Reg.SCZD, Reg.SCEBA}) {
            space.set(registers + same, space.get(same));
        }
    }

    /** Takes over what changed for all channels. */
    void follow() {
        for (int same : new int[] {Reg.SCCFG, Reg.SCMBS_HIGH, Reg.SCMBS_LOW}) {
            space.set(registers + same, space.get(same));
        }
        PacketPlan plan = new PacketPlan(source.layout(), scps() & SCPS_SIZE, device.extendedIds());
        space.set(registers + Reg.SCMPC, plan.packetCount());
    }

    /** Ends what is sent, and forgets the destination. */
    void release() {
        stop(true);
        session = null;
        space.set(registers + Reg.SCP, 0);
        space.set(registers + Reg.SCDA, 0);
    }

    boolean sendsTo(InetAddress address) {
        return destination().filter(to -> to.getAddress().equals(address)).isPresent();
    }

    /** Ends what is sent, and starts again if there is a destination. */
    void reopen() {
        stop(true);
        session = null;
        Optional<InetSocketAddress> to = destination();
        if (to.isPresent() && source.sendsByGvsp()) {
            session = new StreamSession();
            pace();
            sender.submit(source.job(to.get(), scps(), session));
        }
    }

    void pace() {
        if (session != null) {
            session.framePeriodNanos = source.framePeriodNanos();
            session.waitForTriggers(source.triggered());
            session.packetDelayNanos = packetDelayNanos(space, registers);
        }
    }

    void stop(boolean atOnce) {
        if (session != null) {
            session.stopAfterBlock = true;
            session.aborted |= atOnce;
            sender.wake();
        }
    }

    void trigger() {
        if (session != null && session.triggers.get() < 64) {
            session.triggers.incrementAndGet();
            sender.wake();
        }
    }

    boolean streaming() {
        return session != null && !session.finished;
    }

    private int scps() {
        return space.get(registers + Reg.SCPS);
    }

    private void packetSizeWritten() {
        int value = scps();
        space.set(registers + Reg.SCPS, value & ~SCPS_FIRE);
        if ((value & SCPS_FIRE) != 0) {
            destination()
                    .ifPresent(to -> sender.sendTestPacket(to, value & SCPS_SIZE, (value & SCPS_DO_NOT_FRAGMENT) != 0));
        }
        follow();
    }

    private Optional<InetSocketAddress> destination() {
        return destination(space, registers);
    }

    /** Where the channel with registers at an offset sends; empty if it is closed. */
    static Optional<InetSocketAddress> destination(RegisterSpace space, int offset) {
        int port = space.get(offset + Reg.SCP) & 0xFFFF;
        int ip = space.get(offset + Reg.SCDA);
        return port == 0 || ip == 0 ? Optional.empty() : Optional.of(new InetSocketAddress(Location.address(ip), port));
    }

    /** The packet delay of the channel with registers at an offset, at most one second. */
    static long packetDelayNanos(RegisterSpace space, int offset) {
        return Math.min(Integer.toUnsignedLong(space.get(offset + Reg.SCPD)), GevDevice.TICKS_PER_SECOND);
    }

    /** The value that SCPS takes when another is written. */
    static int checkPacketSize(int value, int present, boolean active) throws RegisterException {
        int size = Math.max(CameraLimits.MIN_PACKET, Math.min(CameraLimits.MAX_PACKET, value & SCPS_SIZE)) & ~3;
        if (size != present && active) {
            throw new RegisterException(Gvcp.WRITE_PROTECT);
        }
        return (value & (SCPS_FIRE | SCPS_DO_NOT_FRAGMENT)) | size;
    }

    void close() {
        sender.close();
    }
}
