package io.peregrine.composite;

import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.PayloadType;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Payloads of one thing, and perhaps chunk data after it:
 *
 * <ul>
 *   <li>An image (also extended chunk and multi-zone) becomes one image by its format, with the geometry of its leader.
 *       Its type is range or confidence when its format says so, else intensity.
 *   <li>JPEG, JPEG 2000 and H.264 become a {@link CompressedItem}.
 *   <li>Chunk data after or instead of the payload becomes a {@link ChunkItem}, big-endian, after the other items.
 *   <li>Everything else becomes one {@link BufferItem}.
 * </ul>
 */
final class PlainPayload {
    private final MappedFrame frame;
    private final PurposeRule purpose;

    PlainPayload(MappedFrame frame, PurposeRule purpose) {
        this.frame = frame;
        this.purpose = purpose;
    }

    /**
     * Decides about a frame.
     *
     * @param base type of the payload, without the bit for chunk data
     */
    void map(int base) {
        Optional<ChunkRange> chunk = frame.block.chunk();
        if (frame.block.image().isPresent()) {
            plainImage(frame.block.image().get(), chunk);
        } else if (base == 0
                || base == PayloadType.IMAGE
                || base == PayloadType.EXTENDED_CHUNK
                || base == PayloadType.MULTI_ZONE) {
            if (chunk.isEmpty()) {
                if (frame.items.incomplete == null) {
                    frame.nothing(() -> "the geometry of the image did not arrive");
                }
                return;
            }
        } else if (base != PayloadType.CHUNK || chunk.isEmpty()) {
            bytes(base, chunk);
        }
        if (chunk.isPresent()) {
            plainChunk(chunk.get());
        }
        for (int slot = 0; slot < frame.items.count(); slot = frame.items.after(slot)) {
            if (frame.firstFlaw(frame.items.get(slot))) {
                frame.items.incomplete = frame.items.get(slot).missing;
            }
        }
        frame.items.purpose = purpose.of(frame.items);
    }

    private void plainImage(ImageGeometry geometry, Optional<ChunkRange> chunk) {
        ItemValues item = plainItem(ComponentType.INTENSITY, geometry.pixelFormat());
        // Extended chunk data of 1.2 is the whole payload, image included: then its start is no end of the image.
        long available = chunk.isPresent() && chunk.get().offsetBytes() > 0
                ? chunk.get().offsetBytes()
                : frame.block.payloadBytes();
        Optional<PixelLayout> layout = item.sameLayout(
                geometry.width(), geometry.height(), geometry.paddingX(), geometry.paddingY(), available);
        long size = layout.isPresent() ? layout.get().sizeBytes() : -1;
        FormatPlanes planes = FormatPlanes.of(item.format);
        if (planes.coordinates()) {
            item.typeId = ComponentType.RANGE.id();
        } else if (planes.role() == PlaneRole.CONFIDENCE) {
            item.typeId = ComponentType.CONFIDENCE.id();
        }
        long flowBytes = frame.memory.flowSizeBytes(0);
        if (size >= 0 && size <= flowBytes && ItemRules.sensible(geometry)) {
            ItemRules.geometry(item, geometry);
            item.missing = frame.missing(0, 0, size);
            item.place(0, 0, size);
        } else {
            PixelFormat format = item.format;
            item.missing = () -> "an image of " + geometry.width() + "x" + geometry.height() + " pixels of " + format
                    + " does not fit the flow set of " + flowBytes + " bytes";
        }
        ItemRules.image(item);
    }

    private ItemValues plainItem(ComponentType type, int format) {
        ItemValues item = frame.items.add();
        item.typeId = type.id();
        item.format(format);
        item.timestamp = frame.block.timestampTicks();
        item.valid = true;
        return item;
    }

    /** All bytes of the block up to the chunk data. */
    private void bytes(int base, Optional<ChunkRange> chunk) {
        long promised = chunk.isPresent() ? chunk.get().offsetBytes() : frame.block.payloadBytes();
        long size = Math.max(0, Math.min(promised, frame.memory.flowSizeBytes(0)));
        Supplier<String> missing = frame.items.incomplete;
        if (missing == null && (size != promised || !frame.memory.covered(0, 0, size))) {
            long filled = frame.memory.filledBytes(0);
            missing = () -> "only " + filled + " of " + promised + " bytes of the block arrived";
        }
        ItemValues item;
        switch (base) {
            case PayloadType.JPEG -> item = compressed(Kind.JPEG);
            case PayloadType.JPEG2000 -> item = compressed(Kind.JPEG2000);
            case PayloadType.H264 -> item = compressed(Kind.H264);
            default -> {
                item = plainItem(ComponentType.UNDEFINED, PfncCodes.DATA8);
                item.geometry((int) Math.min(size, Integer.MAX_VALUE), 1, 0, 0, 0);
            }
        }
        item.missing = missing;
        item.place(0, 0, size);
    }

    private ItemValues compressed(Kind compression) {
        Optional<BlockInfo.Compression> announced = frame.block.compression();
        ItemValues item = plainItem(
                ComponentType.INTENSITY, announced.isPresent() ? announced.get().dataFormat() : 0);
        item.kind = compression;
        if (announced.isPresent()) {
            item.h264 = announced.get().h264().flatMap(PlainPayload::h264);
        }
        return item;
    }

    /** Empty when a number is larger than its field in any standard. */
    private static Optional<H264Parameters> h264(BlockInfo.H264Parameters sent) {
        try {
            return Optional.of(new H264Parameters(
                    sent.profileIdc(),
                    sent.constraintSets(),
                    sent.packetizationMode(),
                    sent.levelIdc(),
                    sent.interleavingDepth(),
                    Math.toIntExact(sent.maxDonDiff()),
                    sent.deinterleavingBufferBytes(),
                    sent.initialBufferTime()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private void plainChunk(ChunkRange range) {
        long offset = range.offsetBytes();
        long length = range.lengthBytes();
        ItemValues item = plainItem(ComponentType.METADATA, PfncCodes.DATA8);
        if (offset <= frame.memory.flowSizeBytes(0) && length <= frame.memory.flowSizeBytes(0) - offset) {
            item.missing = frame.missing(0, offset, length);
            item.place(0, offset, length);
        } else {
            item.missing = () -> "chunk data of " + length + " bytes at " + offset + " does not fit the flow set";
        }
        ItemRules.networkChunk(item, range.layoutId());
    }
}
