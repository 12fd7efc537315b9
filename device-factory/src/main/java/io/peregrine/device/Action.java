package io.peregrine.device;

import java.util.OptionalLong;

/**
 * What makes several cameras act together (ACTION of GigE Vision). A camera asserts an action signal when it has the
 * device key, when the signal has the group key, and when the masks of signal and action have a bit in common. See
 * {@link ActionSettings} for the camera's side.
 *
 * @param deviceKey must equal the key in the camera
 * @param groupKey must equal the key of a signal
 * @param groupMask which members of the group are meant; 0 means none
 * @param timeTicks when to act, in ticks of the cameras' synchronised clocks (ns by IEEE 1588); empty for at once
 */
public record Action(int deviceKey, int groupKey, int groupMask, OptionalLong timeTicks) {
    /** An action at once. */
    public static Action of(int deviceKey, int groupKey, int groupMask) {
        return new Action(deviceKey, groupKey, groupMask, OptionalLong.empty());
    }

    /** The same at a time, in ticks of the cameras' synchronised clocks. */
    public Action at(long ticks) {
        return new Action(deviceKey, groupKey, groupMask, OptionalLong.of(ticks));
    }
}
