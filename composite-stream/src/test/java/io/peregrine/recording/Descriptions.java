package io.peregrine.recording;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** Everything that a user can see of a composite, as text to compare. */
final class Descriptions {
    private Descriptions() {}

    static String of(Composite composite) {
        StringBuilder text = new StringBuilder();
        text.append(composite.id()).append(' ').append(composite.blockId()).append(' ');
        text.append(composite.timestamp())
                .append(' ')
                .append(composite.payloadType())
                .append(' ');
        text.append(composite.purpose()).append(' ').append(composite.incompleteReason());
        composite.descriptor().ifPresent(descriptor -> text.append('\n').append(descriptor));
        for (Item item : composite.items()) {
            text.append('\n');
            append(text, item);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Item item) {
        text.append(item.getClass().getSimpleName())
                .append(List.of(
                        item.typeId(),
                        item.partType(),
                        item.componentIndex(),
                        item.partIndex(),
                        item.format(),
                        item.width(),
                        item.height(),
                        item.paddingX(),
                        item.paddingY(),
                        item.strideBytes()));
        text.append(List.of(
                item.linesContiguous(),
                item.offsetX(),
                item.offsetY(),
                item.groupId(),
                item.sourceId(),
                item.regionId(),
                item.timestamp(),
                item.valid(),
                item.incompleteReason(),
                item.sizeBytes()));
        text.append(hex(item.data()));
        if (item instanceof ChunkItem chunk) {
            text.append(chunk.byteOrder()).append(chunk.layoutId()).append(hex(chunk.chunkData()));
        } else if (item instanceof CompressedItem compressed) {
            text.append(compressed.compression()).append(compressed.h264());
        } else if (item instanceof PlanesItem planes) {
            planes.planes().forEach(plane -> append(text, plane));
        } else if (item instanceof PointCloudItem cloud) {
            cloud.planes().forEach(plane -> append(text, plane));
        } else if (item instanceof PlaneItem plane) {
            text.append(plane.role()).append(plane.plane()).append(plane.planeCount());
            text.append(plane.pixelStrideBytes());
        }
    }

    static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
