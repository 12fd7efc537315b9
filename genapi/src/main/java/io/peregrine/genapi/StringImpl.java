package io.peregrine.genapi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** String: a text of its own or of another node. */
final class StringImpl extends BaseNode implements StringNode {
    private final boolean literal;
    private String own;

    StringImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        literal = element.first("Value").isPresent();
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
        map.enter(this);
        try {
            checkReadable();
            return pValue != null ? pValue.node().valueAsText() : own;
        } finally {
            map.exit();
        }
    }

    @Override
    public void set(String value) {
        map.enter(this);
        try {
            checkWritable();
            writing(true, () -> {
                if (pValue != null) {
                    pValue.node().setFromText(value);
                } else {
                    own = value;
                }
                map.changed(this);
            });
        } finally {
            map.exit();
        }
    }

    @Override
    public long maxLengthBytes() {
        map.enter(this);
        try {
            return pValue != null && pValue.node() instanceof StringNode below && below != this
                    ? below.maxLengthBytes()
                    : Long.MAX_VALUE;
        } finally {
            map.exit();
        }
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
        InRegister(NodeMap map, Element element, String name) {
            super(map, element, name);
        }

        @Override
        public String value() {
            map.enter(this);
            try {
                checkReadable();
                CacheLine line = register.read();
                int end = 0;
                while (end < line.length && line.bytes[end] != 0) {
                    end++;
                }
                return new String(line.bytes, 0, end, StandardCharsets.UTF_8);
            } finally {
                map.exit();
            }
        }

        @Override
        public void set(String value) {
            map.enter(this);
            try {
                checkWritable();
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                int length = (int) register.length();
                if (bytes.length > length) {
                    throw new GenApiRangeException("Node " + name + " takes texts of up to " + length
                            + " bytes, this one has " + bytes.length);
                }
                writing(true, () -> register.write(Arrays.copyOf(bytes, length)));
            } finally {
                map.exit();
            }
        }

        @Override
        public long maxLengthBytes() {
            map.enter(this);
            try {
                return register.length();
            } finally {
                map.exit();
            }
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
