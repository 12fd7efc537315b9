package io.peregrine.composite;

import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import java.util.BitSet;

/**
 * What the items of a frame are to each other, by its components (or parts) without metadata and confidence:
 *
 * <ul>
 *   <li>One of range: {@link CompositePurpose#POINT_CLOUD} when it has three coordinates, else
 *       {@link CompositePurpose#RANGE_MAP}.
 *   <li>One multispectral: {@link CompositePurpose#IMAGE_CUBE}.
 *   <li>One of intensity, infrared or ultraviolet: {@link CompositePurpose#IMAGE}.
 *   <li>Several of the same of these three types: {@link CompositePurpose#MULTI_AOI} when only regions differ, else
 *       {@link CompositePurpose#IMAGE_LIST}.
 *   <li>Everything else, mixtures among it: {@link CompositePurpose#CUSTOM}.
 * </ul>
 *
 * <p>For one thread at a time.
 */
final class PurposeRule {
    private static final int MAX_REGION = 0xFFFF;

    /** Regions that were met among the items of a frame: ids have 16 bits. */
    private final BitSet regions = new BitSet();

    /** Decides about the items of a table. */
    CompositePurpose of(ItemTable items) {
        ItemValues first = null;
        int component = -1;
        int count = 0;
        boolean sameType = true;
        boolean sameFrame = true;
        regions.clear();
        for (int slot = 0; slot < items.count(); slot = items.after(slot)) {
            ItemValues item = items.get(slot);
            ComponentType type = ComponentType.of(item.typeId);
            // Further parts of the same component do not count.
            if (type == ComponentType.METADATA
                    || type == ComponentType.CONFIDENCE
                    || (first != null && item.component == component)) {
                continue;
            }
            first = first == null ? item : first;
            component = item.component;
            count++;
            sameType &= item.typeId == first.typeId;
            sameFrame &= item.sourceId == first.sourceId
                    && item.groupId == first.groupId
                    && item.timestamp == first.timestamp;
            regions.set(item.regionId & MAX_REGION);
        }
        if (first == null) {
            return CompositePurpose.CUSTOM;
        }
        return switch (ComponentType.of(first.typeId)) {
            case RANGE -> count > 1 ? CompositePurpose.CUSTOM : rangePurpose(first);
            case MULTISPECTRAL -> count > 1 ? CompositePurpose.CUSTOM : CompositePurpose.IMAGE_CUBE;
            case INTENSITY, INFRARED, ULTRAVIOLET -> {
                if (count == 1) {
                    yield CompositePurpose.IMAGE;
                }
                if (!sameType) {
                    yield CompositePurpose.CUSTOM;
                }
                yield sameFrame && regions.cardinality() == count
                        ? CompositePurpose.MULTI_AOI
                        : CompositePurpose.IMAGE_LIST;
            }
            default -> CompositePurpose.CUSTOM;
        };
    }

    private static CompositePurpose rangePurpose(ItemValues range) {
        return range.kind == Kind.POINT_CLOUD || FormatPlanes.of(range.format).points()
                ? CompositePurpose.POINT_CLOUD
                : CompositePurpose.RANGE_MAP;
    }
}
