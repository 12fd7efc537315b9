package io.peregrine.genapi;

/** IntReg, MaskedIntReg and the entries of StructReg: integers in the bytes of a register (R9, R10). */
final class IntegerRegister extends RegisterBase implements IntegerAccess {
    private final boolean masked;
    private final boolean signed;
    private final int lsb;
    private final int msb;

    IntegerRegister(NodeContext context, Element element, String name) {
        super(context, element, name);
        masked = element.name().equals("MaskedIntReg") || element.name().equals("StructEntry");
        signed = element.says("Sign", "Signed");
        lsb = masked ? bit("LSB") : 0;
        msb = masked ? bit("MSB") : 0;
    }

    private int bit(String child) {
        // A field of one bit can be written as one end alone.
        for (String property : new String[] {"Bit", child, "LSB", "MSB"}) {
            String text = element.valueOrNull(property);
            if (text != null) {
                return (int) Math.min(64, Math.max(-1, Numbers.parseLong(name, text)));
            }
        }
        throw new GenApiException("Node " + name + " has no bit numbers");
    }

    @Override
    public BaseNode self() {
        return this;
    }

    /** Lowest bit of the field, counted from the least significant one of the register's value. */
    private int lowestBit(int bits) {
        return masked ? fromLeast(bits, register.bigEndian() ? Math.max(lsb, msb) : Math.min(lsb, msb)) : 0;
    }

    private int width(int bits) {
        if (!masked) {
            return bits;
        }
        if (Math.min(lsb, msb) < 0 || Math.max(lsb, msb) >= bits) {
            throw new GenApiException("Node " + name + " names bits outside its " + bits / 8 + " bytes");
        }
        return Math.abs(msb - lsb) + 1;
    }

    /** Big-endian descriptions count bits from the most significant one. */
    private int fromLeast(int bits, int bit) {
        return register.bigEndian() ? bits - 1 - bit : bit;
    }

    private static long mask(int width) {
        return width >= 64 ? -1L : (1L << width) - 1;
    }

    private int checkedBits(long length) {
        if (length < 1 || length > 8) {
            throw new GenApiException("Node " + name + " is an integer of " + length + " bytes: 1 to 8 are possible");
        }
        return (int) length * 8;
    }

    @Override
    public long readLong() {
        int bits = checkedBits(register.length());
        int width = width(bits);
        long value = (register.read().whole(register.bigEndian()) >>> lowestBit(bits)) & mask(width);
        if (signed && width < 64 && ((value >>> (width - 1)) & 1) != 0) {
            value |= ~mask(width);
        }
        return value;
    }

    @Override
    public void writeLong(long value) {
        int bits = checkedBits(register.length());
        int width = width(bits);
        int lowest = lowestBit(bits);
        byte[] bytes = width < bits ? register.bytesToChange() : new byte[bits / 8];
        long old = 0;
        for (int i = 0; i < bytes.length; i++) {
            old |= (bytes[register.bigEndian() ? bytes.length - 1 - i : i] & 0xFFL) << (8 * i);
        }
        long whole = (old & ~(mask(width) << lowest)) | ((value & mask(width)) << lowest);
        for (int i = 0; i < bytes.length; i++) {
            bytes[register.bigEndian() ? bytes.length - 1 - i : i] = (byte) (whole >>> (8 * i));
        }
        register.write(bytes);
    }

    @Override
    public WholeRange wholeRange() {
        int width = width(checkedBits(register.length()));
        return new WholeRange(signed ? -1L << (width - 1) : 0, signed || width == 64 ? mask(width) >>> 1 : mask(width));
    }
}
