package io.peregrine.gendc;

/** Checks of all parts together: the numbers of the flows, where flows begin, and data that lies on other data. */
final class PlaceChecks {
    private final Problems problems;
    private GenDcPart[] parts = GenDcPart.NONE;
    private int partCount;
    private GenDcPart[] sorted = GenDcPart.NONE;

    PlaceChecks(Problems problems) {
        this.problems = problems;
    }

    /**
     * Checks the parts of a container.
     *
     * @param of some parts, the first of which are meant
     * @param count number of those
     * @param severalFlows whether any of them is in another flow than the first
     */
    void check(GenDcPart[] of, int count, boolean severalFlows) {
        parts = of;
        partCount = count;
        if (severalFlows) {
            checkFlows();
        }
        checkOverlap();
    }

    /** Flow ids run from 0 without holes, and each flow is one run of the linear container. */
    private void checkFlows() {
        int count = sort(true, true);
        int last = sorted[count - 1].flowId();
        int flow = 0;
        boolean found = false;
        for (int i = 0; i < count && !found; i++) {
            int id = sorted[i].flowId();
            if (id > flow + 1) {
                problems.warn(-1, -1, "flow {} is not used, but flow {} is", flow + 1, last);
                found = true;
            }
            flow = id;
        }
        checkFlowBases(count);
    }

    /** Over parts sorted by flow. */
    private void checkFlowBases(int count) {
        int id = 0;
        long start = 0;
        for (int i = 0; i < count; i++) {
            GenDcPart part = sorted[i];
            // Flow 0 is checked with each part: there, both offsets are the same.
            if (part.flowId() == 0 || !part.usable() || part.dataSize() == 0) {
                continue;
            }
            long begins = part.dataOffset() - part.flowOffset();
            if (part.flowId() != id) {
                id = part.flowId();
                start = begins;
            } else if (begins != start) {
                problems.warn(
                        part.componentIndex(),
                        part.partIndex(),
                        "flow {} begins at {} by this part, at {} by an earlier one",
                        id,
                        begins,
                        start);
            }
        }
    }

    private void checkOverlap() {
        int count = sort(false, false);
        long end = 0;
        for (int i = 0; i < count; i++) {
            GenDcPart part = sorted[i];
            if (part.dataOffset() < end) {
                problems.warn(
                        part.componentIndex(),
                        part.partIndex(),
                        "data at {} overlaps that of another part",
                        part.dataOffset());
            }
            end = Math.max(end, part.dataOffset() + part.dataSize());
        }
    }

    /** Fills the array of sorted parts, by flow or by place, and returns how many there are. */
    private int sort(boolean byFlow, boolean all) {
        if (sorted.length < partCount) {
            sorted = new GenDcPart[parts.length];
        }
        int count = 0;
        boolean inOrder = true;
        for (int i = 0; i < partCount; i++) {
            GenDcPart part = parts[i];
            if (all || (part.usable() && part.dataSize() > 0)) {
                sorted[count] = part;
                inOrder &= count == 0 || !less(part, sorted[count - 1], byFlow);
                count++;
            }
        }
        if (!inOrder) {
            // The JDK's sorts of objects allocate.
            for (int i = count / 2 - 1; i >= 0; i--) {
                siftDown(i, count, byFlow);
            }
            for (int i = count - 1; i > 0; i--) {
                swap(0, i);
                siftDown(0, i, byFlow);
            }
        }
        return count;
    }

    private void siftDown(int start, int count, boolean byFlow) {
        int at = start;
        for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
            if (child + 1 < count && less(sorted[child], sorted[child + 1], byFlow)) {
                child++;
            }
            if (!less(sorted[at], sorted[child], byFlow)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int i, int j) {
        GenDcPart part = sorted[i];
        sorted[i] = sorted[j];
        sorted[j] = part;
    }

    private static boolean less(GenDcPart a, GenDcPart b, boolean byFlow) {
        int order = byFlow ? Integer.compare(a.flowId(), b.flowId()) : Long.compare(a.dataOffset(), b.dataOffset());
        if (order == 0) {
            order = Integer.compare(a.componentIndex(), b.componentIndex());
        }
        return order == 0 ? a.partIndex() < b.partIndex() : order < 0;
    }
}
