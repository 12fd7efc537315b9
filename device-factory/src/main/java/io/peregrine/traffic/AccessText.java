package io.peregrine.traffic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.CameraXmlUrl;
import io.peregrine.gvcp.GvcpException;
import io.peregrine.traffic.GvcpMessage.Access;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Values of registers and memory as they may be shown. */
final class AccessText {
    /** What is shown of longer memory. */
    private static final int SHOWN_BYTES = 64;
    /** Of manufacturer, model and version. */
    private static final int NAME_BYTES = 32;

    private final Identities identities;
    private final Map<Integer, Integer> macHighs = new HashMap<>();

    AccessText(Identities identities) {
        this.identities = identities;
    }

    // ---- Learning

    /** Learns what a message says about who takes part. */
    void learn(GvcpMessage message, RegisterNames names) {
        int camera = message.command() ? message.destination() : message.source();
        if (message.device().length > 0) {
            learn(camera, new Access(0, message.device().length, message.device()), names);
        }
        for (Access access : message.accesses()) {
            if (access.known() && access.address() != GvcpMessage.UNKNOWN) {
                learn(camera, access, names);
            }
        }
    }

    private void learn(int camera, Access access, RegisterNames names) {
        ByteBuffer value = ByteBuffer.wrap(access.value());
        if (personalFeature(access, names).isPresent()) {
            if (access.register()) {
                identities.learnAddress(value.getInt(0), Identities.Role.OTHER);
            } else {
                identities.learnText(personalFeature(access, names).orElseThrow(), access.value());
            }
            return;
        }
        int at = 0;
        while (at < value.limit()) {
            Optional<PersonalRegister> kind = PersonalRegister.at(access.address() + at);
            int end = endOf(kind, access.address(), at, value.limit());
            if (kind.isPresent()) {
                learn(camera, kind.get(), Arrays.copyOfRange(access.value(), at, end));
            }
            at = end;
        }
    }

    private void learn(int camera, PersonalRegister kind, byte... value) {
        int word = value.length >= 4 ? ByteBuffer.wrap(value).getInt(0) : 0;
        switch (kind) {
            case ADDRESS -> identities.learnAddress(word, Identities.Role.OTHER);
            case MAC_HIGH_PART -> macHighs.put(camera, word & 0xFFFF);
            case MAC_LOW_PART ->
                identities.learnMac((long) macHighs.getOrDefault(camera, 0) << 32 | Integer.toUnsignedLong(word));
            case SERIAL, USER, INFO -> identities.learnText(kind.placeholder(), value);
            default -> {
                // Its place is enough to replace it.
            }
        }
    }

    private static Optional<String> personalFeature(Access access, RegisterNames names) {
        return names.name(access.address()).filter(PersonalRegister::named);
    }

    /** Where a run of bytes of the same kind ends. */
    private static int endOf(Optional<PersonalRegister> kind, long address, int from, int limit) {
        boolean word = kind.isPresent()
                && kind.get() != PersonalRegister.SERIAL
                && kind.get() != PersonalRegister.USER
                && kind.get() != PersonalRegister.INFO
                && kind.get() != PersonalRegister.URL;
        int end = from + 1;
        while (end < limit
                && PersonalRegister.at(address + end).equals(kind)
                && !(word && (address + end) % Integer.BYTES == 0)) {
            end++;
        }
        return end;
    }

    // ---- Showing

    /** A value; what is not shown of it is noted in the object. */
    String value(Access access, RegisterNames names, ObjectNode object) {
        Optional<String> feature = personalFeature(access, names);
        if (feature.isPresent()) {
            return replaced(access.value(), feature.get());
        }
        if (access.address() == GvcpMessage.UNKNOWN) {
            return access.register() ? register(access.number()) : shortened(access.value(), object);
        }
        if (access.register()) {
            return PersonalRegister.at(access.address())
                    .map(kind -> personal(kind, access.value()))
                    .orElseGet(() -> register(access.number()));
        }
        if (plainText(access)) {
            return text(ByteBuffer.wrap(access.value()), 0, access.value().length);
        }
        return shortened(access.address(), access.value(), object);
    }

