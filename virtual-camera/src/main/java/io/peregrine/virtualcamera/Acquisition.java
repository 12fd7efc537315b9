package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The acquisition of a camera, from its registers to what sends: over the first stream channel by GVSP or RDMA, over
 * further ones by GVSP. Used by the holder of the device's monitor.
 */
final class Acquisition implements GvspChannel.Source {
    private static final int MAX_WAITING_TRIGGERS = 64;

    private final GevDevice device;
    private final RegisterSpace space;
    private final Scenario scenario;
    private final PayloadRegisters payload;
    private final RdmaRegisters rdma;
    private final BooleanSupplier triggered;
    private final Runnable rebuild;
    private final StreamSender sender;
    private final List<GvspChannel> furtherChannels = new ArrayList<>();
    private boolean acquiring;
    private @Nullable StreamSession session;

    /** Makes the sender of a stream channel, which reports its blocks as events or not. */
    @FunctionalInterface
    interface Senders {
        StreamSender open(boolean withEvents) throws IOException;
    }

    /**
     * Opens what sends; {@link #start} starts it.
     *
     * @param device the device that the registers belong to
     * @param scenario how the camera behaves
     * @param payload what the blocks are
     * @param rdma whether they are sent by RDMA
     * @param triggered whether they wait for triggers
     * @param senders opens a sender for each channel
     * @param rebuild runs when SCCFG of a further channel was written
     */
    Acquisition(
            GevDevice device,
            Scenario scenario,
            PayloadRegisters payload,
            RdmaRegisters rdma,
            BooleanSupplier triggered,
            Senders senders,
            Runnable rebuild)
            throws IOException {
        this.device = device;
        this.scenario = scenario;
        this.payload = payload;
        this.rdma = rdma;
        this.triggered = triggered;
        this.rebuild = rebuild;
        space = device.space;
        sender = senders.open(true);
        for (int channel = 1; channel < scenario.streamChannels(); channel++) {
            // The first channel reports the frame.
            furtherChannels.add(new GvspChannel(channel, device, this, senders.open(false)));
        }
    }

    void start() {
        sender.start();
        furtherChannels.forEach(GvspChannel::start);
    }

    /** Ends the threads that send; not from one that holds the monitor. */
    void close() {
        sender.close();
        furtherChannels.forEach(GvspChannel::close);
    }

    // ---- registers ---------------------------------------------------------------------------------------------

    /** Maps the registers of the stream channels; an action follows a change of the payload. */
    void mapChannels(RegisterSpace.Action payloadChanged) {
        space.map(Reg.SCP, 0x40);
        device.register(Reg.SCP, v -> v & 0xFFFF, this::channelChanged);
        device.register(
                Reg.SCPS,
                v -> GvspChannel.checkPacketSize(v, packetSize(), active()),
                () -> packetSizeWritten(payloadChanged));
        space.set(Reg.SCPS, scenario.packetSizeBytes());
        device.register(Reg.SCPD, v -> v, this::updatePace);
        device.register(Reg.SCDA, v -> v, this::channelChanged);
        space.constant(Reg.SCSP, sender.sourcePort());
        payload.mapChannel(payloadChanged);
        furtherChannels.forEach(channel -> channel.map(scenario.packetSizeBytes(), payload.switchable()));
    }

    /** Maps the features. */
    void map() {
        device.lockable(Reg.ACQUISITION_MODE, v -> GevDevice.within(v, 0, 2), () -> {});
        device.command(Reg.ACQUISITION_START, this::begin);
        device.command(Reg.ACQUISITION_STOP, this::stop);
        device.command(Reg.ACQUISITION_ABORT, this::abort);
        device.lockable(Reg.ACQUISITION_FRAME_COUNT, v -> GevDevice.within(v, 1, 65535), () -> {});
        space.constant(Reg.ACQUISITION_STATUS, 0);
        device.register(Reg.ACQUISITION_STATUS_SELECTOR, v -> GevDevice.within(v, 0, 0));
        device.floating(Reg.FRAME_RATE, CameraLimits.MIN_FRAME_RATE, CameraLimits.MAX_FRAME_RATE, this::updatePace);
        device.register(Reg.TL_PARAMS_LOCKED, v -> GevDevice.within(v, 0, 1));
    }

    void loadDefaults() {
        space.set(Reg.ACQUISITION_MODE, 0);
        space.set(Reg.ACQUISITION_FRAME_COUNT, 1);
        space.setDouble(Reg.FRAME_RATE, scenario.frameRate());
    }

    /** Forgets the destinations, and what else does not outlive the control channel. */
    void release() {
        space.set(Reg.SCP, 0);
        space.set(Reg.SCDA, 0);
        furtherChannels.forEach(GvspChannel::release);
        payload.release();
        space.set(Reg.TL_PARAMS_LOCKED, 0);
        rdma.release();
    }

    /** Follows a change of the payload. */
    void payloadChanged() {
        space.set(Reg.SCMPC, new PacketPlan(payload.layout(), packetSize(), device.extendedIds()).packetCount());
        furtherChannels.forEach(GvspChannel::follow);
    }

    /** Brings the status up to date. */
    void refresh() {
        space.set(Reg.ACQUISITION_STATUS, active() ? 1 : 0);
    }

    /** Restores what is set at start but in no user set. */
    void reset() {
        space.set(Reg.SCPS, scenario.packetSizeBytes());
        space.set(Reg.SCPD, 0);
    }

    private int packetSize() {
        return space.get(Reg.SCPS) & GvspChannel.SCPS_SIZE;
    }

