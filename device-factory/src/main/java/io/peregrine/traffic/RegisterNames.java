package io.peregrine.traffic;

import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.RegisterBacked;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Names of a device's registers by its GenICam XML. Where an address depends on a selector, it is that of the first
 * selection.
 */
final class RegisterNames {
    /** Links from a feature to its register. */
    private static final int MAX_LINKS = 8;

    private static final long MAX_REGISTER_BYTES = 1 << 20;

    private record Named(String name, long lengthBytes) {}

    /** All registers hold 0. */
    private static final Port ZERO = new Port() {
        @Override
        public void read(long address, ByteBuffer destination) {
            while (destination.hasRemaining()) {
                destination.put((byte) 0);
            }
        }

        @Override
        public void write(long address, ByteBuffer source) {
            source.position(source.limit());
        }
    };

    private final TreeMap<Long, Named> names = new TreeMap<>();

    private RegisterNames() {}

    /** No names. */
    static RegisterNames none() {
        return new RegisterNames();
    }

    /**
     * Those of a description, zipped or not.
     *
     * @throws GenApiException if it is none
     */
    static RegisterNames of(byte[] xml) {
        NodeMap nodes = NodeMap.load(xml, ZERO);
        RegisterNames names = new RegisterNames();
        // Features first: their names say more than those of the registers behind them.
        nodes.features().forEach(feature -> register(nodes, feature).ifPresent(node -> names.add(feature, node)));
        for (Node node : nodes.nodes()) {
            if (node instanceof RegisterBacked register) {
                names.add(node, register);
            }
        }
        return names;
    }

    private static Optional<RegisterBacked> register(NodeMap nodes, Node feature) {
        Node node = feature;
        for (int i = 0; i < MAX_LINKS; i++) {
            if (node instanceof RegisterBacked register) {
                return Optional.of(register);
            }
            Optional<Node> next = node.property("pValue").flatMap(nodes::find);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            node = next.get();
        }
        return Optional.empty();
    }

    private void add(Node feature, RegisterBacked register) {
        try {
            long length = register.lengthBytes();
            if (length > 0 && length <= MAX_REGISTER_BYTES) {
                names.putIfAbsent(register.address(), new Named(feature.name(), length));
            }
        } catch (GenApiException e) {
            // It has no address without the device; the register stays without a name.
        }
    }

    /** Name of the feature or register that an address belongs to. */
    Optional<String> name(long address) {
        Map.Entry<Long, Named> entry = names.floorEntry(address);
        return entry != null && address - entry.getKey() < entry.getValue().lengthBytes
                ? Optional.of(entry.getValue().name)
                : Optional.empty();
    }

    int count() {
        return names.size();
    }
}
