package io.peregrine.genapi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** String: an own text, or that of another node. */
final class StringImpl extends BaseNode implements StringNode {
    private final boolean literal;
    private String own;

    StringImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        literal = element.has("Value");
        own = element.rawValue("Value").orElse("");
    }

    @Override
    AccessMode ownAccess() {
        if (pValue != null) {
            return pValue.access();
        }
        return literal ? AccessMode.RW : AccessMode.NI;
    }

    @Override
    boolean hasValue() {
        return true;
    }

    @Override
    void readValue() {
        if (pValue != null) {
            pValue.node().readValue();
        }
    }

    @Override
    public String value() {
        return operate(() -> {
            checkReadable();
            return pValue != null ? pValue.node().valueAsText() : own;
        });
    }

    @Override
    public void set(String value) {
        run(() -> {
            checkWritable();
            writing(true, () -> {
                if (pValue != null) {
                    pValue.node().setFromText(value);
                } else {
                    own = value;
                }
                context.changes.changed(this);
            });
        });
    }

    @Override
    public long maxLengthBytes() {
        return operateLong(() -> pValue != null && pValue.node() instanceof StringNode below && below != this
                ? below.maxLengthBytes()
                : Long.MAX_VALUE);
    }

    @Override
    public String valueAsText() {
        return value();
    }

    @Override
    public void setFromText(String text) {
        set(text);
    }

    /** StringReg: a text in the bytes of a register, up to the first zero (R13). */
    static final class InRegister extends RegisterBase implements StringNode {
        InRegister(NodeContext context, Element element, String name) {
            super(context, element, name);
        }

        @Override
        public String value() {
            return operate(() -> {
                checkReadable();
                CacheLine line = register.read();
                int end = 0;
                while (end < line.length && line.bytes[end] != 0) {
                    end++;
                }
                return new String(line.bytes, 0, end, StandardCharsets.UTF_8);
            });
        }

        @Override
        public void set(String value) {
            run(() -> {
                checkWritable();
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                int length = (int) register.length();
                if (bytes.length > length) {
                    throw new GenApiRangeException("Node " + name + " takes texts of up to " + length
                            + " bytes, this one has " + bytes.length);
                }
                writing(true, () -> register.write(Arrays.copyOf(bytes, length)));
            });
        }

        @Override
        public long maxLengthBytes() {
            return operateLong(() -> register.length());
        }

        @Override
        public String valueAsText() {
            return value();
        }

        @Override
        public void setFromText(String text) {
            set(text);
        }
    }
}
