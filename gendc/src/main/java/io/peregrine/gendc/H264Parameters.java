package io.peregrine.gendc;

/**
 * What a decoder of an H.264 part must know (GenDC 1.1, table 2-9; the names are those of RFC 6184).
 *
 * @param profileIdc ProfileIDC, 0 to 255
 * @param constraintSets flags CS0 to CS3, bit 0 to 3
 * @param packetizationMode 0 single NAL units, 1 non-interleaved, 2 interleaved
 * @param levelIdc LevelIDC, 0 to 255
 * @param interleavingDepth sprop-interleaving-depth, 0 to 65535
 * @param maxDonDifference sprop-max-don-diff, 0 to 65535
 * @param deinterleavingBufferBytes sprop-deint-buf-req, an unsigned 32-bit number
 * @param initialBufferTime sprop-init-buf-time in ticks of 90 kHz, an unsigned 32-bit number
 */
public record H264Parameters(
        int profileIdc,
        int constraintSets,
        int packetizationMode,
        int levelIdc,
        int interleavingDepth,
        int maxDonDifference,
        long deinterleavingBufferBytes,
        long initialBufferTime) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number does not fit its field
     */
    public H264Parameters {
        check(profileIdc, 0xFF, "profileIdc");
        check(constraintSets, 0xF, "constraintSets");
        check(packetizationMode, 3, "packetizationMode");
        check(levelIdc, 0xFF, "levelIdc");
        check(interleavingDepth, 0xFFFF, "interleavingDepth");
        check(maxDonDifference, 0xFFFF, "maxDonDifference");
        check(deinterleavingBufferBytes, 0xFFFF_FFFFL, "deinterleavingBufferBytes");
        check(initialBufferTime, 0xFFFF_FFFFL, "initialBufferTime");
    }

    private static void check(long value, long most, String what) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be between 0 and " + most);
        }
    }
}
