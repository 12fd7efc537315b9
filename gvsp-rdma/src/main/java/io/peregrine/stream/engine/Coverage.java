package io.peregrine.stream.engine;

import io.peregrine.stream.ByteRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Received byte ranges of one flow: sorted, disjoint, merged where they touch. Grows only with the number of gaps. */
public final class Coverage {
    private long[] starts = new long[8];
    private long[] ends = new long[8];
    private int count;
    private long bytes;

    /** Creates an empty coverage. */
    public Coverage() {}

    /** Forgets all ranges. */
    public void clear() {
        count = 0;
        bytes = 0;
    }

    /** Number of different bytes in the ranges. */
    public long bytes() {
        return bytes;
    }

    /** End of the last range; 0 if there is none. */
    public long end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    /** Adds the range from start (inclusive) to end (exclusive). */
    public void add(long start, long end) {
        if (end <= start) {
            return;
        }
        // In order arrival extends the last range: the common case.
        if (count > 0 && start >= starts[count - 1] && start <= ends[count - 1]) {
            if (end > ends[count - 1]) {
                bytes += end - ends[count - 1];
                ends[count - 1] = end;
            }
            return;
        }
        int first = firstEndingAtOrAfter(start);
        int next = first;
        long mergedStart = start;
        long mergedEnd = end;
        while (next < count && starts[next] <= end) {
            mergedStart = Math.min(mergedStart, starts[next]);
            mergedEnd = Math.max(mergedEnd, ends[next]);
            bytes -= ends[next] - starts[next];
            next++;
        }
        int newCount = count - (next - first) + 1;
        if (newCount > starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
            ends = Arrays.copyOf(ends, ends.length * 2);
        }
        System.arraycopy(starts, next, starts, first + 1, count - next);
        System.arraycopy(ends, next, ends, first + 1, count - next);
        starts[first] = mergedStart;
        ends[first] = mergedEnd;
        count = newCount;
        bytes += mergedEnd - mergedStart;
    }

    /** Whether every byte from start (inclusive) to end (exclusive) is there. */
    public boolean covers(long start, long end) {
        if (end <= start) {
            return true;
        }
        int i = firstEndingAtOrAfter(end);
        return i < count && starts[i] <= start;
    }

    /** What is there between start (inclusive) and end (exclusive), in order. */
    List<ByteRange> within(long start, long end) {
        List<ByteRange> found = new ArrayList<>();
        for (int i = firstEndingAtOrAfter(start); i < count && starts[i] < end; i++) {
            long from = Math.max(start, starts[i]);
            long to = Math.min(end, ends[i]);
            if (from < to) {
                found.add(new ByteRange(from, to - from));
            }
        }
        return found;
    }

    /** Index of the first range whose end is not before a position: only that one and later ones can touch it. */
    private int firstEndingAtOrAfter(long position) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
