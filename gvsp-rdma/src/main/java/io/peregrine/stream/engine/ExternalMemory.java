package io.peregrine.stream.engine;

import io.peregrine.nativeio.MappedFile;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.StreamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Memory of the user's that a stream fills, and everything that holds it: the stream that it was given to, receivers
 * whose system or adapter may write into it, and frames that the user has. After the last of them the user gets it
 * back.
 */
public final class ExternalMemory {
    private static final System.Logger LOGGER = System.getLogger(ExternalMemory.class.getName());

    private final List<List<FlowMemory>> sets;
    private final List<MappedFile> files;
    private final Runnable onRelease;
    private final AtomicInteger holds = new AtomicInteger(1);

    /**
     * Takes memory over, with one hold.
     *
     * @param sets the flows of each flow set, in the order of flow ids
     * @param onRelease called once after the last hold has ended, on the thread that ended it
     * @throws StreamException if the memory cannot be used
     */
    public ExternalMemory(List<List<FlowMemory>> sets, Runnable onRelease) {
        check(sets);
        this.sets = sets.stream().map(List::copyOf).toList();
        this.onRelease = Objects.requireNonNull(onRelease, "onRelease");
        files = holdFiles(sets);
    }

    /**
     * Checks what can be checked without a device.
     *
     * @throws StreamException if the number of flow sets is not possible, they differ in their number of flows, or
     *     memory is used twice
     */
    public static void check(List<List<FlowMemory>> sets) {
        FlowSetPool.checkCount(sets.size());
        int flows = sets.get(0).size();
        List<FlowMemory> all = new ArrayList<>();
        for (List<FlowMemory> set : sets) {
            if (set.isEmpty() || set.size() != flows) {
                throw new StreamException("All flow sets of a pool have as many flows, at least one: there is one with "
                        + flows + " and one with " + set.size());
            }
            if (!set.get(0).hostAccess()) {
                throw new StreamException(
                        "Flow 0 has the descriptor, which this program reads: it cannot be in memory" + " of a device");
            }
            all.addAll(set);
        }
        checkApart(all);
    }

    private static void checkApart(List<FlowMemory> all) {
        record Piece(String space, long from, long bytes) {}
        List<Piece> pieces = new ArrayList<>();
        for (FlowMemory memory : all) {
            if (memory.dmaBufDescriptor().isPresent()) {
                String dmaBuf = "dmabuf " + memory.dmaBufDescriptor().getAsInt();
                pieces.add(new Piece(dmaBuf, memory.dmaBufOffset(), memory.lengthBytes()));
            } else {
                FlowSegment.addressOf(memory)
                        .ifPresent(address -> pieces.add(new Piece("address", address, memory.lengthBytes())));
            }
        }
        pieces.sort(Comparator.comparing(Piece::space).thenComparing(Piece::from, Long::compareUnsigned));
        for (int i = 1; i < pieces.size(); i++) {
            Piece before = pieces.get(i - 1);
            Piece next = pieces.get(i);
            if (before.space().equals(next.space()) && next.from() - before.from() < before.bytes()) {
                throw new StreamException("Memory is given twice: " + before.bytes() + " bytes at 0x"
                        + Long.toHexString(before.from()) + " and " + next.bytes() + " bytes at 0x"
                        + Long.toHexString(next.from()) + " overlap");
            }
        }
    }

    /** What each flow of a size needs. */
    public static List<FlowInfo> needs(long[] flowSizesBytes) {
        return LongStream.of(flowSizesBytes)
                .mapToObj(size -> new FlowInfo(size, FlowMemory.ALIGNMENT_BYTES))
                .toList();
    }

    /** Number of flow sets. */
    public int count() {
        return sets.size();
    }

    /**
     * Flow sets over the memory. Only while no flow set of an earlier call is in use.
     *
     * @param flowSizesBytes bytes of each flow that are used, in the order of flow ids
     * @throws StreamException if the device needs more or other memory than there is, with what it needs
     */
    public FlowSetPool pool(long[] flowSizesBytes) {
        for (int set = 0; set < sets.size(); set++) {
            List<FlowMemory> flows = sets.get(set);
            if (flows.size() != flowSizesBytes.length) {
                throw new StreamException(needed(flowSizesBytes) + ", but the memory that was given has " + flows.size()
                        + " flows for each");
            }
            for (int flow = 0; flow < flowSizesBytes.length; flow++) {
                if (flowSizesBytes[flow] < 1
                        || flowSizesBytes[flow] > flows.get(flow).lengthBytes()) {
                    throw new StreamException(needed(flowSizesBytes) + ", but flow " + flow + " of flow set " + set
                            + " was given " + flows.get(flow).lengthBytes() + " bytes");
                }
            }
        }
        FlowSegment[][] segments = new FlowSegment[sets.size()][flowSizesBytes.length];
        for (int set = 0; set < segments.length; set++) {
            for (int flow = 0; flow < flowSizesBytes.length; flow++) {
                segments[set][flow] = FlowSegment.of(sets.get(set).get(flow), flowSizesBytes[flow]);
            }
        }
        return new FlowSetPool(flowSizesBytes, segments, this);
    }

    private static String needed(long[] flowSizesBytes) {
        return "The device needs flow sets of "
                + (flowSizesBytes.length == 1 ? "1 flow with " : flowSizesBytes.length + " flows with ")
                + Arrays.stream(flowSizesBytes).mapToObj(Long::toUnsignedString).collect(Collectors.joining(", "))
                + " bytes, each at a multiple of " + FlowMemory.ALIGNMENT_BYTES;
    }

    void hold() {
        if (holds.getAndIncrement() == 0) {
            throw new IllegalStateException("The memory was given back to its user");
        }
    }

    /** Ends a hold. */
    public void release() {
        if (holds.decrementAndGet() != 0) {
            return;
        }
        files.forEach(MappedFile::release);
        try {
            onRelease.run();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "What is called on the release of flow sets failed", e);
        }
    }

    /** Files among the memory, which must not be unmapped while it is in use. */
    private static List<MappedFile> holdFiles(List<List<FlowMemory>> sets) {
        List<MappedFile> held = new ArrayList<>();
        try {
            sets.stream()
                    .flatMap(List::stream)
                    .map(FlowMemory::owner)
                    .filter(MappedFile.class::isInstance)
                    .map(MappedFile.class::cast)
                    .distinct()
                    .forEach(file -> {
                        file.hold();
                        held.add(file);
                    });
            return held;
        } catch (IllegalStateException e) {
            held.forEach(MappedFile::release);
            throw new StreamException(e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "ExternalMemory[" + sets.size() + " flow sets, " + holds.get() + " holds]";
    }
}
