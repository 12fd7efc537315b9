package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One received frame with all its items. It is a lease on memory of the stream: close it as soon as its data is no
 * longer needed, or the stream runs out of flow sets. {@link #retain()} makes a further handle that is closed
 * separately, {@link #copy()} a frame that needs no memory of the stream. Closing twice does no harm; using items or
 * data of a closed handle throws.
 *
 * <p>Several threads may use a composite at the same time. Close it after the last of them, or give each a handle.
 */
public final class Composite implements AutoCloseable {
    /** The longest array that every virtual machine makes. */
    private static final int MAX_COPIED_BYTES = Integer.MAX_VALUE - 8;

    private final Lease lease;

    // What can still be asked when the memory holds another frame.
    private final BlockInfo block;
    private final long id;
    private final CompositePurpose purpose;
    private final @Nullable Supplier<String> incomplete;
    private final int descriptorBytes;

    /** Null until they are asked for. */
    private volatile @Nullable List<Item> items;

    private volatile @Nullable GenDcDescriptor descriptor;

    /**
     * A handle on a frame whose items are decided.
     *
     * @param memory where it lies
     * @param lease a lease on it, which the composite takes over
     */
    private Composite(FrameMemory memory, Lease lease, BlockInfo block) {
        ItemTable table = memory.items();
        this.lease = lease;
        this.block = block;
        id = table.id;
        purpose = table.purpose;
        incomplete = table.incomplete;
        descriptorBytes = table.descriptorBytes;
    }

    /** Takes over a lease on a flow set, which ends when this throws. */
    static Composite of(FlowSet flowSet, Holders holders, CompositeMapper mapper) {
        return of(FrameMemory.of(flowSet), flowSet.block(), holders, mapper);
    }

    private static Composite of(FrameMemory memory, BlockInfo block, Holders holders, CompositeMapper mapper) {
        Lease lease = new Lease(memory, holders);
        try {
            mapper.map(memory, block);
            return new Composite(memory, lease, block);
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
        return of(memory, block, Holders.NOBODY, new CompositeMapper());
    }

    /**
     * A frame from the flows of a GenDC container that lie in memory of the user's, for example of flow files.
     *
     * @param flows two or more, in the order of flow ids, each from position to limit, with the descriptor at the start
     *     of the first; they must not change as long as the composite is used
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
        return of(memory, block, Holders.NOBODY, new CompositeMapper());
    }

    /** Container id of a GenDC container, block id of other payloads. */
    public long id() {
        return id;
    }

    /** Block id of the stream channel; 0 for a frame without one. */
    public long blockId() {
        return block.blockId();
    }

    /** Time of the frame in ticks of the device's clock, 0 when it did not arrive. */
    public long timestamp() {
        return block.timestampTicks();
    }

    /** How it travelled: {@link PayloadType}, with the bit for chunk data; 0 when the leader is missing. */
    public int payloadType() {
        return block.payloadType();
    }

    /** What the transport says about the block that the frame was made of. */
    public BlockInfo block() {
        return block;
    }

    /** What the items are to each other. */
    public CompositePurpose purpose() {
        return purpose;
    }

    /**
     * Whether the frame arrived whole and could be understood. Single items can be complete when the composite is not;
     * and a component that the device itself marked as invalid does not make the composite incomplete.
     */
    public boolean complete() {
        return incomplete == null;
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        return incomplete == null ? Optional.empty() : Optional.of(incomplete.get());
    }

    // ---- Items

    /**
     * The items, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> items() {
        lease.check();
        List<Item> made = items;
        if (made == null) {
            synchronized (lease) {
                made = items;
                if (made == null) {
                    made = lease.read(table -> ItemFactory.items(table, lease));
                    items = made;
                }
            }
        }
        return made;
    }

    /**
     * The items with those taken apart whose planes are separate parts, so that each has separate memory: what the
     * device sent, part for part.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> parts() {
        List<Item> parts = new ArrayList<>();
        for (Item item : items()) {
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
     * The first item of a kind, for example {@code find(PointCloudItem.class)}.
     *
     * @param kind one of the kinds of {@link Item}
     * @throws IllegalStateException if the composite is closed
     */
    public <T extends Item> Optional<T> find(Class<T> kind) {
        for (Item item : items()) {
            if (kind.isInstance(item)) {
                return Optional.of(kind.cast(item));
            }
        }
        return Optional.empty();
    }

    /**
     * The image to show: the first of the intensity, else the first of another component. An {@link ImageItem},
     * {@link PackedItem}, {@link CompressedItem} or {@link PlanesItem}; confidence and point clouds are none.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<Item> image() {
        // For each frame: without the machinery of streams, which takes long to be compiled.
        Item first = null;
        for (Item item : items()) {
            if (isImage(item)) {
                if (item.componentType() == ComponentType.INTENSITY) {
                    return Optional.of(item);
                }
                first = first == null ? item : first;
            }
        }
        return Optional.ofNullable(first);
    }

    /** All images, in the order of the device. */
    List<Item> images() {
        return items().stream().filter(Composite::isImage).toList();
    }

    private static boolean isImage(Item item) {
        return item instanceof ImageItem
                || item instanceof PackedItem
                || item instanceof CompressedItem
                || item instanceof PlanesItem;
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

    /** All items of a kind, in the order of the device. */
    <T extends Item> List<T> all(Class<T> kind) {
        return items().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    // ---- GenDC

    /**
     * The descriptor of a GenDC container; a copy, so that it can be used after the composite was closed. Empty for
     * other payloads and for a container whose descriptor did not arrive or cannot be used.
     *
     * @throws IllegalStateException if the composite is closed and the descriptor was not asked for before
     */
    public Optional<GenDcDescriptor> descriptor() {
        GenDcDescriptor parsed = descriptor;
        if (parsed == null && descriptorBytes > 0) {
            byte[] copy = new byte[descriptorBytes];
            lease.memory().view(0, 0, copy.length).get(copy);
            try {
                parsed = GenDcDescriptor.parse(ByteBuffer.wrap(copy));
            } catch (GenDcException e) {
                // Over RDMA, a device that breaks the rules can write there after the frame was mapped.
                return Optional.empty();
            }
            descriptor = parsed;
        }
        return Optional.ofNullable(parsed);
    }

    // ---- Life

    /**
     * A further handle on the same memory, which goes back to the stream when all handles are closed. Items that are
     * taken from a handle live as long as that handle.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public Composite retain() {
        Lease other = lease.retain();
        return with(other.memory(), other);
    }

    /**
     * A copy of the frame on the heap, with nothing of the stream's memory. It needs no closing, but can be closed.
     *
     * @throws IllegalStateException if the composite is closed
     * @throws CompositeException if the items of a flow are spread over 2 GiB or more
     * @throws io.peregrine.stream.StreamException if the frame is in memory of a device, which the processor cannot
     *     read
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
        include(first, end, 0, 0, descriptorBytes);
        ItemTable table = memory.items();
        for (int slot = 0; slot < table.count(); slot++) {
            ItemValues item = table.get(slot);
            if (item.separatePlanes == 0) {
                include(first, end, item.flow, item.offset, item.lengthBytes);
            }
        }
        ByteBuffer[] flows = new ByteBuffer[first.length];
        for (int flow = 0; flow < flows.length; flow++) {
            first[flow] = Math.min(first[flow], end[flow]);
            long size = end[flow] - first[flow];
            if (size > MAX_COPIED_BYTES) {
                throw new CompositeException(
                        "Flow " + flow + " has " + size + " bytes from its first item to the end of"
                                + " its last one, more than the " + MAX_COPIED_BYTES + " that a copy can have");
            }
            byte[] bytes = new byte[(int) size];
            memory.view(flow, first[flow], bytes.length).get(bytes);
            flows[flow] = ByteBuffer.wrap(bytes);
        }
        FrameMemory copy = FrameMemory.of(flows, first);
        copy.items().set(table);
        return with(copy, new Lease(copy, Holders.NOBODY));
    }

    private static void include(long[] first, long[] end, int flow, long offset, long lengthBytes) {
        if (lengthBytes > 0) {
            first[flow] = Math.min(first[flow], offset);
            end[flow] = Math.max(end[flow], offset + lengthBytes);
        }
    }

    private Composite with(FrameMemory memory, Lease other) {
        Composite composite = new Composite(memory, other, block);
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
        return "Composite[" + Long.toUnsignedString(id) + ", " + purpose + ", "
                + incompleteReason().map(reason -> "incomplete: " + reason).orElse("complete")
                + (closed() ? ", closed" : "") + itemsText() + "]";
    }

    private String itemsText() {
        try {
            List<Item> made = items;
            return ", " + (made == null ? items() : made);
        } catch (IllegalStateException e) {
            // Closed before anybody asked for them: the memory has another frame's.
            return "";
        }
    }
}
