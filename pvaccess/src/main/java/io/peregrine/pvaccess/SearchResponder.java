package io.peregrine.pvaccess;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.epics.pva.data.PVAAddress;
import org.jspecify.annotations.Nullable;

/**
 * Answers searches by name on one UDP address (pvAccess protocol specification, searchRequest and searchResponse).
 * Sends nothing else: no beacons, no multicast, and an answer only to the host that asked. The library's responder
 * joins multicast groups, sends answers to any address that a packet names, and ends with the first packet that claims
 * a long name.
 */
final class SearchResponder implements AutoCloseable {
    private static final int MAX_PACKET_BYTES = 65_535;
    private static final byte MAGIC = (byte) 0xCA;
    private static final byte VERSION = 2;
    private static final int HEADER_BYTES = 8;
    private static final int CONTROL_FLAG = 0x01;
    private static final int SERVER_FLAG = 0x40;
    private static final int BIG_ENDIAN_FLAG = 0x80;
    private static final int SEARCH = 3;
    private static final int SEARCH_RESPONSE = 4;
    private static final int MUST_REPLY_FLAG = 0x01;
    private static final int GUID_BYTES = 12;
    private static final int ADDRESS_BYTES = 16;
    private static final int RESERVED_BYTES = 3;
    private static final String TCP = "tcp";
    private static final int LONG_SIZE = 0xFE;
    private static final int NO_TEXT = 0xFF;

    private final DatagramSocket socket;
    private final InetSocketAddress server;
    private final Predicate<String> known;
    private final byte[] guid = new byte[GUID_BYTES];
    private final Thread thread;

    /**
     * Begins to answer.
     *
     * @param at where to listen; port 0 for any free one
     * @param server where clients connect to
     * @param known whether a process variable is offered
     * @throws IOException if the address cannot be used
     */
    SearchResponder(InetSocketAddress at, InetSocketAddress server, Predicate<String> known) throws IOException {
        this.server = server;
        this.known = known;
        new SecureRandom().nextBytes(guid);
        socket = new DatagramSocket(null);
        try {
            socket.setReuseAddress(true);
            socket.bind(at);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        thread = new Thread(this::run, "peregrine-pvaccess-search");
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void run() {
        DatagramPacket packet = new DatagramPacket(new byte[MAX_PACKET_BYTES], MAX_PACKET_BYTES);
        while (!socket.isClosed()) {
            try {
                packet.setLength(MAX_PACKET_BYTES);
                socket.receive(packet);
                ByteBuffer request = ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
                for (Answer answer : answers(request, packet.getPort(), known)) {
                    byte[] bytes = answer.toBytes(guid, server);
                    socket.send(new DatagramPacket(
                            bytes, bytes.length, new InetSocketAddress(packet.getAddress(), answer.port)));
                }
            } catch (IOException | RuntimeException e) {
                // Closed, an asker that is gone, or bytes that are no request: the next packet decides.
            }
        }
    }

    /**
     * What to send for one search.
     *
     * @param port where the asker waits
     * @param sequence number of the search
     * @param ids numbers of the names that are offered here; none when it only asks which servers there are
     */
    record Answer(int port, int sequence, List<Integer> ids) {
        byte[] toBytes(byte[] guid, InetSocketAddress server) {
            int payload = GUID_BYTES
                    + Integer.BYTES
                    + ADDRESS_BYTES
                    + Short.BYTES
                    + 1
                    + TCP.length()
                    + 1
                    + Short.BYTES
                    + ids.size() * Integer.BYTES;
            ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + payload).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put(MAGIC).put(VERSION).put((byte) SERVER_FLAG).put((byte) SEARCH_RESPONSE);
            bytes.putInt(payload).put(guid).putInt(sequence);
            PVAAddress.encode(server.getAddress(), bytes);
            bytes.putShort((short) server.getPort());
            bytes.put((byte) TCP.length()).put(TCP.getBytes(StandardCharsets.US_ASCII));
            bytes.put((byte) (ids.isEmpty() ? 0 : 1)).putShort((short) ids.size());
            ids.forEach(bytes::putInt);
            return bytes.array();
        }
    }

    /**
     * The answers to a packet.
     *
     * @param request from position to limit
     * @param senderPort of the host that sent it
     * @throws RuntimeException if it is no request
     */
    static List<Answer> answers(ByteBuffer request, int senderPort, Predicate<String> known) {
        List<Answer> answers = new ArrayList<>();
        while (request.remaining() >= HEADER_BYTES && request.get() == MAGIC) {
            request.get();
            int flags = request.get();
            int command = request.get();
            request.order((flags & BIG_ENDIAN_FLAG) != 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            int size = request.getInt();
            if ((flags & (CONTROL_FLAG | SERVER_FLAG)) != 0) {
                continue;
            }
            ByteBuffer payload = request.slice(request.position(), size).order(request.order());
            request.position(request.position() + size);
            if (command == SEARCH) {
                Answer answer = search(payload, senderPort, known);
                if (answer != null) {
                    answers.add(answer);
                }
            }
        }
        return answers;
    }

    private static @Nullable Answer search(ByteBuffer payload, int senderPort, Predicate<String> known) {
        int sequence = payload.getInt();
        int flags = payload.get();
        payload.position(payload.position() + RESERVED_BYTES + ADDRESS_BYTES);
        int port = Short.toUnsignedInt(payload.getShort());
        boolean tcp = false;
        for (int left = Byte.toUnsignedInt(payload.get()); left > 0; left--) {
            tcp |= text(payload).equals(TCP);
        }
        int names = Short.toUnsignedInt(payload.getShort());
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            int id = payload.getInt();
            if (known.test(text(payload))) {
                ids.add(id);
            }
        }
        boolean whichServers = names == 0 && (flags & MUST_REPLY_FLAG) != 0;
        boolean found = tcp && !ids.isEmpty();
        return found || whichServers ? new Answer(port == 0 ? senderPort : port, sequence, ids) : null;
    }

    private static String text(ByteBuffer payload) {
        int size = Byte.toUnsignedInt(payload.get());
        if (size == NO_TEXT) {
            return "";
        } else if (size == LONG_SIZE) {
            size = payload.getInt();
        }
        ByteBuffer text = payload.slice(payload.position(), size);
        payload.position(payload.position() + size);
        return StandardCharsets.UTF_8.decode(text).toString();
    }

    /** Ends. Idempotent. */
    @Override
    public void close() {
        socket.close();
    }
}
