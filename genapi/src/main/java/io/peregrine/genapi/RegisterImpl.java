package io.peregrine.genapi;

import java.util.HexFormat;

/** Register: plain bytes. */
final class RegisterImpl extends RegisterBase implements RegisterNode {
    RegisterImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
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
