package io.peregrine.genapi;

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A port, with the bytes known of what lies behind it. Registers that share an address share them too. */
final class PortNode extends BaseNode {
    private final Optional<Port> port;
    private final Map<Long, byte[]> known = new TreeMap<>();

    PortNode(NodeMap map, Element element, String name, Optional<Port> port) {
        super(map, element, name);
        this.port = port;
    }

    Port port() {
        return port.orElseThrow(() -> new GenApiAccessException("The port " + name + " is not connected"));
    }

    @Override
    AccessMode ownAccess() {
        return port.isPresent() ? AccessMode.RW : AccessMode.NI;
    }

    byte[] cached(long address, int length) {
        byte[] bytes = known.get(address);
        return bytes != null && bytes.length == length ? bytes : null;
    }

    void store(long address, byte[] bytes) {
        known.put(address, bytes);
    }

    /** Forgets everything that touches the range. */
    void drop(long address, long length) {
        Iterator<Map.Entry<Long, byte[]>> entries = known.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Long, byte[]> entry = entries.next();
            if (entry.getKey() < address + length && address < entry.getKey() + entry.getValue().length) {
                entries.remove();
            }
        }
    }

    @Override
    void dropCache() {
        known.clear();
    }
}
