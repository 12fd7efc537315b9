package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Float and FloatReg: a value of its own, of another node, or in the bytes of a register. */
final class FloatImpl extends BaseNode implements FloatNode, NumberNode, RegisterBacked {
    private final RegisterAccess register;
    private final boolean inRegister;
    private double own;

    FloatImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        inRegister = element.name().equals("FloatReg");
        register = new RegisterAccess(this);
        own = element.value("Value")
                .map(text -> Numbers.parseDouble(name, text))
                .orElse(0.0);
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
    public boolean isFloat() {
        return true;
    }

    @Override
    public double readDouble() {
        if (inRegister) {
            ByteBuffer bytes = ByteBuffer.wrap(register.read())
                    .order(register.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            return switch (bytes.remaining()) {
                case 4 -> bytes.getFloat();
                case 8 -> bytes.getDouble();
                default ->
                    throw new GenApiException(
                            "Node " + name + " is a float of " + bytes.remaining() + " bytes: 4 or 8 are possible");
            };
        }
        return element.first("pValue").isPresent() ? number("pValue").readDouble() : own;
    }

    @Override
    public long readLong() {
        return NumberNode.round(name, readDouble());
    }

    @Override
    public void writeDouble(double value) {
        if (inRegister) {
            int length = (int) register.length();
            ByteBuffer bytes = ByteBuffer.allocate(length)
                    .order(register.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            if (length == 4) {
                bytes.putFloat((float) value);
            } else if (length == 8) {
                bytes.putDouble(value);
            } else {
                throw new GenApiException("Node " + name + " is a float of " + length + " bytes: 4 or 8 are possible");
            }
            register.write(bytes.array());
        } else if (element.first("pValue").isPresent()) {
            number("pValue").writeDouble(value);
            changed();
        } else {
            own = value;
            changed();
        }
    }

    @Override
    public void writeLong(long value) {
        writeDouble((double) value);
    }

    @Override
    public double lowestDouble() {
        double below = element.first("pValue").isPresent() ? number("pValue").lowestDouble() : -Double.MAX_VALUE;
        return Math.max(below, limit("Min", "pMin", below));
    }

    @Override
    public double highestDouble() {
        double below = element.first("pValue").isPresent() ? number("pValue").highestDouble() : Double.MAX_VALUE;
        return Math.min(below, limit("Max", "pMax", below));
    }

    private double limit(String literal, String linked, double absent) {
        Optional<String> text = element.value(literal);
        if (text.isPresent()) {
            return Numbers.parseDouble(name, text.get());
        }
        return link(linked).orElse(null) instanceof NumberNode number && number.readable()
                ? number.readDouble()
                : absent;
    }

    @Override
    public long lowestLong() {
        return (long) Math.ceil(lowestDouble());
    }

    @Override
    public long highestLong() {
        return (long) Math.floor(highestDouble());
    }

    @Override
    public double value() {
        return locked(() -> {
            checkReadable();
            return readDouble();
        });
    }

    @Override
    public void set(double value) {
        lockedRun(() -> {
            checkWritable();
            checkRange(this, name, value);
            writeDouble(value);
        });
    }

    static void checkRange(NumberNode node, String name, double value) {
        double low = node.lowestDouble();
        double high = node.highestDouble();
        if (!(value >= low && value <= high)) {
            throw new GenApiRangeException(
                    "Node " + name + " does not take " + value + ": it takes " + low + " to " + high);
        }
    }

    @Override
    public double min() {
        return locked(this::lowestDouble);
    }

    @Override
    public double max() {
        return locked(this::highestDouble);
    }

    @Override
    public String valueAsText() {
        return Double.toString(value());
    }

    @Override
    public void setFromText(String text) {
        set(Numbers.parseDouble(name, text));
    }
}
