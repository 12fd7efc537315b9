package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The sets of feature values that the camera keeps without power, and which of them it starts with. Set 0 is the one it
 * came with.
 */
final class UserSets {
    static final int DEFAULT = 0;
    /** Sets that can be saved; they have the numbers from 1 on. */
    static final int COUNT = 2;

    /** Registers of the values that belong to a set: first address, and the one behind the last. */
    private static final int[][] RANGES = {
        {Reg.WIDTH, Reg.ACQUISITION_START},
        {Reg.ACQUISITION_FRAME_COUNT, Reg.ACQUISITION_STATUS},
        {Reg.FRAME_RATE, Reg.TRIGGER_SOFTWARE},
        {Reg.EXPOSURE_MODE, Reg.TL_PARAMS_LOCKED},
        {Reg.GENDC_STREAMING_MODE, Reg.GENDC_STREAMING_STATUS},
        {Reg.CHUNK_MODE_ACTIVE, Reg.EVENT_SELECTOR},
        {Reg.EVENT_NOTIFICATION, Reg.EVENT_NOTIFICATION + 4 * EventKind.values().length},
    };

    private final Map<Integer, byte[]> saved = new HashMap<>();
    private int atStart = DEFAULT;

    synchronized int atStart() {
        return atStart;
    }

    synchronized void startWith(int set) {
        atStart = set;
    }

    synchronized void save(int set, RegisterSpace space) {
        ByteBuffer values = ByteBuffer.allocate(Reg.LOW_SPACE_BYTES);
        for (int[] range : RANGES) {
            for (int address = range[0]; address < range[1]; address += 4) {
                values.putInt(space.get(address));
            }
        }
        byte[] bytes = new byte[values.flip().remaining()];
        values.get(bytes);
        saved.put(set, bytes);
    }

    /** Puts the values of a set into the registers; false when nothing was ever saved as this set. */
    synchronized boolean load(int set, RegisterSpace space) {
        byte[] bytes = saved.get(set);
        if (bytes == null) {
            return false;
        }
        ByteBuffer values = ByteBuffer.wrap(bytes);
        for (int[] range : RANGES) {
            for (int address = range[0]; address < range[1]; address += 4) {
                space.set(address, values.getInt());
            }
        }
        return true;
    }
}
