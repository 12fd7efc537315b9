package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The port of a device, with the bytes known of what lies behind it. Registers that share an address share them too. */
final class DevicePortNode extends PortNode {
    private final Optional<Port> port;
    private final Map<Long, byte[]> known = new TreeMap<>();

    DevicePortNode(NodeMap map, Element element, String name, Optional<Port> port) {
        super(map, element, name);
        this.port = port;
    }

    private Port port() {
        return port.orElseThrow(() -> new GenApiAccessException("The port " + name + " is not connected"));
    }

    @Override
    AccessMode ownAccess() {
        return port.isPresent() ? AccessMode.RW : AccessMode.NI;
    }

    @Override
    void read(long address, ByteBuffer destination) {
        port().read(address, destination);
    }

    @Override
    void write(long address, ByteBuffer source) {
        port().write(address, source);
    }

    @Override
    byte[] cached(long address, int length) {
        byte[] bytes = known.get(address);
        return bytes != null && bytes.length == length ? bytes : null;
    }

    @Override
    void store(long address, byte[] bytes) {
        known.put(address, bytes);
    }

    @Override
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
