package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Reads and writes registers and memory of a device: joins registers to commands, splits memory into pieces, and widens
 * what is not aligned. The methods are those of {@link GvcpChannel}, where they are described. Thread-safe.
 */
final class RegisterAccess {
    /** Most data bytes of one READMEM or WRITEMEM; below the standard's 536, which some devices do not support. */
    static final int MEMORY_CHUNK_BYTES = 512;

    private static final System.Logger LOGGER = System.getLogger(RegisterAccess.class.getName());
    private static final int MAX_TRANSFER_BYTES = 64 << 20;
    private static final int ALIGNMENT = Integer.BYTES;

    private final CommandExchange exchange;
    private final List<Consumer<RegisterValue>> writeListeners = new CopyOnWriteArrayList<>();
    private volatile Optional<Integer> capability = Optional.empty();
    private volatile Optional<TimeLimit> timeLimit = Optional.empty();

    RegisterAccess(CommandExchange exchange) {
        this.exchange = exchange;
    }

    String deviceName() {
        return exchange.deviceName();
    }

    int readRegister(int address) {
        return readBatch(new int[] {address}, 0, 1).get(0);
    }

    int[] readRegisters(int... addresses) {
        boolean together =
                addresses.length > 1 && (capability() & BootstrapRegister.GVCP_CAPABILITY_CONCATENATION) != 0;
        int batch = together ? ReadRegisterCommand.MAX_REGISTERS : 1;
        int[] values = new int[addresses.length];
        for (int start = 0; start < addresses.length; start += batch) {
            List<Integer> read = readBatch(addresses, start, Math.min(addresses.length, start + batch));
            for (int i = 0; i < read.size(); i++) {
                values[start + i] = read.get(i);
            }
        }
        return values;
    }

    private List<Integer> readBatch(int[] addresses, int from, int to) {
        List<Integer> batch = new ArrayList<>();
        for (int i = from; i < to; i++) {
            requireAligned(addresses[i]);
            batch.add(addresses[i]);
        }
        return transact(id -> new ReadRegisterCommand(id, batch), Gvcp.READ_REGISTER, addresses[from], answer -> {
            List<Integer> values = ReadRegisterAck.decode(answer).values();
            if (values.size() < batch.size()) {
                throw new MalformedPacketException(
                        "READREG_ACK holds " + values.size() + " registers instead of " + batch.size());
            }
            return values.subList(0, batch.size());
        });
    }

    void writeRegister(int address, int value) {
        requireAligned(address);
        RegisterValue write = new RegisterValue(address, value);
        transact(id -> new WriteRegisterCommand(id, List.of(write)), Gvcp.WRITE_REGISTER, address, this::acknowledged);
        writeListeners.forEach(listener -> listener.accept(write));
    }

    /** Writes a register though the channel is closing; no time limit applies. */
    void writeLast(int address, int value) {
        RegisterValue write = new RegisterValue(address, value);
        exchange.runLast(
                id -> new WriteRegisterCommand(id, List.of(write)), Gvcp.WRITE_REGISTER, address, this::acknowledged);
        writeListeners.forEach(listener -> listener.accept(write));
    }

    byte[] readMemory(int address, int length) {
        requireRange(address, length);
        byte[] bytes = new byte[length];
        long start = Integer.toUnsignedLong(address);
        long end = start + length;
        for (long at = start & -ALIGNMENT; at < end && length > 0; at += MEMORY_CHUNK_BYTES) {
            long read = Math.max(0, at - start);
            limit().ifPresent(limit -> limit.check(() -> "of " + length + " bytes from "
                    + BootstrapRegister.describe(address) + " of " + deviceName() + " " + read + " were read"));
            byte[] chunk = readChunk((int) at, (int) Math.min(MEMORY_CHUNK_BYTES, alignUp(end - at)));
            int skipped = (int) Math.max(0, start - at);
            int target = (int) (at + skipped - start);
            System.arraycopy(chunk, skipped, bytes, target, Math.min(chunk.length - skipped, length - target));
        }
        return bytes;
    }

