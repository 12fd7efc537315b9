package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The memory of the device: words with rules below 64 KiB, blobs above. Big-endian. Not thread-safe. */
final class RegisterSpace {
    /** Looks at the bytes about to be written; may change them. */
    @FunctionalInterface
    interface Check {
        void accept(ByteBuffer value) throws RegisterException;
    }

    /** Runs after a write. */
    @FunctionalInterface
    interface Action {
        void run() throws RegisterException;
    }

    private record Register(int address, int length, Check check, Action action) {}

    private final byte[] low = new byte[Reg.LOW_SPACE_BYTES];
    private final ByteBuffer lowView = ByteBuffer.wrap(low);
    private final BitSet mappedWords = new BitSet(Reg.LOW_SPACE_BYTES / 4);
    private final Map<Integer, Register> writable = new HashMap<>();
    private final TreeMap<Integer, byte[]> blobs = new TreeMap<>();
    private final Map<Integer, Action> computed = new HashMap<>();
    private Runnable beforeRead = () -> {};

    /** Called before each read so that computed registers are current. */
    void beforeRead(Runnable refresh) {
        beforeRead = refresh;
    }

    void map(int address, int bytes) {
        mappedWords.set(address / 4, (address + bytes + 3) / 4);
    }

    void constant(int address, int value) {
        map(address, 4);
        set(address, value);
    }

    void text(int address, int bytes, String value) {
        map(address, bytes);
        setText(address, bytes, value);
    }

    void setText(int address, int bytes, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        Arrays.fill(low, address, address + bytes, (byte) 0);
        System.arraycopy(utf8, 0, low, address, Math.min(utf8.length, bytes - 1));
    }

    String getText(int address, int bytes) {
        int end = address;
        while (end < address + bytes && low[end] != 0) {
            end++;
        }
        return new String(low, address, end - address, StandardCharsets.UTF_8);
    }

    void writable(int address, int bytes, Check check, Action action) {
        map(address, bytes);
        Register register = new Register(address, bytes, check, action);
        for (int word = address; word < address + bytes; word += 4) {
            if (writable.put(word, register) != null) {
                throw new IllegalStateException(String.format(Locale.ROOT, "There are two registers at 0x%04X", word));
            }
        }
    }

    /** A register whose value is made for each read. */
    void computed(int address, int bytes, Action refresh) {
        map(address, bytes);
        for (int word = address; word < address + bytes; word += 4) {
            computed.put(word, refresh);
        }
    }

    byte[] get(int address, int bytes) {
        return Arrays.copyOfRange(low, address, address + bytes);
    }

    void set(int address, ByteBuffer value) {
        lowView.put(address, value, 0, value.capacity());
    }

    void blob(int address, byte[] content) {
        blobs.put(address, Arrays.copyOf(content, (content.length + 3) & ~3));
    }

    int get(int address) {
        return lowView.getInt(address);
    }

    void set(int address, int value) {
        lowView.putInt(address, value);
    }

    void setLong(int address, long value) {
        lowView.putLong(address, value);
    }

    double getDouble(int address) {
        return lowView.getDouble(address);
    }

    void setDouble(int address, double value) {
        lowView.putDouble(address, value);
    }

    void copy(int address, int bytes, ByteBuffer target) {
        beforeRead.run();
        target.put(low, address, bytes);
    }

    /** Reads; address and count are untrusted. */
    void read(int address, int count, ByteBuffer target) throws RegisterException {
        if ((address & 3) != 0 || (count & 3) != 0) {
            throw new RegisterException(Gvcp.BAD_ALIGNMENT);
        }
        long start = Integer.toUnsignedLong(address);
        if (start + count <= Reg.LOW_SPACE_BYTES) {
            int firstGap = mappedWords.nextClearBit(address / 4);
            if (firstGap < (address + count) / 4) {
                throw new RegisterException(Gvcp.INVALID_ADDRESS);
            }
            beforeRead.run();
            compute(address, count);
            target.put(low, address, count);
            return;
        }
        Map.Entry<Integer, byte[]> blob = address < 0 ? null : blobs.floorEntry(address);
        if (blob == null || start + count > (long) blob.getKey() + blob.getValue().length) {
            throw new RegisterException(Gvcp.INVALID_ADDRESS);
        }
        beforeRead.run();
        byte[] content = blobs.get(blob.getKey());
        int offset = address - blob.getKey();
        if (offset + count > content.length) {
            throw new RegisterException(Gvcp.INVALID_ADDRESS);
        }
        target.put(content, offset, count);
    }

    private void compute(int address, int count) throws RegisterException {
        if (computed.isEmpty()) {
            return;
        }
        Set<Action> touched = new LinkedHashSet<>();
        for (int word = address; word < address + count; word += 4) {
            Action refresh = computed.get(word);
            if (refresh != null) {
                touched.add(refresh);
            }
        }
        for (Action refresh : touched) {
            refresh.run();
        }
    }

    /** Checks that a write may go ahead at all, without looking at the value. */
    private Register target(int address) throws RegisterException {
        long start = Integer.toUnsignedLong(address);
        if (start >= Reg.LOW_SPACE_BYTES) {
            Map.Entry<Integer, byte[]> blob = address < 0 ? null : blobs.floorEntry(address);
            boolean mapped = blob != null && start < (long) blob.getKey() + blob.getValue().length;
            throw new RegisterException(mapped ? Gvcp.WRITE_PROTECT : Gvcp.INVALID_ADDRESS);
        }
        Register register = writable.get(address);
        if (register == null) {
            throw new RegisterException(mappedWords.get(address / 4) ? Gvcp.WRITE_PROTECT : Gvcp.INVALID_ADDRESS);
        }
        return register;
    }

    /** Writes whole words; all registers touched are checked before the first is changed. */
    void write(int address, ByteBuffer data) throws RegisterException {
        int count = data.remaining();
        if ((address & 3) != 0 || (count & 3) != 0) {
            throw new RegisterException(Gvcp.BAD_ALIGNMENT);
        }
        Set<Register> touched = new LinkedHashSet<>();
        for (int offset = 0; offset < count; offset += 4) {
            touched.add(target(address + offset));
        }
        byte[] image = Arrays.copyOfRange(low, address, address + count);
        data.duplicate().get(image);
        byte[][] values = new byte[touched.size()][];
        int index = 0;
        for (Register register : touched) {
            byte[] value = Arrays.copyOfRange(low, register.address, register.address + register.length);
            int from = Math.max(address, register.address);
            int to = Math.min(address + count, register.address + register.length);
            System.arraycopy(image, from - address, value, from - register.address, to - from);
            register.check.accept(ByteBuffer.wrap(value));
            values[index++] = value;
        }
        index = 0;
        for (Register register : touched) {
            System.arraycopy(values[index++], 0, low, register.address, register.length);
        }
        for (Register register : touched) {
            register.action.run();
        }
    }
}
