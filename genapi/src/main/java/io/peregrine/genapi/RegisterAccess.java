package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The bytes behind a register node: where they are, and how they are cached (R6, R7, R12, R13). */
final class RegisterAccess {
    private static final int MAX_LENGTH = 64 << 20;

    private enum Caching {
        NO_CACHE,
        WRITE_AROUND,
        WRITE_THROUGH;

        Caching weaker(Caching other) {
            return ordinal() < other.ordinal() ? this : other;
        }
    }

    private final BaseNode node;
    private final Optional<FormulaNode.OfInteger> embeddedAddress;

    RegisterAccess(BaseNode node) {
        this.node = node;
        embeddedAddress = node.element
                .first("IntSwissKnife")
                .map(knife -> new FormulaNode.OfInteger(node.map, knife, node.name + ".Address"));
    }

    AccessMode access() {
        AccessMode declared =
                node.element.value("AccessMode").map(BaseNode::parseAccess).orElse(AccessMode.RO);
        Optional<BaseNode> port = node.link("pPort");
        if (port.isEmpty()) {
            return AccessMode.NI;
        }
        AccessMode mode = declared.and(port.get().access());
        for (String child : List.of("pAddress", "pIndex", "pLength")) {
            for (BaseNode part : node.links(child)) {
                if (!part.access().readable()) {
                    return mode == AccessMode.NI ? mode : AccessMode.NA;
                }
            }
        }
        return mode;
    }

    long address() {
        long sum = 0;
        for (Element child : node.element.children()) {
            switch (child.name()) {
                case "Address" -> sum += Numbers.parseLong(node.name, child.text());
                case "pAddress" -> sum += value(child.text());
                case "IntSwissKnife" -> sum += embeddedAddress.orElseThrow().readLong();
                case "pIndex" -> {
                    long offset = child.attribute("Offset")
                            .map(text -> Numbers.parseLong(node.name, text))
                            .or(() -> child.attribute("pOffset").map(this::value))
                            .orElseGet(this::length);
                    sum += value(child.text()) * offset;
                }
                default -> {}
            }
        }
        return sum;
    }

    long length() {
        Optional<String> literal = node.element.value("Length");
        long length = literal.isPresent()
                ? Numbers.parseLong(node.name, literal.get())
                : node.number("pLength").readLong();
        if (length < 0 || length > MAX_LENGTH) {
            throw new GenApiException("Node " + node.name + " has a length of " + length + " bytes: at most "
                    + MAX_LENGTH + " are possible");
        }
        return length;
    }

    boolean bigEndian() {
        return node.element.value("Endianess").orElse("LittleEndian").equals("BigEndian") || node.map.bigEndianOnly();
    }

    private long value(String target) {
        BaseNode source = node.map
                .base(target)
                .orElseThrow(() -> new GenApiAccessException(
                        "Node " + node.name + " refers to " + target + ", which is not in the camera description"));
        if (source instanceof NumberNode number) {
            return number.readLong();
        }
        throw new GenApiException("Node " + node.name + " uses " + target + " as a number");
    }

    private PortNode port() {
        if (node.required("pPort") instanceof PortNode port) {
            return port;
        }
        throw new GenApiException("Node " + node.name + " has a pPort that is no port");
    }

    private Caching caching() {
        Caching mode = declared(node);
        for (String child : List.of("pAddress", "pIndex")) {
            for (BaseNode part : node.links(child)) {
                if (part.element.first("Address").isPresent()) {
                    mode = mode.weaker(declared(part));
                }
            }
        }
        return mode;
    }

    private static Caching declared(BaseNode node) {
        String absent = node.element.name().equals("FloatReg") ? "WriteAround" : "WriteThrough";
        return switch (node.element.value("Cachable").orElse(absent)) {
            case "NoCache" -> Caching.NO_CACHE;
            case "WriteAround" -> Caching.WRITE_AROUND;
            default -> Caching.WRITE_THROUGH;
        };
    }

    byte[] read() {
        long address = address();
        int length = (int) length();
        PortNode port = port();
        boolean cached = caching() != Caching.NO_CACHE;
        if (cached) {
            byte[] known = port.cached(address, length);
            if (known != null) {
                return known.clone();
            }
        }
        byte[] bytes = new byte[length];
        try {
            port.read(address, ByteBuffer.wrap(bytes));
        } catch (GenApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new GenApiException("Node " + node.name + " could not be read: " + e.getMessage(), e);
        }
        if (cached) {
            port.store(address, bytes.clone());
        }
        return bytes;
    }

    void write(byte[] bytes) {
        long address = address();
        PortNode port = port();
        try {
            port.write(address, ByteBuffer.wrap(bytes.clone()));
        } catch (GenApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new GenApiException("Node " + node.name + " could not be written: " + e.getMessage(), e);
        }
        port.drop(address, bytes.length);
        if (caching() == Caching.WRITE_THROUGH) {
            port.store(address, bytes.clone());
        }
        node.changed();
    }

    void drop() {
        try {
            port().drop(address(), length());
        } catch (GenApiException e) {
            // An address that cannot be worked out now has nothing cached that could be found by it.
            node.link("pPort").ifPresent(BaseNode::dropCache);
        }
    }
}
