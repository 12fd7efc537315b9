package io.peregrine.traffic;

import io.peregrine.gvcp.Gvcp;
import io.peregrine.traffic.GvcpMessage.Access;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Control messages between others. An acknowledge says little without its command, so the commands of recent exchanges
 * are remembered.
 */
final class GvcpDecoder {
    private static final int MAX_PENDING = 1 << 10;
    private static final int DISCOVERY_BYTES = 248;
    private static final byte[] NONE = {};

    /** Who waits for which answer. */
    private record Exchange(int host, int hostPort, int camera, int id) {}

    private final Map<Exchange, GvcpMessage> pending = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Exchange, GvcpMessage> eldest) {
            return size() > MAX_PENDING;
        }
    };

    /**
     * The message in a datagram to or from the port of control; empty if it is none, was cut, or contradicts itself.
     */
    Optional<GvcpMessage> decode(long nanos, Datagram datagram) {
        ByteBuffer data = datagram.data();
        if (data.limit() < Gvcp.HEADER_SIZE_BYTES || data.limit() < datagram.lengthBytes()) {
            return Optional.empty();
        }
        int payloadBytes = Short.toUnsignedInt(data.getShort(4));
        if (payloadBytes > data.limit() - Gvcp.HEADER_SIZE_BYTES) {
            return Optional.empty();
        }
        byte[] payload = new byte[payloadBytes];
        data.get(Gvcp.HEADER_SIZE_BYTES, payload);
        int code = Short.toUnsignedInt(data.getShort(2));
        int id = Short.toUnsignedInt(data.getShort(6));
        boolean toCamera = datagram.destinationPort() == Gvcp.PORT;
        boolean command = toCamera && Byte.toUnsignedInt(data.get(0)) == Gvcp.KEY;
        if (toCamera && !command) {
            return Optional.empty();
        }
        Builder builder = new Builder(nanos, datagram, code, command, id);
        builder.flags = command ? Byte.toUnsignedInt(data.get(1)) : 0;
        builder.status = command ? 0 : Short.toUnsignedInt(data.getShort(0));
        Exchange exchange = command
                ? new Exchange(datagram.source(), datagram.sourcePort(), datagram.destination(), id)
                : new Exchange(datagram.destination(), datagram.destinationPort(), datagram.source(), id);
        boolean understood = command
                ? command(builder, ByteBuffer.wrap(payload))
                : acknowledge(builder, ByteBuffer.wrap(payload), Optional.ofNullable(pending.get(exchange)));
        if (!understood) {
            builder.rest = payload;
        }
        GvcpMessage message = builder.build();
        if (command) {
            pending.put(exchange, message);
        }
        return Optional.of(message);
    }

    private static boolean command(Builder builder, ByteBuffer payload) {
        switch (builder.code) {
            case Gvcp.READ_REGISTER -> {
                for (int at = 0; at + 4 <= payload.limit(); at += 4) {
                    builder.access(Integer.toUnsignedLong(payload.getInt(at)), 4, NONE);
                }
                return true;
            }
            case Gvcp.WRITE_REGISTER -> {
                for (int at = 0; at + 8 <= payload.limit(); at += 8) {
                    builder.access(Integer.toUnsignedLong(payload.getInt(at)), 4, bytes(payload, at + 4, 4));
                }
                return true;
            }
            case Gvcp.READ_MEMORY -> {
                return payload.limit() >= 8
                        && builder.access(
                                Integer.toUnsignedLong(payload.getInt(0)),
                                Short.toUnsignedInt(payload.getShort(6)),
                                NONE);
            }
            case Gvcp.WRITE_MEMORY -> {
                int count = payload.limit() - 4;
                return count >= 0
                        && builder.access(Integer.toUnsignedLong(payload.getInt(0)), count, bytes(payload, 4, count));
            }
            case Gvcp.DISCOVERY, Gvcp.FORCE_IP, Gvcp.PACKET_RESEND, Gvcp.EVENT, Gvcp.EVENT_DATA, Gvcp.ACTION -> {
                // Addresses, keys and times; that it was sent is enough.
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private static boolean acknowledge(Builder builder, ByteBuffer payload, Optional<GvcpMessage> command) {
        boolean failed = (builder.status & 0x8000) != 0;
        List<Access> asked = command.filter(known -> known.code() == builder.code - 1)
                .map(GvcpMessage::accesses)
                .orElse(List.of());
        switch (builder.code) {
            case Gvcp.READ_REGISTER_ACK -> {
                for (int i = 0; i < Math.max(payload.limit() / 4, failed ? asked.size() : 0); i++) {
                    long address = i < asked.size() ? asked.get(i).address() : GvcpMessage.UNKNOWN;
                    builder.access(address, 4, 4 * i + 4 <= payload.limit() ? bytes(payload, 4 * i, 4) : NONE);
                }
                return true;
            }
            case Gvcp.READ_MEMORY_ACK -> {
                if (payload.limit() < 4) {
                    builder.accesses.addAll(asked);
                    return true;
                }
                int count = payload.limit() - 4;
                return builder.access(Integer.toUnsignedLong(payload.getInt(0)), count, bytes(payload, 4, count));
            }
            case Gvcp.WRITE_REGISTER_ACK, Gvcp.WRITE_MEMORY_ACK -> {
                asked.forEach(access -> builder.access(access.address(), access.lengthBytes(), NONE));
                builder.index = payload.limit() >= 4 ? Short.toUnsignedInt(payload.getShort(2)) : -1;
                return true;
            }
            case Gvcp.PENDING_ACK -> {
                builder.millis = payload.limit() >= 4 ? Short.toUnsignedInt(payload.getShort(2)) : -1;
                return true;
            }
            case Gvcp.DISCOVERY_ACK -> {
                if (payload.limit() >= DISCOVERY_BYTES) {
                    builder.device = bytes(payload, 0, DISCOVERY_BYTES);
                }
                return true;
            }
            case Gvcp.FORCE_IP_ACK, Gvcp.PACKET_RESEND_ACK, Gvcp.EVENT_ACK, Gvcp.EVENT_DATA_ACK, Gvcp.ACTION_ACK -> {
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private static byte[] bytes(ByteBuffer from, int at, int count) {
        byte[] bytes = new byte[count];
        from.get(at, bytes);
        return bytes;
    }

    private static final class Builder {
        private final long nanos;
        private final Datagram datagram;
        private final int code;
        private final boolean command;
        private final int id;
        private final List<Access> accesses = new ArrayList<>();
        private int flags;
        private int status;
        private int index = -1;
        private int millis = -1;
        private byte[] device = NONE;
        private byte[] rest = NONE;

        Builder(long nanos, Datagram datagram, int code, boolean command, int id) {
            this.nanos = nanos;
            this.datagram = datagram;
            this.code = code;
            this.command = command;
            this.id = id;
        }

        boolean access(long address, int lengthBytes, byte[] value) {
            return accesses.add(new Access(address, lengthBytes, value));
        }

        GvcpMessage build() {
            return new GvcpMessage(
                    nanos,
                    datagram.source(),
                    datagram.destination(),
                    code,
                    command,
                    flags,
                    status,
                    id,
                    List.copyOf(accesses),
                    index,
                    millis,
                    device,
                    rest);
        }
    }
}
