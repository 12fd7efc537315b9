package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes behind a register node: where they are, and how they are cached (R6, R7, R12, R13). */
final class RegisterAccess {
    private static final int MAX_LENGTH = 64 << 20;
    /** Larger registers are files and tables, which are not worth remembering. */
    private static final int MAX_CACHED_LENGTH = 64 << 10;
    /** A register at a computed address that was at more places than this drops all that its port knows. */
    private static final int MAX_PLACES = 256;

    /** Part of an address that is not a literal. */
    private interface Term {
        long value();

        AccessMode access();

        CachingMode caching();
    }

    private record Linked(RegisterAccess register, Link link) implements Term {
        @Override
        public long value() {
            return link.number().readLong();
        }

        @Override
        public AccessMode access() {
            return link.access();
        }

        @Override
        public CachingMode caching() {
            BaseNode node = link.nodeOrNull();
            return node == null ? CachingMode.WRITE_THROUGH : node.cachingOnce();
        }
    }

    /** An index and the bytes from one to the next: a literal, another node, or the length of the register. */
    private record Indexed(
            RegisterAccess register,
            Linked index,
            @Nullable Long offset,
            @Nullable Linked linkedOffset) implements Term {
        @Override
        public long value() {
            long step = offset != null ? offset : linkedOffset != null ? linkedOffset.value() : register.length();
            return index.value() * step;
        }

        @Override
        public AccessMode access() {
            AccessMode mode = index.access();
            return linkedOffset == null ? mode : mode.and(linkedOffset.access());
        }

        @Override
        public CachingMode caching() {
            CachingMode mode = index.caching();
            return linkedOffset == null ? mode : mode.weaker(linkedOffset.caching());
        }
    }

    private record Knife(FormulaNode.OfInteger formula) implements Term {
        @Override
        public long value() {
            return formula.readLong();
        }

        @Override
        public AccessMode access() {
            return formula.access();
        }

        @Override
        public CachingMode caching() {
            return formula.cachingOnce();
        }
    }

    private final BaseNode node;
    private final long literalAddress;
    private final List<Term> terms = new ArrayList<>(0);
    private final long literalLength;
    private final @Nullable Linked linkedLength;
    private final @Nullable Link port;
    private final boolean bigEndian;
    private final AccessMode declared;
    private final CachingMode cachable;
    private final List<CacheLine> places = new ArrayList<>(1);
    private @Nullable CacheLine last;
    private @Nullable CacheLine scratch;
    private @Nullable CachingMode effective;

    RegisterAccess(BaseNode node) {
        this.node = node;
        Element element = node.element;
        long sum = 0;
        for (Element child : element.children()) {
            switch (child.name()) {
                case "Address" -> sum += Numbers.parseLong(node.name, child.text());
                case "pAddress" -> terms.add(new Linked(this, new Link(node, child.text())));
                case "IntSwissKnife" ->
                    terms.add(new Knife(new FormulaNode.OfInteger(node.context, child, node.name + ".Address")));
                case "pIndex" -> {
                    String literal = child.attributeOrNull("Offset");
                    String linked = child.attributeOrNull("pOffset");
                    terms.add(new Indexed(
                            this,
                            new Linked(this, new Link(node, child.text())),
                            literal == null ? null : Numbers.parseLong(node.name, literal),
                            linked == null ? null : new Linked(this, new Link(node, linked))));
                }
                default -> {}
            }
        }
        literalAddress = sum;
        literalLength = Numbers.parseLong(node.name, element.valueOrNull("Length"), -1);
        Link length = node.link("pLength");
        linkedLength = length == null ? null : new Linked(this, length);
        port = node.link("pPort");
        if (port == null) {
            node.context.problem(node.name, "the register has no pPort, and is not implemented");
        }
        bigEndian = element.says("Endianess", "BigEndian") || node.context.bigEndianOnly;
        String access = element.valueOrNull("AccessMode");
        declared = access == null ? AccessMode.RO : BaseNode.parseAccess(access);
        // A float is not always stored as it was written, so that what was written is not what is read (R6).
        String absent = element.name().equals("FloatReg") ? "WriteAround" : "WriteThrough";
        String stated = element.valueOrNull("Cachable");
        cachable = switch (stated == null ? absent : stated) {
            case "NoCache" -> CachingMode.NO_CACHE;
            case "WriteAround" -> CachingMode.WRITE_AROUND;
            default -> CachingMode.WRITE_THROUGH;
        };
    }

    AccessMode access() {
        if (port == null) {
            return AccessMode.NI;
        }
        AccessMode mode = declared.and(port.access());
        for (Term term : terms) {
            mode = mode.and(needed(term));
        }
        return linkedLength != null && literalLength < 0 ? mode.and(needed(linkedLength)) : mode;
    }

