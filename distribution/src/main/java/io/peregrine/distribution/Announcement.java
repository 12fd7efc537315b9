package io.peregrine.distribution;

import io.peregrine.recording.Camera;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What a publisher says of its stream again and again, on the same channel as the frames.
 *
 * @param stream stream channel, as in {@link FragmentHeader}
 * @param session session of the publication with the frames
 * @param flowBytes memory that the largest frame needs; 0 before the first
 * @param name name of the stream
 * @param properties what the camera says of itself
 * @param contact where consumers can speak to the publisher
 */
record Announcement(
        int stream, int session, long flowBytes, String name, Map<String, String> properties, Contact contact) {
    /** Aeron stream of announcements. */
    static final int STREAM_ID = 0x5047;
    /** Aeron stream of frames. */
    static final int FRAMES_STREAM_ID = 0x5048;

    static final int HEADER_BYTES = 12;
    /** Largest settings, registers and GenICam XML of a camera together, unzipped. */
    static final int MAX_CAMERA_BYTES = 64 << 20;

    private static final int MAGIC = 'P' | 'G' << 8 | 'A' << 16 | 'N' << 24;
    private static final int VERSION = 1;
    private static final int BRIEF = 1;
    private static final int CAMERA = 2;
    /** A container has at most that many bytes. */
    private static final long MAX_FLOW_BYTES = Integer.MAX_VALUE - 8;

    private static final int MAX_TEXT_BYTES = 1024;
    private static final int MAX_PROPERTIES = 64;

    Announcement {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** One whose publisher cannot be spoken to. */
    Announcement(int stream, int session, long flowBytes, String name, Map<String, String> properties) {
        this(stream, session, flowBytes, name, properties, Contact.NONE);
    }

    /** A message about a session. */
    sealed interface Message permits Brief, Description {
        int session();
    }

    /** The stream. */
    record Brief(Announcement announcement) implements Message {
        @Override
        public int session() {
            return announcement.session();
        }
    }

    /** The camera of a stream; still zipped. */
    static final class Description implements Message {
        private final int session;
        private final byte[] zipped;

        Description(int session, byte[] zipped) {
            this.session = session;
            this.zipped = zipped;
        }

        @Override
        public int session() {
            return session;
        }

        /** Its length as it came. */
        int bytes() {
            return zipped.length;
        }

        /**
         * Unzips it.
         *
         * @param properties what the camera says of itself
         * @throws DistributionException if it is damaged or too large
         */
        Camera camera(Map<String, String> properties) {
            try (InputStream from = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
                byte[] plain = from.readNBytes(MAX_CAMERA_BYTES + 1);
                if (plain.length > MAX_CAMERA_BYTES) {
                    throw new DistributionException("Settings and GenICam XML of the camera are larger than "
                            + MAX_CAMERA_BYTES + " bytes and refused");
                }
                ByteBuffer bytes = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
                String settings = new String(piece(bytes).orElse(new byte[0]), StandardCharsets.UTF_8);
                return new Camera(properties, settings, piece(bytes), piece(bytes));
            } catch (IOException | BufferUnderflowException e) {
                throw new DistributionException("Settings and GenICam XML of the camera are damaged", e);
            }
        }

        private static Optional<byte[]> piece(ByteBuffer from) {
            int length = from.getInt();
            if (length < 0 || length > from.remaining()) {
                throw new BufferUnderflowException();
            }
            byte[] bytes = new byte[length];
            from.get(bytes);
            return length == 0 ? Optional.empty() : Optional.of(bytes);
        }
    }

    /** As a message. */
    byte[] toBytes() {
        ByteArrayOutputStream texts = new ByteArrayOutputStream();
        text(texts, name);
        properties.entrySet().stream().limit(MAX_PROPERTIES).forEach(property -> {
            text(texts, property.getKey());
            text(texts, property.getValue());
        });
        texts.writeBytes(contact.toBytes());
        byte[] rest = texts.toByteArray();
        return header(BRIEF, stream, session, rest.length + 10)
                .putLong(flowBytes)
                .putShort((short) Math.min(MAX_PROPERTIES, properties.size()))
                .put(rest)
                .array();
    }

    /** A camera that is zipped as a message about a session; larger than that by {@link #HEADER_BYTES}. */
    static byte[] toBytes(int stream, int session, byte[] zipped) {
        return header(CAMERA, stream, session, zipped.length).put(zipped).array();
    }

    /** All that is known of a camera. */
    static byte[] zipped(Camera camera) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream to = new GZIPOutputStream(zipped)) {
            for (byte[] piece : new byte[][] {
                camera.settings().getBytes(StandardCharsets.UTF_8),
                camera.registers().orElse(new byte[0]),
                camera.xml().orElse(new byte[0])
            }) {
                to.write(ByteBuffer.allocate(4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(piece.length)
                        .array());
                to.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Memory cannot be written", e);
        }
        return zipped.toByteArray();
    }

    private static ByteBuffer header(int type, int stream, int session, int bodyBytes) {
        return ByteBuffer.allocate(HEADER_BYTES + bodyBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) type)
                .putShort((short) stream)
                .putInt(session);
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_TEXT_BYTES);
        to.write(length);
        to.write(length >>> 8);
        to.write(bytes, 0, length);
    }

    /**
     * Reads a message.
     *
     * @param message from position to limit
     * @return empty when it is none, or contradicts itself
     */
    static Optional<Message> parse(ByteBuffer message) {
        ByteBuffer from = message.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (from.getInt() != MAGIC || from.get() != VERSION) {
                return Optional.empty();
            }
            int type = from.get();
            int stream = Short.toUnsignedInt(from.getShort());
            int session = from.getInt();
            if (type == CAMERA) {
                byte[] zipped = new byte[from.remaining()];
                from.get(zipped);
                return Optional.of(new Description(session, zipped));
            }
            return type == BRIEF ? brief(from, stream, session) : Optional.empty();
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static Optional<Message> brief(ByteBuffer from, int stream, int session) {
        long flowBytes = from.getLong();
        int count = Short.toUnsignedInt(from.getShort());
        if (flowBytes < 0 || flowBytes > MAX_FLOW_BYTES || count > MAX_PROPERTIES) {
            return Optional.empty();
        }
        String name = text(from);
        Map<String, String> properties = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            properties.put(text(from), text(from));
        }
        return Optional.of(
                new Brief(new Announcement(stream, session, flowBytes, name, properties, Contact.read(from))));
    }

    private static String text(ByteBuffer from) {
        int length = Short.toUnsignedInt(from.getShort());
        if (length > MAX_TEXT_BYTES) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
