package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What {@code recvmmsg} and {@code sendmmsg} take: headers, addresses, control messages and vectors of a number of
 * messages, in one piece of memory.
 */
final class MessageVector {
    static final int AF_INET = 2;
    static final int ADDRESS_BYTES = 16;
    static final int MESSAGE_BYTES = 64;
    static final int IOV_BYTES = 16;
    static final int SLOT_BYTES = 1 << 16;
    /** Most bytes of a run of datagrams. */
    static final int MAX_RUN_BYTES = 65507;

    private static final int SOL_SOCKET = 1;
    private static final int SO_RXQ_OVFL = 40;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MESSAGE_NAME_LENGTH = 8;
    private static final int MESSAGE_IOV = 16;
    private static final int MESSAGE_IOV_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    private static final int MESSAGE_LENGTH = 56;
    /** Two control messages of a number each, with their headers. */
    private static final int CONTROL_BYTES = 48;

    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_DATA = 16;
    private static final int CONTROL_ALIGNMENT = 8;

    private final ByteBuffer memory;
    private final long messages;
    private final int nameOffset;
    private final int controlOffset;
    private final int iovOffset;

    MessageVector(int slots, ByteBuffer slab, int vectors) {
        nameOffset = slots * MESSAGE_BYTES;
        controlOffset = nameOffset + slots * ADDRESS_BYTES;
        iovOffset = controlOffset + slots * CONTROL_BYTES;
        memory = NativeMemory.allocate(iovOffset + vectors * IOV_BYTES);
        messages = NativeMemory.address(memory);
        long data = NativeMemory.address(slab);
        for (int i = 0; i < slots; i++) {
            int message = i * MESSAGE_BYTES;
            memory.putLong(message, messages + nameOffset + (long) i * ADDRESS_BYTES);
            memory.putInt(message + MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
            memory.putLong(message + MESSAGE_IOV, messages + iovOffset + (long) i * IOV_BYTES);
            memory.putLong(message + MESSAGE_IOV_COUNT, 1);
            memory.putLong(message + MESSAGE_CONTROL, messages + controlOffset + (long) i * CONTROL_BYTES);
            memory.putLong(iovOffset + i * IOV_BYTES, data + (long) i * SLOT_BYTES);
            memory.putLong(iovOffset + i * IOV_BYTES + 8, SLOT_BYTES);
        }
    }

    private void resetForReceive(int slots) {
        for (int i = 0; i < slots; i++) {
            int message = i * MESSAGE_BYTES;
            memory.putInt(message + MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
            memory.putLong(message + MESSAGE_CONTROL_LENGTH, CONTROL_BYTES);
        }
    }

    void prepare(int slot, int destination, int port, int lengthBytes, int segmentBytes) {
        int message = slot * MESSAGE_BYTES;
        putAddress(memory, nameOffset + slot * ADDRESS_BYTES, destination, port);
        memory.putLong(iovOffset + slot * IOV_BYTES + 8, lengthBytes);
        if (segmentBytes == 0) {
            memory.putLong(message + MESSAGE_CONTROL_LENGTH, 0);
            return;
        }
        int control = controlOffset + slot * CONTROL_BYTES;
        memory.putLong(message + MESSAGE_CONTROL_LENGTH, 24);
        memory.putLong(control, CONTROL_DATA + 2);
        memory.putInt(control + CONTROL_LEVEL, DatagramRuns.SOL_UDP);
        memory.putInt(control + CONTROL_TYPE, DatagramRuns.UDP_SEGMENT);
        memory.putShort(control + CONTROL_DATA, (short) segmentBytes);
    }

    static void putAddress(ByteBuffer target, int at, int address, int port) {
        target.putShort(at, (short) AF_INET);
        target.order(ByteOrder.BIG_ENDIAN);
        target.putShort(at + 2, (short) port).putInt(at + 4, address);
        target.order(ByteOrder.nativeOrder());
        target.putLong(at + 8, 0);
    }

    /**
     * Receives what is there, without waiting.
     *
     * @param slots most messages to fill
     * @return number of messages that are filled, 0 when there is nothing
     */
    int receive(int fd, int slots) {
        resetForReceive(slots);
        return Math.max(0, Libc.recvmmsg(fd, messages, slots, MSG_DONTWAIT, 0));
    }

    /** Sends messages; returns how many were sent, or a negative number. */
    int send(int fd, int first, int slots) {
        return Libc.sendmmsg(fd, messages + (long) first * MESSAGE_BYTES, slots, 0);
    }

    /**
     * Datagrams that the system had dropped when it filled a message, in 32 bits; {@code none} if it does not report
     * it.
     */
    int drops(int slot, int none) {
        int at = control(slot, SOL_SOCKET, SO_RXQ_OVFL);
        return at >= 0 ? memory.getInt(at) : none;
    }

    /** Bytes of a message that was received. */
    int lengthBytes(int slot) {
        return memory.getInt(slot * MESSAGE_BYTES + MESSAGE_LENGTH);
    }

    /** Length of each datagram in a message that was received. */
    int segmentBytes(int slot) {
        int at = control(slot, DatagramRuns.SOL_UDP, DatagramRuns.UDP_GRO);
        int size = at >= 0 ? memory.getInt(at) : 0;
        return size > 0 ? size : lengthBytes(slot);
    }

    /** IPv4 address that a message came from. */
    int sourceAddress(int slot) {
        return Integer.reverseBytes(memory.getInt(nameOffset + slot * ADDRESS_BYTES + 4));
    }

    /** UDP port that a message came from. */
    int sourcePort(int slot) {
        return Short.reverseBytes(memory.getShort(nameOffset + slot * ADDRESS_BYTES + 2)) & 0xFFFF;
    }

    /** Sets a vector of the only message. */
    void vector(int index, long address, long bytes) {
        memory.putLong(iovOffset + index * IOV_BYTES, address).putLong(iovOffset + index * IOV_BYTES + 8, bytes);
    }

    /** Bytes of a vector of the only message. */
    long vectorBytes(int index) {
        return memory.getLong(iovOffset + index * IOV_BYTES + 8);
    }

    /** Sets the number of vectors of the only message. */
    void vectors(int count) {
        memory.putLong(MESSAGE_IOV_COUNT, count);
    }

    /** Where the value of a control message of a slot lies; -1 when it has none of that kind. */
    private int control(int slot, int level, int type) {
        long length = memory.getLong(slot * MESSAGE_BYTES + MESSAGE_CONTROL_LENGTH);
        int begin = controlOffset + slot * CONTROL_BYTES;
        long at = 0;
        while (at + CONTROL_DATA + 4 <= length) {
            int message = begin + (int) at;
            if (memory.getInt(message + CONTROL_LEVEL) == level && memory.getInt(message + CONTROL_TYPE) == type) {
                return message + CONTROL_DATA;
            }
            long size = memory.getLong(message);
            if (size < CONTROL_DATA || size > CONTROL_BYTES) {
                break;
            }
            at += (size + CONTROL_ALIGNMENT - 1) / CONTROL_ALIGNMENT * CONTROL_ALIGNMENT;
        }
        return -1;
    }
}
