package io.peregrine.conformance.softroce;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A peer in a process of its own. Arguments: provider, local address, then {@code listen} or {@code connect HOST PORT},
 * then optionally {@code plain} for a peer that speaks only when spoken to. Otherwise it begins with a message that
 * tells address and key of its memory.
 *
 * <p>A message without immediate data comes back as it is. One with immediate data is an order: {@link #WRITE_BACK}
 * writes the peer's memory to the place that the message names, {@link #SEND_BACK} sends it, {@link #READ_AND_SEND}
 * reads what the message names and sends that, {@link #DISCONNECT} ends the connection.
 */
final class EchoPeerMain {
    /**
     * Order; the message is address 8 bytes, key 4, length 4, in network order. Answered with the length as immediate.
     */
    static final int WRITE_BACK = 1;
    /**
     * Order; the message is as for WRITE_BACK, of which only the length counts. Answered with the length as immediate.
     */
    static final int SEND_BACK = 2;

    /** Order to end the connection. */
    static final int DISCONNECT = 3;
    /** Order to read the place that the message names, and to send what was read. Answered as SEND_BACK is. */
    static final int READ_AND_SEND = 4;

    private static final int SLOT_BYTES = 1 << 20;
    private static final int SLOTS = 4;

    private EchoPeerMain() {}

    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        boolean plain = words.contains("plain");
        try (RdmaPeer peer = RdmaPeer.open(words.get(0), words.get(1))) {
            ByteBuffer slots = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES);
            MemoryRegion slotRegion = peer.transport.register(RdmaMemory.of(slots));
            RdmaConnection connection = words.get(2).equals("listen")
                    ? accept(peer, slotRegion)
                    : connect(peer, slotRegion, new InetSocketAddress(words.get(3), Integer.parseInt(words.get(4))));
            System.out.println("connected");
            if (!plain) {
                introduce(peer, connection);
            } else if (!words.get(2).equals("listen")) {
                connection.postSend(SLOTS, peer.region, 0, 16);
            }
            serve(peer, connection, slots, slotRegion, plain);
            connection.close();
        } catch (ConnectionRejectedException e) {
            System.out.println("rejected " + e.reason() + " " + text(e.privateData()));
        }
    }

    private static RdmaConnection accept(RdmaPeer peer, MemoryRegion slots) {
        try (RdmaListener listener = peer.transport.listen(0)) {
            System.out.println("port " + listener.port());
            ConnectionRequest request = RdmaPeer.next(listener);
            System.out.println("asked " + text(request.privateData()));
            if (text(request.privateData()).equals("refuse me")) {
                request.reject("refused".getBytes(StandardCharsets.US_ASCII));
                throw new ConnectionRejectedException("refused", 0, new byte[0]);
            }
            RdmaConnection connection = request.prepare(peer.settings());
            post(connection, slots);
            connection.accept("welcome".getBytes(StandardCharsets.US_ASCII), RdmaPeer.LIMIT);
            return connection;
        }
    }

    private static RdmaConnection connect(RdmaPeer peer, MemoryRegion slots, InetSocketAddress where) {
        RdmaConnection connection = peer.transport.prepare(where, peer.settings());
        post(connection, slots);
        byte[] answer = connection.connect("hello".getBytes(StandardCharsets.US_ASCII), RdmaPeer.LIMIT);
        System.out.println("answered " + text(answer));
        return connection;
    }

    /** Private data up to its padding. */
    static String text(byte[] data) {
        return new String(data, StandardCharsets.US_ASCII).replace("\0", "");
    }

    private static void post(RdmaConnection connection, MemoryRegion slots) {
        for (int i = 0; i < SLOTS; i++) {
            connection.postReceive(i, slots, (long) i * SLOT_BYTES, SLOT_BYTES);
        }
    }

    private static void introduce(RdmaPeer peer, RdmaConnection connection) {
        int at = RdmaPeer.MEMORY_BYTES - 16;
        peer.memory
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(at, peer.region.remoteAddress())
                .putInt(at + 8, peer.region.remoteKey());
        connection.postSend(SLOTS, peer.region, at, 16);
    }

    private static void serve(
            RdmaPeer peer, RdmaConnection connection, ByteBuffer slots, MemoryRegion slotRegion, boolean plain) {
        int echoes = 0;
        while (true) {
            RdmaPeer.Ended ended = peer.next();
            if (ended.status() != Completion.Status.SUCCESS) {
                System.out.println("ended " + connection.state() + " "
                        + connection.failure().map(RdmaException::getMessage).orElse(""));
                return;
            }
            int slot = (int) ended.workId();
            switch (ended.operation()) {
                case RECEIVE -> {
                    System.out.println("received " + ended.lengthBytes());
                    if (plain && ++echoes > 1) {
                        return;
                    }
                    answer(connection, peer, slots, slotRegion, slot, ended);
                }
                case READ -> {
                    int length = slots.getInt(slot * SLOT_BYTES + 12);
                    connection.postSendWithImmediate(slot, peer.region, 0, length, length);
                }
                case SEND, WRITE -> {
                    // The memory of an echo may be received into again once it is sent.
                    if (slot < SLOTS) {
                        connection.postReceive(slot, slotRegion, (long) slot * SLOT_BYTES, SLOT_BYTES);
                    }
                }
                default -> System.out.println("unexpected " + ended);
            }
        }
    }

    private static void answer(
            RdmaConnection connection,
            RdmaPeer peer,
            ByteBuffer slots,
            MemoryRegion slotRegion,
            int slot,
            RdmaPeer.Ended ended) {
        int at = slot * SLOT_BYTES;
        if (ended.immediate().isEmpty()) {
            connection.postSend(slot, slotRegion, at, (int) ended.lengthBytes());
            return;
        }
        if (ended.immediate().get() == DISCONNECT) {
            connection.disconnect();
            return;
        }
        ByteBuffer order = slots.order(ByteOrder.BIG_ENDIAN);
        int length = order.getInt(at + 12);
        if (ended.immediate().get() == READ_AND_SEND) {
            connection.postRead(slot, peer.region, 0, length, order.getLong(at), order.getInt(at + 8));
        } else if (ended.immediate().get() == WRITE_BACK) {
            connection.postWriteWithImmediate(
                    slot, peer.region, 0, length, order.getLong(at), order.getInt(at + 8), length);
        } else {
            connection.postSendWithImmediate(slot, peer.region, 0, length, length);
        }
    }
}
