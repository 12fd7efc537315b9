package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gvsp.PayloadType;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * One received frame with all its items. It is a lease on memory of the stream: close it as soon as its data is no longer
 * needed, or the stream runs out of flow sets. {@link #retain()} makes a further handle with a life of its own, {@link
 * #copy()} a frame that needs no memory of the stream. Closing twice does no harm; using items or data of a closed handle
 * throws.
 */
public final class Composite implements AutoCloseable, Iterable<Item> {
    static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /**
     * What is known of the frame as a whole.
     *
     * @param id container id of a GenDC container, block id of other payloads
     * @param block what the transport says about the block
     * @param purpose what the items are to each other
     * @param incompleteReason why it is not complete; empty when it is
     * @param descriptorBytes size of the GenDC descriptor at the start of flow 0; 0 when there is none
     */
    record Frame(
            long id,
            BlockInfo block,
            CompositePurpose purpose,
            Optional<String> incompleteReason,
            int descriptorBytes) {}

    private final Lease lease;
    private final Frame frame;
    private final List<Item> items;
    private volatile GenDcDescriptor descriptor;

    Composite(Lease lease, Frame frame, List<Item> items) {
        this.lease = lease;
        this.frame = frame;
        this.items = List.copyOf(items);
    }

    /** Takes over a lease on a flow set, which ends when this throws. */
    static Composite of(FlowSet flowSet, Holders holders, DescriptorReader descriptors) {
        FrameMemory memory = FrameMemory.of(flowSet);
        Lease lease = new Lease(memory, holders);
        try {
            return CompositeMapper.map(memory, flowSet.block(), lease, descriptors);
        } catch (RuntimeException e) {
            lease.end();
            throw e;
        }
    }

    /**
     * A frame from a GenDC container that lies in memory of the user's, for example of a {@code .gendc} file.
     *
     * @param container a linear container from position (first byte of the descriptor) to limit; it must not change as
     *     long as the composite is used
     */
    public static Composite of(ByteBuffer container) {
        ByteBuffer bytes = container.slice().asReadOnlyBuffer();
        FrameMemory memory = FrameMemory.of(bytes);
        BlockInfo block =
                new BlockInfo(0, PayloadType.GENDC, 0, bytes.capacity(), Optional.empty(), 0, Optional.empty(), 0);
        return CompositeMapper.map(memory, block, new Lease(memory, Holders.NOBODY), new DescriptorReader());
    }

    /**
     * A frame from the flows of a GenDC container that lie in memory of the user's, for example of flow files.
     *
     * @param flows two or more, in the order of flow ids, each from position to limit, with the descriptor at the start of
     *     the first; they must not change as long as the composite is used
     */
    public static Composite ofFlows(List<ByteBuffer> flows) {
        if (flows.size() < 2) {
            throw new IllegalArgumentException("A container in one piece is not a list of flows: use of(ByteBuffer)");
        }
        ByteBuffer[] views = new ByteBuffer[flows.size()];
        long bytes = 0;
        for (int flow = 0; flow < views.length; flow++) {
            views[flow] = flows.get(flow).slice().asReadOnlyBuffer();
            bytes += views[flow].capacity();
        }
        FrameMemory memory = FrameMemory.of(views, new long[views.length]);
        BlockInfo block = new BlockInfo(0, PayloadType.GENDC, 0, bytes, Optional.empty(), 0, Optional.empty(), 0);
        return CompositeMapper.map(memory, block, new Lease(memory, Holders.NOBODY), new DescriptorReader());
    }

    /** Container id of a GenDC container, block id of other payloads. */
    public long id() {
        return frame.id();
    }

    /** Block id of the stream channel; 0 for a frame that came by none. */
    public long blockId() {
        return frame.block().blockId();
    }

    /** Time of the frame in ticks of the device's clock, 0 when it did not arrive. */
    public long timestamp() {
        return frame.block().timestampTicks();
    }

    /** How it travelled: {@link PayloadType}, with the bit for chunk data; 0 when the leader is missing. */
    public int payloadType() {
        return frame.block().payloadType();
    }

    /** What the transport says about the block that the frame was made of. */
    public BlockInfo block() {
        return frame.block();
    }

    /** What the items are to each other. */
    public CompositePurpose purpose() {
        return frame.purpose();
    }

    /**
     * Whether the frame arrived whole and could be understood. Single items can be complete when the composite is not;
     * and a component that the device itself marked as invalid does not make the composite incomplete.
     */
    public boolean complete() {
        return frame.incompleteReason().isEmpty();
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        return frame.incompleteReason();
    }

    // ---- Items

    /**
     * The items, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> items() {
        lease.check();
        return items;
    }

    @Override
    public Iterator<Item> iterator() {
        return items().iterator();
    }

    /**
     * The items with those taken apart whose planes are parts of their own, so that each has memory of its own: what the
     * device sent, part for part.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> parts() {
        List<Item> parts = new ArrayList<>(items().size());
        for (Item item : items) {
            parts.addAll(item.pieces());
        }
        return List.copyOf(parts);
    }

    /**
     * The items that show something, invalid and incomplete ones included.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> items(ComponentType type) {
        return items().stream().filter(item -> item.componentType() == type).toList();
    }

    /**
     * The first item that shows something.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<Item> item(ComponentType type) {
        return items().stream().filter(item -> item.componentType() == type).findFirst();
    }

    /**
     * The first image that shows something: an {@link ImageItem}, {@link PackedItem}, {@link CompressedItem} or {@link
     * PlanesItem}.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<Item> image(ComponentType type) {
        return images().stream().filter(item -> item.componentType() == type).findFirst();
    }

    /**
     * The image of a composite that has exactly one, whatever it shows; empty when there is none or several.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<Item> image() {
        List<Item> images = images();
        return images.size() == 1 ? Optional.of(images.get(0)) : Optional.empty();
    }

    /**
     * All images, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> images() {
        return items().stream().filter(Composite::isImage).toList();
    }

    private static boolean isImage(Item item) {
        return item instanceof ImageItem
                || item instanceof PackedItem
                || item instanceof CompressedItem
                || item instanceof PlanesItem;
    }

    /**
     * The point cloud of a composite that has exactly one; empty when there is none or several.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<PointCloudItem> pointCloud() {
        List<PointCloudItem> clouds = pointClouds();
        return clouds.size() == 1 ? Optional.of(clouds.get(0)) : Optional.empty();
    }

    /**
     * All point clouds, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<PointCloudItem> pointClouds() {
        return all(PointCloudItem.class);
    }

    /**
     * The confidence that belongs to an item: of the same group, and of the same size where that is known.
     *
     * @param item one of the items
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<PlaneItem> confidence(Item item) {
        return all(PlaneItem.class).stream()
                .filter(plane -> plane.role() == PlaneRole.CONFIDENCE
                        && plane.groupId() == item.groupId()
                        && plane.width() == item.width()
                        && plane.height() == item.height())
                .findFirst();
    }

    /**
     * The chunk data of the frame, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<ChunkItem> chunks() {
        return all(ChunkItem.class);
    }

    private <T extends Item> List<T> all(Class<T> kind) {
        return items().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    // ---- GenDC

    /**
     * The descriptor of a GenDC container; a copy, so that it can be used after the composite was closed. Empty for other
     * payloads and for a container whose descriptor did not arrive or cannot be used.
     *
     * @throws IllegalStateException if the composite is closed and the descriptor was not asked for before
     */
    public Optional<GenDcDescriptor> descriptor() {
        GenDcDescriptor parsed = descriptor;
        if (parsed == null && frame.descriptorBytes() > 0) {
            byte[] copy = new byte[frame.descriptorBytes()];
            lease.memory().view(0, 0, copy.length).get(copy);
            try {
                parsed = GenDcDescriptor.parse(ByteBuffer.wrap(copy));
            } catch (GenDcException e) {
                // By RDMA, a device that breaks the rules can write there after the frame was mapped.
                return Optional.empty();
            }
            descriptor = parsed;
        }
        return Optional.ofNullable(parsed);
    }

    // ---- Life

    /**
     * A further handle on the same memory, which goes back to the stream when all handles are closed. Items that are taken
     * from a handle live as long as that handle.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Composite retain() {
        return with(lease.retain());
    }

    /**
     * A copy of the frame on the heap, with nothing of the stream's memory. It needs no closing, but can be closed.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Composite copy() {
        // Held while it is read, so that a close by another thread cannot give it away in between.
        Lease held = lease.retain();
        try {
            return copyOf(held.memory());
        } finally {
            held.end();
        }
    }

    private Composite copyOf(FrameMemory memory) {
        long[] first = new long[memory.flowCount()];
        long[] end = new long[memory.flowCount()];
        Arrays.fill(first, Long.MAX_VALUE);
        include(first, end, new Place(0, 0, frame.descriptorBytes()));
        for (Item item : items) {
            for (Item piece : item.pieces()) {
                include(first, end, piece.place());
            }
        }
        ByteBuffer[] flows = new ByteBuffer[first.length];
        for (int flow = 0; flow < flows.length; flow++) {
            first[flow] = Math.min(first[flow], end[flow]);
            int size = Math.toIntExact(end[flow] - first[flow]);
            byte[] bytes = new byte[size];
            memory.view(flow, first[flow], size).get(bytes);
            flows[flow] = ByteBuffer.wrap(bytes);
        }
        return with(new Lease(FrameMemory.of(flows, first), Holders.NOBODY));
    }

    private static void include(long[] first, long[] end, Place place) {
        if (!place.none()) {
            first[place.flow()] = Math.min(first[place.flow()], place.offset());
            end[place.flow()] = Math.max(end[place.flow()], place.offset() + place.lengthBytes());
        }
    }

    private Composite with(Lease other) {
        List<Item> own = new ArrayList<>(items.size());
        for (Item item : items) {
            own.add(item.on(other));
        }
        Composite composite = new Composite(other, frame, own);
        composite.descriptor = descriptor;
        return composite;
    }

    /** Whether {@link #close()} was called. */
    public boolean closed() {
        return lease.ended();
    }

    /** Ends this handle; with the last one, the memory goes back to the stream. */
    @Override
    public void close() {
        lease.end();
    }

    /** Id, purpose, state and items in one line. */
    @Override
    public String toString() {
        return "Composite[" + Long.toUnsignedString(frame.id()) + ", " + frame.purpose() + ", "
                + frame.incompleteReason()
                        .map(reason -> "incomplete: " + reason)
                        .orElse("complete")
                + (closed() ? ", closed" : "") + ", " + items + "]";
    }
}
