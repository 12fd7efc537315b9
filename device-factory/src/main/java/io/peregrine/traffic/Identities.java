package io.peregrine.traffic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part, and the placeholders that stand for it: the same one for the same host, camera, address or text
 * wherever it appears. First everything is learned, then it is replaced. What is learned is bounded; when it is
 * {@link #full}, nothing more may be written down.
 */
final class Identities {
    /** What a host is known for. */
    enum Role {
        CAMERA,
        HOST,
        OTHER
    }

    private static final int MAX_LEARNED = 1 << 16;
    private static final int MAX_TEXTS = 1 << 8;
    private static final int LEAST_TEXT_BYTES = 3;
    /** A run of printable characters from here on is taken for a text. */
    private static final int TEXT_RUN_BYTES = 6;

    private static final Pattern WRITTEN_ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private static final int MAC_BYTES = 6;
    private static final int GUID_BYTES = 8;
    private static final long MAC_MASK = 0xFFFF_FFFF_FFFFL;
    private static final int MULTICAST_BLOCK = 0xE;
    private static final int PRIVATE_16 = 0xC0A8;

    private final Map<Integer, Role> roles = new LinkedHashMap<>();
    private final Map<Integer, String> names = new HashMap<>();
    private final Set<Integer> prefixes = new HashSet<>(Set.of(PRIVATE_16));
    private final Map<Long, String> macs = new LinkedHashMap<>();
    private final Map<Long, String> guids = new LinkedHashMap<>();
    private final List<Text> texts = new ArrayList<>();
    private boolean full;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside
    private record Text(byte[] bytes, String placeholder) {
        boolean at(byte[] data, int from) {
            if (from + bytes.length > data.length) {
                return false;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (data[from + i] != bytes[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Something to be replaced: how long it is, and what stands for it. */
    private record Found(int bytes, String placeholder) {}

    /** Whether there is more than can be learned. */
    boolean full() {
        return full;
    }

    private boolean room(int size, int most) {
        full |= size >= most;
        return size < most;
    }

    // ---- Learning

    /** An address that packets carry or registers hold; the role only rises. */
    void learnAddress(int address, Role role) {
        if (plain(address)) {
            return;
        }
        Role known = roles.get(address);
        if (known == null ? room(roles.size(), MAX_LEARNED) : role.ordinal() < known.ordinal()) {
            roles.put(address, role);
            prefixes.add(address >>> 16);
        }
    }

    /** Addresses that say nothing of anybody: none, and broadcast. */
    private static boolean plain(int address) {
        return address == 0 || address == -1;
    }

    void learnMac(long mac) {
        boolean group = (mac >> 40 & 1) != 0;
        if (mac != 0 && !group && !macs.containsKey(mac) && room(macs.size(), MAX_LEARNED)) {
            macs.put(mac, "mac-" + (macs.size() + 1));
        }
    }

    void learnGuid(long guid) {
        if (guid != 0 && !guids.containsKey(guid) && room(guids.size(), MAX_LEARNED)) {
            guids.put(guid, "guid-" + (guids.size() + 1));
        }
    }

    /** A text up to its first zero byte. */
    void learnText(String what, byte[] field) {
        int length = 0;
        while (length < field.length && field[length] != 0) {
            length++;
        }
        byte[] bytes = Arrays.copyOf(field, length);
        boolean known = texts.stream().anyMatch(text -> Arrays.equals(text.bytes, bytes));
        if (length >= LEAST_TEXT_BYTES && !known && room(texts.size(), MAX_TEXTS)) {
            texts.add(new Text(bytes, what));
            // The longest first: one may be part of another.
            texts.sort((one, other) -> Integer.compare(other.bytes.length, one.bytes.length));
        }
    }

    // ---- Replacing

    /** The name of a host, camera or group. Only when all is learned. */
    String endpoint(int address) {
        if (plain(address)) {
            return address == 0 ? "none" : "broadcast";
        }
        if (names.isEmpty()) {
            int[] counts = new int[Role.values().length + 1];
            roles.forEach((known, role) -> {
                boolean group = known >>> 28 == MULTICAST_BLOCK;
                int kind = group ? Role.values().length : role.ordinal();
                names.put(known, (group ? "group" : name(role)) + "-" + ++counts[kind]);
            });
        }
        return names.getOrDefault(address, "address");
    }

    private static String name(Role role) {
        return switch (role) {
            case CAMERA -> "camera";
            case HOST -> "host";
            case OTHER -> "address";
        };
    }

    String guid(long guid) {
        return guid == 0 ? "none" : guids.getOrDefault(guid, "guid");
    }

    /** A global identifier or address of 16 bytes: the host, where it stands for an IPv4 address. */
    String port(byte[] identifier) {
        boolean none = true;
        boolean mapped = true;
        for (int i = 0; i < 12; i++) {
            none &= identifier[i] == 0;
            mapped &= identifier[i] == (i < 10 ? 0 : -1);
        }
        int address = word(identifier, 12);
        return none || mapped ? endpoint(address) : "gid";
    }

    /** What stands for a value of a register of 32 bits; empty where it may be shown. */
    Optional<String> register(int value) {
        Optional<String> address = address(value);
        if (address.isPresent()) {
            return address;
        }
        for (Map.Entry<Long, String> mac : macs.entrySet()) {
            if ((int) (long) mac.getKey() == value) {
                return Optional.of("<low half of " + mac.getValue() + ">");
            }
        }
        String decimal = Integer.toUnsignedString(value);
        return texts.stream()
                .filter(text -> new String(text.bytes, StandardCharsets.ISO_8859_1).equals(decimal))
                .map(text -> "<" + text.placeholder + ">")
                .findFirst();
    }

    private Optional<String> address(int value) {
        for (int candidate : new int[] {value, Integer.reverseBytes(value)}) {
            if (roles.containsKey(candidate)) {
                return Optional.of("<address of " + endpoint(candidate) + ">");
            }
        }
        return prefixes.contains(value >>> 16) || prefixes.contains(Integer.reverseBytes(value) >>> 16)
                ? Optional.of("<address>")
                : Optional.empty();
    }

    /** Bytes in hexadecimal digits, with placeholders for what is personal, and for texts. */
    String content(byte[] data) {
        StringBuilder content = new StringBuilder();
        int at = 0;
        while (at < data.length) {
            Found found = found(data, at);
            if (found == null) {
                if (content.length() > 0 && content.charAt(content.length() - 1) == '>') {
                    content.append(' ');
                }
                content.append(String.format(Locale.ROOT, "%02x", data[at]));
                at++;
            } else {
                content.append(content.length() > 0 ? " <" : "<")
                        .append(found.placeholder)
                        .append('>');
                at += found.bytes;
            }
        }
        return content.toString();
    }

    private @Nullable Found found(byte[] data, int at) {
        for (Text text : texts) {
            if (text.at(data, at)) {
                return new Found(text.bytes.length, text.placeholder);
            }
        }
        int left = data.length - at;
        if (left >= GUID_BYTES) {
            long value = (long) word(data, at) << 32 | Integer.toUnsignedLong(word(data, at + 4));
            String guid = guids.get(value);
            String mac = macs.get(macOf(value));
            if (guid != null || mac != null) {
                return new Found(GUID_BYTES, guid != null ? guid : "identifier of " + mac);
            }
        }
        if (left >= MAC_BYTES) {
            long mac = ((long) word(data, at) << 16 | (data[at + 4] & 0xFF) << 8 | (data[at + 5] & 0xFF)) & MAC_MASK;
            if (macs.containsKey(mac)) {
                return new Found(MAC_BYTES, macs.get(mac));
            }
        }
        if (left >= 4) {
            int value = word(data, at);
            Optional<String> address = at % 4 == 0 ? address(value) : exact(value);
            if (address.isPresent()) {
                return new Found(4, address.get().substring(1, address.get().length() - 1));
            }
        }
        int run = 0;
        while (at + run < data.length && data[at + run] >= 0x20 && data[at + run] < 0x7F) {
            run++;
        }
        return run >= TEXT_RUN_BYTES ? new Found(run, "text of " + run + " bytes") : null;
    }

    /** A text without what is personal in it, addresses that are written out included. */
    String plainText(String text) {
        String plain = text;
        for (Text known : texts) {
            plain = plain.replace(new String(known.bytes, StandardCharsets.ISO_8859_1), "<" + known.placeholder + ">");
        }
        plain = WRITTEN_ADDRESS
                .matcher(plain)
                .replaceAll(match -> roles.containsKey(ipv4(match.group())) ? "<address>" : match.group());
        StringBuilder clean = new StringBuilder();
        int at = 0;
        while (at < plain.length()) {
            Optional<String> placeholder =
                    written(plain, at, 12).filter(macs::containsKey).map(macs::get);
            if (placeholder.isPresent()) {
                clean.append('<').append(placeholder.get()).append('>');
                at += 12;
            } else if (written(plain, at, 8)
                    .filter(value -> roles.containsKey((int) (long) value))
                    .isPresent()) {
                clean.append("<address>");
                at += 8;
            } else {
                clean.append(plain.charAt(at));
                at++;
            }
        }
        return clean.toString();
    }

    /** The value of hexadecimal digits, empty if they are none. */
    private static Optional<Long> written(String text, int at, int digits) {
        if (at + digits > text.length()) {
            return Optional.empty();
        }
        long value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return Optional.empty();
            }
            value = value << 4 | digit;
        }
        return Optional.of(value);
    }

    private static int ipv4(String dotted) {
        int value = 0;
        for (String part : dotted.split("\\.", -1)) {
            value = value << 8 | (Integer.parseInt(part) & 0xFF);
        }
        return value;
    }

    private Optional<String> exact(int value) {
        return roles.containsKey(value) || roles.containsKey(Integer.reverseBytes(value))
                ? address(value)
                : Optional.empty();
    }

    /** The MAC address that an identifier of 64 bits is made of (EUI-64), with its local bit flipped or not. */
    private long macOf(long identifier) {
        if ((identifier >> 24 & 0xFFFF) != 0xFFFE) {
            return 0;
        }
        long mac = (identifier >>> 16 & 0xFFFF_FF00_0000L) | (identifier & 0xFF_FFFF);
        return macs.containsKey(mac) ? mac : mac ^ 0x0200_0000_0000L;
    }

    private static int word(byte[] data, int at) {
        return data[at] << 24 | (data[at + 1] & 0xFF) << 16 | (data[at + 2] & 0xFF) << 8 | (data[at + 3] & 0xFF);
    }
}
