package io.peregrine.virtualcamera;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The device behind the registers of features declared in code, with the events and frames that are declared. */
final class BuiltDevice extends GevDevice {
    private static final System.Logger LOGGER = System.getLogger(BuiltDevice.class.getName());

    /**
     * User name, serial, heartbeat disable, link speed, CCP registers, switchover, pending ACK, WRITEMEM,
     * concatenation.
     */
    private static final int GVCP_CAPABILITY = 0xF8200023;
    /** Events with and without data. */
    private static final int EVENTS = 0x18;

    private static final int RESEND = 0x4;

    private final Optional<CustomEvents> events;
    private final Optional<CustomFrames> frames;
    private final Optional<EventSender> eventSender;
    private final Optional<MessageRegisters> message;

    BuiltDevice(
            DeviceIdentity identity,
            List<PlacedFeature> features,
            ByteBuffer values,
            Optional<CustomEvents> events,
            Optional<CustomFrames> frames,
            PersistentMemory memory,
            Location location,
            Consumer<Location> mover,
            Counters counters,
            Faults faults)
            throws IOException {
        super(identity, memory, location, mover, counters);
        this.events = events;
        this.frames = frames;
        space.constant(Reg.MESSAGE_CHANNEL_COUNT, 0);
        space.constant(Reg.STREAM_CHANNEL_COUNT, 0);
        space.constant(Reg.ACTION_SIGNAL_COUNT, 0);
        space.constant(Reg.STREAM_CAPABILITY, 0);
        space.constant(Reg.MESSAGE_CAPABILITY, 0);
        int capability = GVCP_CAPABILITY | (events.isPresent() ? EVENTS : 0) | (frames.isPresent() ? RESEND : 0);
        space.constant(Reg.GVCP_CAPABILITY, capability);
        eventSender = events.isEmpty() ? Optional.empty() : Optional.of(new EventSender(location.address(), counters));
        message = eventSender.map(sender -> new MessageRegisters(this, sender));
        if (frames.isPresent()) {
            attachFrames(frames.get(), faults);
        }
        releaseRegisters();
        for (PlacedFeature placed : features) {
            for (int i = 0; i < placed.instances(); i++) {
                place(placed.feature(), placed.address(i), i, values);
            }
        }
    }

    private void attachFrames(CustomFrames own, Faults faults) throws IOException {
        try {
            own.attach(this, own.open(location.address(), this, counters, faults));
        } catch (IOException e) {
            eventSender.ifPresent(EventSender::close);
            throw e;
        }
        lockable(Reg.GVSP_CONFIGURATION, v -> v & EXTENDED_ID_BIT, this::idsChanged);
    }

    private void idsChanged() {
        frames.ifPresent(CustomFrames::rebuild);
        message.ifPresent(MessageRegisters::changed);
    }

    /** Starts the threads that send. */
    void start() {
        eventSender.ifPresent(EventSender::start);
        frames.ifPresent(own -> own.sender().start());
    }

    /** Ends the threads that send; not from one that holds the monitor. Idempotent. */
    void close() {
        synchronized (this) {
            frames.ifPresent(CustomFrames::stopAtOnce);
        }
        frames.ifPresent(own -> own.sender().close());
        eventSender.ifPresent(EventSender::close);
    }

    /** Sends an event if the application enabled it. Never blocks. */
    void fire(String event, long... values) {
        CustomEvents own = events.orElseThrow(
                () -> new VirtualCameraException("The device has no event " + event + ": declare it by event()"));
        EventSender.Event fired = own.event(event, timestamp(), values);
        if (own.wanted(event)) {
            eventSender.orElseThrow().post(fired);
        }
    }

    /** How stream packets are sent, as a phrase for people. */
    String sendState() {
        return frames.map(own -> own.sender().state()).orElse("off");
    }

    @Override
    boolean locked() {
        return frames.map(CustomFrames::locked).orElse(false);
    }

    @Override
    void releaseRegisters() {
        super.releaseRegisters();
        message.ifPresent(MessageRegisters::release);
    }

    @Override
    void endControl() {
        super.endControl();
        frames.ifPresent(own -> {
            space.set(Reg.GVSP_CONFIGURATION, 0);
            own.release();
        });
    }

    @Override
    boolean resend(int channel, long blockId, long first, long last, boolean extended) {
        if (channel != 0 || frames.isEmpty()) {
            return false;
        }
        frames.get().sender().resend(blockId, first, last, extended);
        return true;
    }

    private void place(DeviceFeature<?> feature, int address, int index, ByteBuffer values) {
        int bytes = feature.bytes();
        // Kept values outlive the device's address.
        ByteBuffer kept = values.slice(address - Reg.FEATURES, bytes);
        space.map(address, bytes);
        space.set(address, kept);
        if (feature.writable()) {
            space.writable(address, bytes, feature::check, () -> {
                ByteBuffer value = ByteBuffer.wrap(space.get(address, bytes));
                try {
                    if (feature.setter().isPresent()) {
                        run(feature, feature.setter().get(), index, value);
                    }
                    kept.put(0, value, 0, bytes);
                } finally {
                    space.set(address, kept);
                }
            });
        }
        feature.getter()
                .ifPresent(getter -> space.computed(address, bytes, () -> {
                    ByteBuffer value = ByteBuffer.wrap(space.get(address, bytes));
                    run(feature, getter, index, value);
                    space.set(address, value);
                }));
    }

    private static void run(DeviceFeature<?> feature, DeviceFeature.Access access, int index, ByteBuffer value)
            throws RegisterException {
        try {
            access.run(index, value);
        } catch (IllegalArgumentException e) {
            LOGGER.log(System.Logger.Level.DEBUG, feature.name() + " refuses a value", e);
            throw new RegisterException(Gvcp.INVALID_PARAMETER);
        } catch (IllegalStateException e) {
            LOGGER.log(System.Logger.Level.DEBUG, feature.name() + " refuses a value now", e);
            throw new RegisterException(Gvcp.BUSY);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "The code of the feature " + feature.name() + " failed", e);
            throw new RegisterException(Gvcp.ERROR);
        }
    }
}
