package io.peregrine.virtualcamera;

import java.util.List;

/**
 * One component of a block.
 *
 * @param typeId SFNC component id
 * @param format PFNC code of the whole
 * @param groupId group
 * @param sourceId sensor
 * @param regionId region
 * @param offsetX pixels from the left edge of the sensor
 * @param offsetY lines from its top edge
 * @param flow flow of GenDC
 * @param invalidInOddBlocks whether it is marked as invalid in blocks with an odd id
 * @param parts its parts
 */
record Component(
        long typeId,
        int format,
        int groupId,
        int sourceId,
        int regionId,
        int offsetX,
        int offsetY,
        int flow,
        boolean invalidInOddBlocks,
        List<Part> parts) {
    Component {
        parts = List.copyOf(parts);
    }

    boolean invalid(Stamp stamp) {
        return invalidInOddBlocks && (stamp.blockId() & 1) != 0;
    }

    Component withFlow(int newFlow) {
        return new Component(
                typeId, format, groupId, sourceId, regionId, offsetX, offsetY, newFlow, invalidInOddBlocks, parts);
    }
}