    /** Whether it is one of the texts that may be shown, and nothing behind it. */
    private static boolean plainText(Access access) {
        return access.lengthBytes() <= NAME_BYTES
                && (access.address() == BootstrapRegister.MANUFACTURER_NAME
                        || access.address() == BootstrapRegister.MODEL_NAME
                        || access.address() == BootstrapRegister.DEVICE_VERSION);
    }

    /** A value of 32 bits of which nothing else is known. */
    String register(int value) {
        return identities.register(value).orElseGet(() -> hex(value));
    }

    private static String hex(int value) {
        return Transcript.hex(Integer.toUnsignedLong(value), 8);
    }

    private String personal(PersonalRegister kind, byte... value) {
        int word = value.length >= 4 ? ByteBuffer.wrap(value).getInt(0) : 0;
        return switch (kind) {
            case PRIVILEGE ->
                word >>> 16 == 0 ? hex(word) : hex(word & ~BootstrapRegister.CCP_SWITCHOVER_KEY_MASK) + " and <key>";
            case ADDRESS -> word == 0 ? hex(0) : identities.register(word).orElse("<address>");
            case URL -> url(value);
            default -> replaced(value, kind.placeholder());
        };
    }

    private static String replaced(byte[] value, String placeholder) {
        for (byte each : value) {
            if (each != 0) {
                return "<" + placeholder + ">";
            }
        }
        return "0";
    }

    /** The name of the file may say more than one wants. */
    private static String url(byte... value) {
        try {
            CameraXmlUrl url = CameraXmlUrl.parse(firstText(value));
            return url.scheme()
                    + (url.scheme() == CameraXmlUrl.Scheme.LOCAL
                            ? ";" + Transcript.hex(Integer.toUnsignedLong(url.address()), 1) + ";" + url.lengthBytes()
                            : "");
        } catch (GvcpException e) {
            return replaced(value, PersonalRegister.URL.placeholder());
        }
    }

    private static String firstText(byte... value) {
        int length = 0;
        while (length < value.length && value[length] != 0) {
            length++;
        }
        return new String(value, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** The text in a field, without what is personal in it. */
    String text(ByteBuffer from, int offset, int lengthBytes) {
        byte[] field = new byte[lengthBytes];
        from.get(offset, field);
        StringBuilder clean = new StringBuilder();
        for (char each : firstText(field).toCharArray()) {
            clean.append(each >= ' ' && each < 0x7F ? each : '?');
        }
        return identities.plainText(clean.toString());
    }

    /** The beginning of bytes that are of no known place. */
    String shortened(byte[] value, ObjectNode object) {
        if (value.length > SHOWN_BYTES) {
            object.put("bytesNotShown", value.length - SHOWN_BYTES);
        }
        return identities.content(Arrays.copyOf(value, Math.min(value.length, SHOWN_BYTES)));
    }

    private String shortened(long address, byte[] value, ObjectNode object) {
        if (PersonalRegister.at(address).filter(PersonalRegister.URL::equals).isPresent()) {
            return url(value);
        }
        int limit = Math.min(value.length, SHOWN_BYTES);
        if (value.length > limit) {
            object.put("bytesNotShown", value.length - limit);
        }
        StringBuilder shown = new StringBuilder();
        int at = 0;
        while (at < limit) {
            Optional<PersonalRegister> kind = PersonalRegister.at(address + at);
            int end = endOf(kind, address, at, limit);
            byte[] part = Arrays.copyOfRange(value, at, end);
            shown.append(at > 0 ? " " : "")
                    .append(kind.isPresent() ? personal(kind.get(), part) : identities.content(part));
            at = end;
        }
        return shown.toString();
    }
}
