package io.peregrine.traffic;

import static io.peregrine.gvcp.BootstrapRegister.*;

import io.peregrine.gvcp.StreamChannelRegister;
import java.util.Optional;
import java.util.regex.Pattern;

/** Registers whose value says who or where somebody is. */
enum PersonalRegister {
    /** Upper 16 bits of a MAC address. */
    MAC_HIGH_PART("MAC address"),
    /** Lower 32 bits of a MAC address. */
    MAC_LOW_PART("MAC address"),
    /** An IPv4 address. */
    ADDRESS("address"),
    /** The serial number. */
    SERIAL("serial number"),
    /** A name that the user gave the device. */
    USER("user-defined name"),
    /** Any text of the manufacturer. */
    INFO("manufacturer info"),
    /** Where the device description is; its address and length stay. */
    URL("URL"),
    /** A key that gives rights. */
    KEY("key"),
    /** The privilege; only its key is replaced. */
    PRIVILEGE("key"),
    /** A feature whose name says so. */
    NAMED("personal");

    private static final Pattern NAMES = Pattern.compile(
            "(?i).*(serial|userid|username|userdefined|deviceid$|mac(?!ro|hine)|ipaddress|gateway|host(?!port)|clockid"
                    + "|scda$|mcda$|password|location|owner|contact).*");

    private final String placeholder;

    PersonalRegister(String placeholder) {
        this.placeholder = placeholder;
    }

    /** What stands for its value. */
    String placeholder() {
        return placeholder;
    }

    /** What an address holds by the standard; empty where nothing personal is. */
    static Optional<PersonalRegister> at(long address) {
        if (address < 0 || address >= DEVICE_SPECIFIC) {
            return Optional.empty();
        }
        if (address >= INTERFACE_1 && address < INTERFACE_1 + (long) INTERFACE_STRIDE * (MAX_INTERFACES - 1)) {
            return ofInterface((int) (address - INTERFACE_1) % INTERFACE_STRIDE);
        }
        if (address >= StreamChannelRegister.BASE
                && address
                        < StreamChannelRegister.BASE
                                + (long) StreamChannelRegister.STRIDE * StreamChannelRegister.MAX_CHANNELS) {
            boolean destination = (address - StreamChannelRegister.BASE) % StreamChannelRegister.STRIDE / 4 * 4
                    == StreamChannelRegister.SCDA;
            return destination ? Optional.of(ADDRESS) : Optional.empty();
        }
        if (in(address, SERIAL_NUMBER, 16)) {
            return Optional.of(SERIAL);
        }
        if (in(address, USER_NAME, 16)) {
            return Optional.of(USER);
        }
        if (in(address, MANUFACTURER_INFO, 48)) {
            return Optional.of(INFO);
        }
        if (in(address, FIRST_URL, 1024)) {
            return Optional.of(URL);
        }
        if (in(address, ACTION_GROUP_KEY, 128 * ACTION_GROUP_STRIDE)) {
            return (address - ACTION_GROUP_KEY) % ACTION_GROUP_STRIDE < 4 ? Optional.of(KEY) : Optional.empty();
        }
        return switch ((int) address & ~3) {
            case MAC_HIGH -> Optional.of(MAC_HIGH_PART);
            case MAC_LOW -> Optional.of(MAC_LOW_PART);
            case CURRENT_IP_ADDRESS,
                    CURRENT_DEFAULT_GATEWAY,
                    PERSISTENT_IP_ADDRESS,
                    PERSISTENT_DEFAULT_GATEWAY,
                    PRIMARY_APPLICATION_IP_ADDRESS,
                    MESSAGE_CHANNEL_DESTINATION -> Optional.of(ADDRESS);
            case ACTION_DEVICE_KEY, CONTROL_SWITCHOVER_KEY -> Optional.of(KEY);
            case CONTROL_CHANNEL_PRIVILEGE -> Optional.of(PRIVILEGE);
            default -> Optional.empty();
        };
    }

    private static boolean in(long address, int first, int lengthBytes) {
        return address >= first && address < (long) first + lengthBytes;
    }

    private static Optional<PersonalRegister> ofInterface(int offset) {
        return switch (offset & ~3) {
            case INTERFACE_MAC_HIGH_OFFSET -> Optional.of(MAC_HIGH_PART);
            case INTERFACE_MAC_LOW_OFFSET -> Optional.of(MAC_LOW_PART);
            case INTERFACE_IP_ADDRESS_OFFSET,
                    INTERFACE_DEFAULT_GATEWAY_OFFSET,
                    INTERFACE_PERSISTENT_IP_ADDRESS_OFFSET,
                    INTERFACE_PERSISTENT_DEFAULT_GATEWAY_OFFSET -> Optional.of(ADDRESS);
            default -> Optional.empty();
        };
    }

    /** Whether a feature of this name holds something personal. */
    static boolean named(String feature) {
        return NAMES.matcher(feature).matches();
    }
}
