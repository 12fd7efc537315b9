package io.peregrine.genapi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** String and StringReg: a text of its own, of another node, or in the bytes of a register (R13). */
final class StringImpl extends BaseNode implements StringNode, RegisterBacked {
    private final RegisterAccess register;
    private final boolean inRegister;
    private String own;

    StringImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        inRegister = element.name().equals("StringReg");
        register = new RegisterAccess(this);
        own = element.value("Value").orElse("");
    }

    @Override
    public RegisterAccess register() {
        return register;
    }

    @Override
    AccessMode ownAccess() {
        if (inRegister) {
            return register.access();
        }
        Optional<BaseNode> target = link("pValue");
        if (target.isPresent()) {
            return target.get().access();
        }
        return element.first("Value").isPresent() ? AccessMode.RW : AccessMode.NI;
    }

    @Override
    void dropCache() {
        if (inRegister) {
            register.drop();
        }
    }

    @Override
    public String value() {
        return locked(() -> {
            checkReadable();
            if (inRegister) {
                byte[] bytes = register.read();
                int end = 0;
                while (end < bytes.length && bytes[end] != 0) {
                    end++;
                }
                return new String(bytes, 0, end, StandardCharsets.UTF_8);
            }
            return target().map(Node::valueAsText).orElse(own);
        });
    }

    @Override
    public void set(String value) {
        lockedRun(() -> {
            checkWritable();
            if (inRegister) {
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                int length = (int) register.length();
                if (bytes.length > length) {
                    throw new GenApiRangeException("Node " + name + " takes texts of up to " + length
                            + " bytes, this one has " + bytes.length);
                }
                register.write(Arrays.copyOf(bytes, length));
            } else {
                Optional<BaseNode> target = target();
                if (target.isPresent()) {
                    target.get().setFromText(value);
                } else {
                    own = value;
                }
                changed();
            }
        });
    }

    private Optional<BaseNode> target() {
        return link("pValue");
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
