package io.peregrine.genapi;

/** IntReg, MaskedIntReg and the entries of StructReg: integers in the bytes of a register (R9, R10). */
final class IntegerRegister extends BaseNode implements IntegerAccess, RegisterBacked {
    private final RegisterAccess register;
    private final boolean masked;

    IntegerRegister(NodeMap map, Element element, String name) {
        super(map, element, name);
        register = new RegisterAccess(this);
        masked = element.name().equals("MaskedIntReg") || element.name().equals("StructEntry");
    }

    @Override
    public BaseNode self() {
        return this;
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

    /** Bits of the field, counted from the least significant bit of the register's value. */
    private record Field(int lowestBit, int width) {
        long mask() {
            return width >= 64 ? -1L : (1L << width) - 1;
        }
    }

    private Field field(int lengthBytes) {
        int bits = lengthBytes * 8;
        if (!masked) {
            return new Field(0, bits);
        }
        int lsb = bit("LSB");
        int msb = bit("MSB");
        if (register.bigEndian()) {
            // Big-endian descriptions count bits from the most significant one.
            lsb = bits - 1 - lsb;
            msb = bits - 1 - msb;
        }
        int low = Math.min(lsb, msb);
        int high = Math.max(lsb, msb);
        if (low < 0 || high >= bits) {
            throw new GenApiException("Node " + name + " names bits outside its " + lengthBytes + " bytes");
        }
        return new Field(low, high - low + 1);
    }

    private int bit(String child) {
        String text = element.value("Bit")
                .or(() -> element.value(child))
                .orElseThrow(() -> new GenApiException("Node " + name + " has no bit numbers"));
        return Math.toIntExact(Math.min(64, Math.max(-1, Numbers.parseLong(name, text))));
    }

    private boolean signed() {
        return element.value("Sign").orElse("Unsigned").equals("Signed");
    }

    private int checkedLength() {
        long length = register.length();
        if (length < 1 || length > 8) {
            throw new GenApiException("Node " + name + " is an integer of " + length + " bytes: 1 to 8 are possible");
        }
        return (int) length;
    }

    private long whole(byte[] bytes) {
        long value = 0;
        for (int i = 0; i < bytes.length; i++) {
            int from = register.bigEndian() ? i : bytes.length - 1 - i;
            value = (value << 8) | (bytes[from] & 0xFF);
        }
        return value;
    }

    @Override
    public long readLong() {
        Field field = field(checkedLength());
        long value = (whole(register.read()) >>> field.lowestBit) & field.mask();
        if (signed() && field.width < 64 && ((value >>> (field.width - 1)) & 1) != 0) {
            value |= ~field.mask();
        }
        return value;
    }

    @Override
    public void writeLong(long value) {
        int length = checkedLength();
        Field field = field(length);
        long whole = value & field.mask();
        if (masked && field.width < length * 8) {
            long old = whole(register.read());
            whole = (old & ~(field.mask() << field.lowestBit)) | (whole << field.lowestBit);
        }
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            int to = register.bigEndian() ? length - 1 - i : i;
            bytes[to] = (byte) (whole >>> (8 * i));
        }
        register.write(bytes);
    }

    @Override
    public long lowestLong() {
        int width = field(checkedLength()).width;
        return signed() ? -1L << (width - 1) : width == 64 ? Long.MIN_VALUE : 0;
    }

    @Override
    public long highestLong() {
        Field field = field(checkedLength());
        return signed() ? field.mask() >>> 1 : field.width == 64 ? Long.MAX_VALUE : field.mask();
    }
}