    /** What must be read to find the register is there like the register, or it is not. */
    private static AccessMode needed(Term term) {
        AccessMode mode = term.access();
        return mode.readable() ? AccessMode.RW : mode == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
    }

    long address() {
        long sum = literalAddress;
        for (Term term : terms) {
            sum += term.value();
        }
        return sum;
    }

    long length() {
        if (literalLength < 0 && linkedLength == null) {
            throw new GenApiException("Node " + node.name + " has no length");
        }
        long length = literalLength >= 0 ? literalLength : linkedLength.value();
        if (length < 0 || length > MAX_LENGTH) {
            throw new GenApiException("Node " + node.name + " has a length of " + length + " bytes: at most "
                    + MAX_LENGTH + " are possible");
        }
        return length;
    }

    boolean bigEndian() {
        return bigEndian;
    }

    private AbstractPort port() {
        if (node.required(port, "pPort").node() instanceof AbstractPort found) {
            return found;
        }
        throw new GenApiException("Node " + node.name + " has a pPort that is no port");
    }

    CachingMode caching() {
        if (effective == null) {
            CachingMode mode = cachable;
            for (Term term : terms) {
                mode = mode.weaker(term.caching());
            }
            if (linkedLength != null) {
                mode = mode.weaker(linkedLength.caching());
            }
            effective = mode;
        }
        return effective;
    }

    private boolean cached(AbstractPort where, int length) {
        return length <= MAX_CACHED_LENGTH && where.caches() && caching() != CachingMode.NO_CACHE;
    }

    /** The line of the register's present place. */
    private CacheLine line(AbstractPort where) {
        boolean moves = !terms.isEmpty() || literalLength < 0;
        if (!moves && last != null && !last.gone) {
            return last;
        }
        long address = address();
        int length = (int) length();
        if (last != null && !last.gone && last.address == address && last.length == length) {
            return last;
        }
        CacheLine line;
        if (cached(where, length)) {
            line = where.line(address, length, !moves);
            remember(line, where);
        } else {
            line = scratch;
            if (line == null || line.length != length || line.address != address) {
                line = new CacheLine(address, length);
                scratch = line;
            }
            line.valid = false;
        }
        last = line;
        return line;
    }

    private void remember(CacheLine line, AbstractPort where) {
        if (!places.contains(line)) {
            if (places.size() >= MAX_PLACES) {
                where.dropCache();
                places.clear();
            }
            places.add(line);
        }
    }

    /** The bytes as they are known or, when they are not, as the device gives them. Not to be kept or changed. */
    CacheLine read() {
        node.context.operations.work();
        AbstractPort where = port();
        CacheLine line = line(where);
        if (line.valid) {
            return line;
        }
        boolean remembered = cached(where, line.length);
        if (!remembered) {
            node.context.freshness.passing();
        }
        if (where instanceof DevicePortNode device) {
            node.context.missing.needs(device, line, remembered);
        }
        try {
            line.view.clear();
            where.readBytes(line.address, line.view);
        } catch (GenApiAccessException e) {
            throw e;
        } catch (RuntimeException e) {
            throw where.failure("Node " + node.name + " could not be read: " + e.getMessage(), e);
        }
        if (line.view.hasRemaining()) {
            throw new GenApiException("Node " + node.name + " could not be read: the port gave " + line.view.position()
                    + " of " + line.length + " bytes");
        }
        line.valid = remembered;
        return line;
    }

    /** Bytes to be changed and then written: those known or, where they are not and can be read, the device's. */
    byte[] bytesToChange() {
        AbstractPort where = port();
        CacheLine line = line(where);
        if (line.valid) {
            return line.bytes.clone();
        }
        return declared.readable() ? read().bytes.clone() : new byte[line.length];
    }

    void write(byte[] bytes) {
        node.context.operations.work();
        AbstractPort where = port();
        CacheLine line = line(where);
        try {
            where.writeBytes(line.address, ByteBuffer.wrap(bytes.clone()));
        } catch (GenApiAccessException e) {
            throw e;
        } catch (RuntimeException e) {
            throw where.failure("Node " + node.name + " could not be written: " + e.getMessage(), e);
        }
        // What overlaps is no longer known. A failed write has left everything as it was (R7).
        if (caching() == CachingMode.WRITE_THROUGH && cached(where, bytes.length) && line.length == bytes.length) {
            where.drop(line.address, bytes.length, line);
            System.arraycopy(bytes, 0, line.bytes, 0, bytes.length);
            line.valid = true;
        } else {
            where.drop(line.address, bytes.length, null);
            line.valid = false;
        }
        node.context.changes.changed(node);
    }

    void drop() {
        node.context.freshness.changed();
        for (CacheLine line : places) {
            line.valid = false;
        }
    }
}
