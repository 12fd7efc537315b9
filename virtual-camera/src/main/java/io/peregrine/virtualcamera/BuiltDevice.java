package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** The device behind the registers of features declared in code. It has no stream and no message channel. */
final class BuiltDevice extends GevDevice {
    private static final System.Logger LOG = System.getLogger(BuiltDevice.class.getName());

    /** User name, serial, heartbeat disable, link speed, CCP registers, switchover, pending ACK, WRITEMEM, concatenation. */
    private static final int GVCP_CAPABILITY = 0xF8200023;

    BuiltDevice(
            DeviceIdentity identity,
            List<DescriptionWriter.Placed> features,
            ByteBuffer values,
            PersistentMemory memory,
            Location location,
            Consumer<Location> mover,
            Counters counters) {
        super(identity, memory, location, mover, counters);
        space.constant(Reg.MESSAGE_CHANNEL_COUNT, 0);
        space.constant(Reg.STREAM_CHANNEL_COUNT, 0);
        space.constant(Reg.ACTION_SIGNAL_COUNT, 0);
        space.constant(Reg.STREAM_CAPABILITY, 0);
        space.constant(Reg.MESSAGE_CAPABILITY, 0);
        space.constant(Reg.GVCP_CAPABILITY, GVCP_CAPABILITY);
        releaseRegisters();
        for (DescriptionWriter.Placed placed : features) {
            for (int i = 0; i < placed.instances(); i++) {
                place(placed.feature(), placed.address(i), i, values);
            }
        }
    }

    private void place(DeviceFeature<?> feature, int address, int index, ByteBuffer values) {
        int bytes = feature.bytes();
        // What the device keeps outlives its address.
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
            LOG.log(System.Logger.Level.DEBUG, feature.name() + " refuses a value", e);
            throw new RegisterException(Gvcp.INVALID_PARAMETER);
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, feature.name() + " refuses a value now", e);
            throw new RegisterException(Gvcp.BUSY);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "The program behind " + feature.name() + " failed", e);
            throw new RegisterException(Gvcp.ERROR);
        }
    }
}
