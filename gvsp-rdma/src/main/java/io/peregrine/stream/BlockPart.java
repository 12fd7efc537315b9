package io.peregrine.stream;

import java.util.Objects;
import java.util.Optional;

/**
 * One part of a multi-part block (GigE Vision 2.1, payload type 0x000A; layout as in Wireshark's GVSP dissector).
 *
 * @param dataType what it is: 1 image, 2 to 4 plane of a bi-, tri- or quad-planar image, 5 3D image, 6 to 8 plane of
 *     such a 3D image, 9 confidence, 10 chunk data, 11 JPEG, 12 JPEG 2000, 0x8000 and above known to the device only
 * @param offsetBytes first byte in flow 0
 * @param lengthBytes bytes of data: those of the trailer when it came, else those of the leader
 * @param format PFNC code; data format of compressed parts
 * @param sourceId sensor
 * @param purposeId number that parts for the same purpose share
 * @param regionId region of the sensor
 * @param flags flags of the type specific fields, 0 where there are none
 * @param image geometry of images, planes and confidence, empty for all others
 */
public record BlockPart(
        int dataType,
        long offsetBytes,
        long lengthBytes,
        int format,
        int sourceId,
        int purposeId,
        int regionId,
        int flags,
        Optional<BlockInfo.ImageGeometry> image) {

    /** Checks that the part has a place. */
    public BlockPart {
        Objects.requireNonNull(image, "image");
        if (offsetBytes < 0 || lengthBytes < 0) {
            throw new IllegalArgumentException("A part of " + lengthBytes + " bytes at " + offsetBytes);
        }
    }
}
