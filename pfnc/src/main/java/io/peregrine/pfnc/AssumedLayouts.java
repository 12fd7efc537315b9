package io.peregrine.pfnc;

/**
 * Every guess about how bytes lie is here, to be changed in one place when a device proves it wrong.
 *
 * <ul>
 *   <li>RGB10V1Packed, low confidence: byte 0 has the two low bits of red (bits 0 and 1), green and blue; bytes 1 to 3
 *       have the eight high bits of red, green, blue.
 *   <li>RGB12V1Packed, low confidence: the components in the order red, green, blue, pixel after pixel, packed in pairs
 *       like Mono12Packed: two components in three bytes, the middle byte shared. An open camera driver reads it so.
 *   <li>Vendor codes that aravis names: 12-bit Bayer "packed" as BayerXX12Packed, 16-bit Bayer as BayerXX16, YUYV as
 *       YUV422_8. Taken from their names alone, low confidence.
 * </ul>
 */
final class AssumedLayouts {
    private AssumedLayouts() {}

    /** The packing to read a format with; that of the list, but for vendor codes. */
    static Packing packing(PixelFormat format) {
        if (format.packing() != Packing.OTHER || !format.layoutAssumed()) {
            return format.packing();
        }
        return format.storedBitsPerPixel() == 12 ? Packing.GIGE_VISION_PACKED : Packing.UNPACKED;
    }

    static void unpackRgb10V1(byte[] line, int[] values, int count) {
        int base = 0;
        for (int i = 0; i + 2 < count; i += 3, base += 4) {
            int low = line[base];
            values[i] = (line[base + 1] & 0xFF) << 2 | (low & 3);
            values[i + 1] = (line[base + 2] & 0xFF) << 2 | (low >> 2 & 3);
            values[i + 2] = (line[base + 3] & 0xFF) << 2 | (low >> 4 & 3);
        }
    }

    static void unpackRgb12V1(byte[] line, int firstInPair, int[] values, int count) {
        Unpacker.packed12(line, firstInPair, values, count);
    }
}
