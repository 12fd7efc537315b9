package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The port of a device, with the bytes known of what lies behind it. Registers that share an address share them too.
 */
final class DevicePortNode extends AbstractPort implements MissingLines.Source, Freshness.Watched {
    private static final int MAX_PASSING_LINES = 20_000;

    private final @Nullable Port port;
    /** Lines by address; those of one address and different lengths in a list. */
    private final TreeMap<Long, List<CacheLine>> lines = new TreeMap<>();

    private AccessMode lastAccess = AccessMode.NI;
    private int longest;
    private int passing;

    DevicePortNode(NodeContext context, Element element, String name, @Nullable Port port) {
        super(context, element, name);
        this.port = port;
        context.freshness.watch(this);
    }

    Port port() {
        if (port == null) {
            throw new GenApiAccessException("The port " + name + " is not connected");
        }
        return port;
    }

    @Override
    public void check() {
        ownAccess();
    }

    @Override
    AccessMode ownAccess() {
        AccessMode now = port == null ? AccessMode.NI : port.accessMode();
        if (now != lastAccess) {
            // It changes by itself, and what was calculated until now holds no longer.
            lastAccess = now;
            context.freshness.changed();
        }
        return now;
    }

    @Override
    void readBytes(long address, ByteBuffer destination) {
        port().read(address, destination);
    }

    @Override
    void writeBytes(long address, ByteBuffer source) {
        port().write(address, source);
    }

    @Override
    RuntimeException failure(String message, RuntimeException cause) {
        return port().failure(message, cause);
    }

    @Override
    boolean caches() {
        return true;
    }

    @Override
    CacheLine line(long address, int length, boolean forGood) {
        List<CacheLine> same = lines.get(address);
        if (same != null) {
            for (CacheLine line : same) {
                if (line.length == length) {
                    return line;
                }
            }
        }
        if (!forGood) {
            // Addresses that are computed can go anywhere: what they leave behind is bounded.
            if (++passing > MAX_PASSING_LINES) {
                forgetLines();
            }
        }
        CacheLine line = new CacheLine(address, length);
        lines.computeIfAbsent(address, key -> new ArrayList<>(1)).add(line);
        longest = Math.max(longest, length);
        return line;
    }

    private void forgetLines() {
        context.freshness.changed();
        lines.values()
                .forEach(same -> same.forEach(line -> {
                    line.valid = false;
                    line.gone = true;
                }));
        lines.clear();
        passing = 0;
        longest = 0;
    }

    @Override
    void drop(long address, long length, @Nullable CacheLine kept) {
        context.freshness.changed();
        long first = address - longest < address ? address - longest : Long.MIN_VALUE;
        long end = address + length > address ? address + length : Long.MAX_VALUE;
        Iterator<Map.Entry<Long, List<CacheLine>>> entries =
                lines.subMap(first, true, end, false).entrySet().iterator();
        while (entries.hasNext()) {
            for (CacheLine line : entries.next().getValue()) {
                if (line != kept && line.address < end && address < line.address + line.length) {
                    line.valid = false;
                }
            }
        }
    }

    @Override
    void dropCache() {
        context.freshness.changed();
        lines.values().forEach(same -> same.forEach(line -> line.valid = false));
    }

    @Override
    public int fetch(Set<CacheLine> needed, Set<CacheLine> unreadable) {
        List<Port.Request> requests = new ArrayList<>(needed.size());
        for (CacheLine line : needed) {
            requests.add(new Port.Request(line.address, line.view.clear()));
        }
        try {
            port().read(requests);
            needed.forEach(line -> line.valid = !line.view.hasRemaining());
            return needed.size();
        } catch (RuntimeException e) {
            int fetched = 0;
            for (CacheLine line : needed) {
                try {
                    port().read(line.address, line.view.clear());
                    line.valid = !line.view.hasRemaining();
                    fetched++;
                } catch (RuntimeException failed) {
                    unreadable.add(line);
                }
            }
            return fetched;
        }
    }
}
