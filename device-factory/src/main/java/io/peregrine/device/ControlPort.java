package io.peregrine.device;

import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Port;
import io.peregrine.gvcp.BootstrapRegister;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The device's registers as a port of its node map. Registers of four bytes go by READREG and WRITEREG where that gives
 * the bytes in the device's own order, which is so for big-endian devices; everything else goes by READMEM and WRITEMEM
 * (GenICam standard 2.1.1, 2.8.16 and 3.1).
 */
final class ControlPort implements Port {
    private static final long ADDRESS_LIMIT = 0x1_0000_0000L;

    /** Another one after each loss of the device. */
    private final Supplier<ControlChannel> channel;

    private final boolean bigEndianDevice;

    ControlPort(Supplier<ControlChannel> channel) {
        this.channel = channel;
        bigEndianDevice =
                (channel.get().readRegister(BootstrapRegister.DEVICE_MODE) & BootstrapRegister.DEVICE_MODE_BIG_ENDIAN)
                        != 0;
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        int first = checked(address, destination.remaining());
        if (byRegister(first, destination.remaining())) {
            int value = channel.get().readRegister(first);
            for (int shift = 24; shift >= 0; shift -= 8) {
                destination.put((byte) (value >>> shift));
            }
        } else if (destination.hasRemaining()) {
            destination.put(channel.get().readMemory(first, destination.remaining()));
        }
    }

    @Override
    public void read(List<Request> requests) {
        List<Request> registers = new ArrayList<>();
        for (Request request : requests) {
            int length = request.destination().remaining();
            if (byRegister(checked(request.address(), length), length)) {
                registers.add(request);
            } else {
                read(request.address(), request.destination());
            }
        }
        int[] values = channel.get()
                .readRegisters(registers.stream()
                        .mapToInt(request -> (int) request.address())
                        .toArray());
        for (int i = 0; i < values.length; i++) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                registers.get(i).destination().put((byte) (values[i] >>> shift));
            }
        }
    }

    @Override
    public void write(long address, ByteBuffer source) {
        int first = checked(address, source.remaining());
        byte[] data = new byte[source.remaining()];
        source.get(data);
        if (byRegister(first, data.length)) {
            channel.get().writeRegister(first, ByteBuffer.wrap(data).getInt());
        } else if (data.length > 0) {
            channel.get().writeMemory(first, data);
        }
    }

    /** What the device says about a register is about its feature; what is about the connection is not. */
    @Override
    public RuntimeException failure(String message, RuntimeException cause) {
        return failed(message, cause);
    }

    static RuntimeException failed(String message, RuntimeException cause) {
        DeviceException same = DeviceException.of(message, cause);
        return same.getClass() == DeviceException.class ? new GenApiException(message, cause) : same;
    }

    private boolean byRegister(int address, int lengthBytes) {
        return bigEndianDevice && lengthBytes == 4 && address % 4 == 0;
    }

    private static int checked(long address, int lengthBytes) {
        if (address < 0 || address > ADDRESS_LIMIT - lengthBytes) {
            throw new DeviceException("The GenICam XML asks for " + lengthBytes + " bytes at address 0x"
                    + Long.toHexString(address) + ", which is outside the 32-bit register space");
        }
        return (int) address;
    }
}
