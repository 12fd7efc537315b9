package io.peregrine.pfnc;

/** Brings values of one depth to the full range of another. */
final class Scale {
    private Scale() {}

    /**
     * Scales in place, so that 0 stays 0 and the largest value becomes the largest one. Shallower: low bits are cut.
     * Deeper: the nearest value (the same as repeating the bits from 8 bits on). Signed values are moved up by half of
     * their range first; values beyond their depth become the largest one.
     *
     * @param fromBits 1 to 32
     * @param toBits 8 or 16
     */
    static void line(int[] values, int count, int fromBits, boolean signed, int toBits) {
        if (signed) {
            int half = 1 << (fromBits - 1);
            for (int i = 0; i < count; i++) {
                values[i] += half;
            }
        }
        if (fromBits == Integer.SIZE) {
            int shift = Integer.SIZE - toBits;
            for (int i = 0; i < count; i++) {
                values[i] >>>= shift;
            }
            return;
        }
        int most = (1 << fromBits) - 1;
        if (fromBits >= toBits) {
            int shift = fromBits - toBits;
            for (int i = 0; i < count; i++) {
                values[i] = Math.min(values[i], most) >>> shift;
            }
        } else if (fromBits >= Byte.SIZE) {
            int left = toBits - fromBits;
            int right = fromBits - left;
            for (int i = 0; i < count; i++) {
                int value = Math.min(values[i], most);
                values[i] = value << left | value >>> right;
            }
        } else {
            int mostAfter = (1 << toBits) - 1;
            for (int i = 0; i < count; i++) {
                values[i] = (2 * Math.min(values[i], most) * mostAfter + most) / (2 * most);
            }
        }
    }
}