    private void packetSizeWritten(RegisterSpace.Action payloadChanged) throws RegisterException {
        int value = space.get(Reg.SCPS);
        space.set(Reg.SCPS, value & ~GvspChannel.SCPS_FIRE);
        if ((value & GvspChannel.SCPS_FIRE) != 0) {
            destination()
                    .ifPresent(to ->
                            sender.sendTestPacket(to, packetSize(), (value & GvspChannel.SCPS_DO_NOT_FRAGMENT) != 0));
        }
        payloadChanged.run();
    }

    private Optional<InetSocketAddress> destination() {
        return GvspChannel.destination(space, 0);
    }

    /** Whether a channel sends to a host, or to a group that it may have joined. */
    boolean sendsTo(InetAddress host) {
        InetAddress destination = Location.address(space.get(Reg.SCDA));
        return host.equals(destination)
                || destination.isMulticastAddress()
                || furtherChannels.stream().anyMatch(channel -> channel.sendsTo(host));
    }

    private void channelChanged() {
        if (rdma.active()) {
            return;
        }
        if (session != null) {
            session.aborted = true;
            wakeSenders();
            session = null;
        }
        open();
    }

    // ---- pace --------------------------------------------------------------------------------------------------

    private void updatePace() {
        if (session != null) {
            session.framePeriodNanos = framePeriodNanos();
            session.packetDelayNanos = GvspChannel.packetDelayNanos(space, 0);
            session.waitForTriggers(triggered());
        }
        furtherChannels.forEach(GvspChannel::pace);
    }

    /** Follows a change of TriggerMode. */
    void triggerModeChanged() {
        updatePace();
        wakeSenders();
    }

    /** Starts one more block on each channel. */
    void trigger() {
        if (session != null && session.triggers.get() < MAX_WAITING_TRIGGERS) {
            session.triggers.incrementAndGet();
            wakeSenders();
        }
        furtherChannels.forEach(GvspChannel::trigger);
    }

    private void wakeSenders() {
        sender.wake();
        rdma.sender().ifPresent(RdmaSender::wake);
        furtherChannels.forEach(channel -> channel.sender().wake());
    }

    // ---- start and end -----------------------------------------------------------------------------------------

    /** How the stream packets of the first channel are sent, as a phrase for people. */
    String sendState() {
        return sender.state();
    }

    /** Whether an acquisition runs or waits for a destination. */
    boolean active() {
        return acquiring
                && (session == null
                        || !session.finished
                        || furtherChannels.stream().anyMatch(GvspChannel::streaming));
    }

    /** Whether blocks are being sent. */
    boolean streaming() {
        return (session != null && !session.finished)
                || furtherChannels.stream().anyMatch(GvspChannel::streaming);
    }

    /** Whether the end of the control leaves the acquisition as it is. */
    boolean outlivesControl() {
        return payload.unconditional() && active() && !rdma.active();
    }

    private void begin() {
        if (active()) {
            return;
        }
        acquiring = true;
        session = null;
        open();
        furtherChannels.forEach(GvspChannel::reopen);
    }

    private void open() {
        if (!acquiring || session != null) {
            return;
        }
        Optional<InetSocketAddress> to = destination();
        if (to.isEmpty() && !rdma.active()) {
            return;
        }
        StreamSession opened = new StreamSession();
        session = opened;
        updatePace();
        if (rdma.active()) {
            rdma.sender()
                    .orElseThrow()
                    .submit(new RdmaSender.Job(payload.container(), scenario.firstBlockId(), frames(), opened));
        } else {
            sender.submit(job(to.orElseThrow(), space.get(Reg.SCPS), opened));
        }
        device.notifyAll();
    }

    private long frames() {
        return switch (space.get(Reg.ACQUISITION_MODE)) {
            case 1 -> 1;
            case 2 -> space.get(Reg.ACQUISITION_FRAME_COUNT);
            default -> Long.MAX_VALUE;
        };
    }

    private void stop() {
        if (session != null) {
            session.stopAfterBlock = true;
            wakeSenders();
        }
        furtherChannels.forEach(channel -> channel.stop(false));
        acquiring = false;
    }

    /** Ends the acquisition within a block. */
    void abort() {
        if (session != null) {
            session.aborted = true;
            wakeSenders();
        }
        furtherChannels.forEach(channel -> channel.stop(true));
        acquiring = false;
    }

    /** Sends packets of a block again; false if there is no such stream channel. */
    boolean resend(int channel, long blockId, long first, long last, boolean extended) {
        if (channel > furtherChannels.size()) {
            return false;
        }
        StreamSender wanted =
                channel == 0 ? sender : furtherChannels.get(channel - 1).sender();
        wanted.resend(blockId, first, last, extended);
        return true;
    }

    // ---- for the further channels ------------------------------------------------------------------------------

    @Override
    public boolean sendsByGvsp() {
        return acquiring && !rdma.active();
    }

    @Override
    public BlockLayout layout() {
        return payload.layout();
    }

    @Override
    public boolean triggered() {
        return triggered.getAsBoolean();
    }

    @Override
    public long framePeriodNanos() {
        return Math.round(1e9 / space.getDouble(Reg.FRAME_RATE));
    }

    @Override
    public StreamSender.Job job(InetSocketAddress to, int scps, StreamSession opened) {
        return new StreamSender.Job(
                new PacketPlan(payload.layout(), scps & GvspChannel.SCPS_SIZE, device.extendedIds()),
                to,
                (scps & GvspChannel.SCPS_DO_NOT_FRAGMENT) != 0,
                scenario.firstBlockId(),
                frames(),
                opened);
    }

    @Override
    public void rebuild() {
        rebuild.run();
    }
}
