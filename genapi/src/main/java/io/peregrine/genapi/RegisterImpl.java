package io.peregrine.genapi;

import java.util.HexFormat;

/** Register: plain bytes. */
final class RegisterImpl extends BaseNode implements RegisterNode, RegisterBacked {
    private final RegisterAccess register;

    RegisterImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        register = new RegisterAccess(this);
    }

    @Override
    public RegisterAccess register() {
        return register;
    }

    @Override
    AccessMode ownAccess() {
        return register.access();
    }

    @Override
    void dropCache() {
        register.drop();
    }

    @Override
    CachingMode caching() {
        return register.caching();
    }

    @Override
    public byte[] value() {
        map.enter(this);
        try {
            checkReadable();
            return register.read().bytes.clone();
        } finally {
            map.exit();
        }
    }

    @Override
    public void set(byte[] value) {
        map.enter(this);
        try {
            checkWritable();
            if (value.length != register.length()) {
                throw new GenApiRangeException(
                        "Node " + name + " takes " + register.length() + " bytes, not " + value.length);
            }
            writing(true, () -> register.write(value));
        } finally {
            map.exit();
        }
    }

    @Override
    public long address() {
        map.enter(this);
        try {
            return register.address();
        } finally {
            map.exit();
        }
    }

    @Override
    public long lengthBytes() {
        map.enter(this);
        try {
            return register.length();
        } finally {
            map.exit();
        }
    }

    @Override
    public String valueAsText() {
        return "0x" + HexFormat.of().formatHex(value());
    }

    @Override
    public void setFromText(String text) {
        try {
            String digits = text.strip();
            set(HexFormat.of()
                    .parseHex(digits.startsWith("0x") || digits.startsWith("0X") ? digits.substring(2) : digits));
        } catch (IllegalArgumentException e) {
            throw new GenApiRangeException("Node " + name + " takes bytes as pairs of hexadecimal digits");
        }
    }
}
