package io.peregrine.device;

import io.peregrine.genapi.Node;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something that a device told of by its message channel.
 *
 * @param name name of the event, an entry of the feature EventSelector, for example {@code ExposureEnd}; empty where
 *     the GenICam XML has no features for it
 * @param id id of the event: below 0x9000 of the GigE Vision standard, from there on the device's own
 * @param streamChannel stream channel concerned; empty if none
 * @param blockId block concerned, 0 if none; unsigned, of 16 bits unless the device uses extended ids
 * @param timestampTicks when, in ticks of the device's timestamp
 * @param data what came besides; empty where nothing did. Read only, shared by all listeners
 * @param features features with the data of this event, for example EventExposureEndFrameID; until the next event of
 *     the same id they have the values of this one
 */
public record DeviceEvent(
        Optional<String> name,
        int id,
        OptionalInt streamChannel,
        long blockId,
        long timestampTicks,
        ByteBuffer data,
        List<Node> features) {
    /** Copies what could change. */
    public DeviceEvent {
        data = data.asReadOnlyBuffer();
        features = List.copyOf(features);
    }
}