    private byte[] readChunk(int address, int count) {
        return transact(id -> new ReadMemoryCommand(id, address, count), Gvcp.READ_MEMORY, address, answer -> {
            ReadMemoryAck ack = ReadMemoryAck.decode(answer);
            byte[] data = ack.data();
            if (ack.address() != address || data.length < count) {
                throw new MalformedPacketException("READMEM_ACK holds " + data.length + " bytes from "
                        + BootstrapRegister.describe(ack.address()) + " instead of " + count + " from "
                        + BootstrapRegister.describe(address));
            }
            return data.length == count ? data : Arrays.copyOf(data, count);
        });
    }

    void writeMemory(int address, byte[] data) {
        requireRange(address, data.length);
        if (data.length == 0) {
            return;
        }
        long start = Integer.toUnsignedLong(address);
        long end = start + data.length;
        long alignedStart = start & -ALIGNMENT;
        long alignedEnd = alignUp(end);
        byte[] bytes = new byte[(int) (alignedEnd - alignedStart)];
        if (alignedStart != start) {
            System.arraycopy(readChunk((int) alignedStart, ALIGNMENT), 0, bytes, 0, ALIGNMENT);
        }
        if (alignedEnd != end) {
            byte[] last = readChunk((int) (alignedEnd - ALIGNMENT), ALIGNMENT);
            System.arraycopy(last, 0, bytes, bytes.length - ALIGNMENT, ALIGNMENT);
        }
        System.arraycopy(data, 0, bytes, (int) (start - alignedStart), data.length);
        for (int at = 0; at < bytes.length; at += MEMORY_CHUNK_BYTES) {
            byte[] chunk = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + MEMORY_CHUNK_BYTES));
            int chunkAddress = (int) (alignedStart + at);
            transact(
                    id -> new WriteMemoryCommand(id, chunkAddress, chunk),
                    Gvcp.WRITE_MEMORY,
                    chunkAddress,
                    this::acknowledged);
            notifyWritten(chunkAddress, chunk);
        }
    }

    private void notifyWritten(int address, byte[] data) {
        ByteBuffer words = ByteBuffer.wrap(data);
        for (int at = 0; at < data.length; at += Integer.BYTES) {
            RegisterValue written = new RegisterValue(address + at, words.getInt(at));
            writeListeners.forEach(listener -> listener.accept(written));
        }
    }

    void onWrite(Consumer<RegisterValue> listener) {
        writeListeners.add(listener);
    }

    /** The answer to a write is not checked beyond its header: devices differ in the count they give. */
    private Boolean acknowledged(ByteBuffer answer) {
        return answer.hasRemaining();
    }

    void limitTime(TimeLimit limit) {
        timeLimit = Optional.of(limit);
    }

    void unlimitTime() {
        timeLimit = Optional.empty();
    }

    private Optional<TimeLimit> limit() {
        return timeLimit.filter(TimeLimit::ofThisThread);
    }

    int capability() {
        Optional<Integer> known = capability;
        if (known.isEmpty()) {
            known = Optional.of(readRegister(BootstrapRegister.GVCP_CAPABILITY));
            capability = known;
        }
        return known.get();
    }

    /** Whether the device reports a capability; a device without the register has none. */
    boolean has(int capabilityBit) {
        try {
            return (capability() & capabilityBit) != 0;
        } catch (GvcpStatusException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "no capability register", e);
            return false;
        }
    }

    private <A> A transact(IntFunction<GvcpCommand> command, int code, int address, Function<ByteBuffer, A> decoder) {
        Optional<TimeLimit> limit = limit();
        limit.ifPresent(present -> present.check(() -> "the next was " + Gvcp.name(code) + " of "
                + BootstrapRegister.describe(address) + " of " + deviceName()));
        return exchange.run(command, code, address, decoder, limit);
    }

    private static void requireAligned(int address) {
        if (address % ALIGNMENT != 0) {
            throw new GvcpException(
                    "a register's address must be a multiple of 4, not " + BootstrapRegister.describe(address));
        }
    }

    private static void requireRange(int address, int length) {
        if (length < 0 || length > MAX_TRANSFER_BYTES) {
            throw new GvcpException("cannot transfer " + length + " bytes at " + BootstrapRegister.describe(address)
                    + ": the limit is 64 MiB");
        }
        if (Integer.toUnsignedLong(address) + length > 1L << 32) {
            throw new GvcpException(length + " bytes at " + BootstrapRegister.describe(address)
                    + " reach beyond the end of the 32-bit address space");
        }
    }

    private static long alignUp(long value) {
        return (value + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
