package io.peregrine.gvcp;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Addresses of the registers that every GigE Vision device has, and masks of their bits (GigE Vision 2.2). The masks
 * apply to the 32-bit value, where the standard counts bits from the other end.
 */
public final class BootstrapRegister {
    /** GigE Vision version that the device implements. */
    public static final int VERSION = 0x0000;

    /** Class, link configuration and character set of the device. */
    public static final int DEVICE_MODE = 0x0004;

    /** Upper 16 bits of the MAC address of interface 0. */
    public static final int MAC_HIGH = 0x0008;

    /** Lower 32 bits of the MAC address of interface 0. */
    public static final int MAC_LOW = 0x000C;

    /** IP configurations and pause frames that interface 0 supports. */
    public static final int SUPPORTED_IP_CONFIGURATION = 0x0010;

    /** IP configurations that interface 0 has enabled. */
    public static final int CURRENT_IP_CONFIGURATION = 0x0014;

    /** IPv4 address of interface 0. */
    public static final int CURRENT_IP_ADDRESS = 0x0024;

    /** Subnet mask of interface 0. */
    public static final int CURRENT_SUBNET_MASK = 0x0034;

    /** Default gateway of interface 0. */
    public static final int CURRENT_DEFAULT_GATEWAY = 0x0044;

    /** Manufacturer, 32 bytes of text. */
    public static final int MANUFACTURER_NAME = 0x0048;

    /** Model, 32 bytes of text. */
    public static final int MODEL_NAME = 0x0068;

    /** Version of the device, 32 bytes of text. */
    public static final int DEVICE_VERSION = 0x0088;

    /** Further information of the manufacturer, 48 bytes of text. */
    public static final int MANUFACTURER_INFO = 0x00A8;

    /** Serial number, 16 bytes of text. */
    public static final int SERIAL_NUMBER = 0x00D8;

    /** Name given by the user, 16 bytes of text, can be written. */
    public static final int USER_NAME = 0x00E8;

    /** Where the device description is, 512 bytes of text. */
    public static final int FIRST_URL = 0x0200;

    /** Where else the device description is, 512 bytes of text. */
    public static final int SECOND_URL = 0x0400;

    /** Number of network interfaces. */
    public static final int NETWORK_INTERFACE_COUNT = 0x0600;

    /** IPv4 address that interface 0 keeps. */
    public static final int PERSISTENT_IP_ADDRESS = 0x064C;

    /** Subnet mask that interface 0 keeps. */
    public static final int PERSISTENT_SUBNET_MASK = 0x065C;

    /** Default gateway that interface 0 keeps. */
    public static final int PERSISTENT_DEFAULT_GATEWAY = 0x066C;

    /** Speed of interface 0 in Mb/s. */
    public static final int LINK_SPEED = 0x0670;

    /** Number of message channels. */
    public static final int MESSAGE_CHANNEL_COUNT = 0x0900;

    /** Number of stream channels, up to 512. */
    public static final int STREAM_CHANNEL_COUNT = 0x0904;

    /** Number of action signals. */
    public static final int ACTION_SIGNAL_COUNT = 0x0908;

    /** Key that an action command must carry. */
    public static final int ACTION_DEVICE_KEY = 0x090C;

    /** Number of active links, in the lowest four bits. */
    public static final int ACTIVE_LINK_COUNT = 0x0910;

    /** What all stream channels can. */
    public static final int STREAM_CHANNEL_CAPABILITY = 0x092C;

    /** What the message channel can. */
    public static final int MESSAGE_CHANNEL_CAPABILITY = 0x0930;

    /** Optional commands and features of the control channel. */
    public static final int GVCP_CAPABILITY = 0x0934;

    /** Milliseconds without a command after which the device drops its controller. */
    public static final int HEARTBEAT_TIMEOUT = 0x0938;

    /** Upper 32 bits of the ticks per second. */
    public static final int TIMESTAMP_TICK_FREQUENCY_HIGH = 0x093C;

    /** Lower 32 bits of the ticks per second. */
    public static final int TIMESTAMP_TICK_FREQUENCY_LOW = 0x0940;

    /** Latches or resets the timestamp. */
    public static final int TIMESTAMP_CONTROL = 0x0944;

    /** Upper 32 bits of the latched timestamp. */
    public static final int TIMESTAMP_VALUE_HIGH = 0x0948;

    /** Lower 32 bits of the latched timestamp. */
    public static final int TIMESTAMP_VALUE_LOW = 0x094C;

    /** Longest random delay of a discovery answer in milliseconds, in the lower 16 bits. */
    public static final int DISCOVERY_ACK_DELAY = 0x0950;

    /** Switches optional features of the control channel. */
    public static final int GVCP_CONFIGURATION = 0x0954;

    /** Longest time in milliseconds until a pending acknowledge. */
    public static final int PENDING_TIMEOUT = 0x0958;

    /** Key for taking over control, in the lower 16 bits. */
    public static final int CONTROL_SWITCHOVER_KEY = 0x095C;

    /** Switches features of all stream channels. */
    public static final int GVSP_CONFIGURATION = 0x0960;

    /** Link configurations that the device supports. */
    public static final int PHYSICAL_LINK_CAPABILITY = 0x0964;

    /** Link configuration after the next restart. */
    public static final int PHYSICAL_LINK_CONFIGURATION = 0x0968;

    /** State of the clock, in the lowest four bits. */
    public static final int IEEE_1588_STATUS = 0x096C;

    /** Scheduled actions that can wait. */
    public static final int SCHEDULED_ACTION_QUEUE_SIZE = 0x0970;

    /** Whether the profile registers exist (2.1). */
    public static final int IEEE_1588_EXTENDED_CAPABILITY = 0x0974;

    /** Clock profiles that the device supports (2.1). */
    public static final int IEEE_1588_SUPPORTED_PROFILES = 0x0978;

    /** Clock profile in use, in the lowest five bits (2.1). */
    public static final int IEEE_1588_SELECTED_PROFILE = 0x097C;

    /** CCP: who may write to the device. */
    public static final int CONTROL_CHANNEL_PRIVILEGE = 0x0A00;

    /** UDP port of the controlling application, in the lower 16 bits. */
    public static final int PRIMARY_APPLICATION_PORT = 0x0A04;

    /** IPv4 address of the controlling application. */
    public static final int PRIMARY_APPLICATION_IP_ADDRESS = 0x0A14;

    /** MCP: where events go; port 0 closes the channel. */
    public static final int MESSAGE_CHANNEL_PORT = 0x0B00;

    /** MCDA: IPv4 address that events go to. */
    public static final int MESSAGE_CHANNEL_DESTINATION = 0x0B10;

    /** MCTT: milliseconds the device waits for an answer to an event. */
    public static final int MESSAGE_CHANNEL_TIMEOUT = 0x0B14;

    /** MCRC: how often an event is repeated. */
    public static final int MESSAGE_CHANNEL_RETRY_COUNT = 0x0B18;

    /** MCSP: port that events come from, in the lower 16 bits. */
    public static final int MESSAGE_CHANNEL_SOURCE_PORT = 0x0B1C;

    /** MCCFG: switches features of the message channel (2.2). */
    public static final int MESSAGE_CHANNEL_CONFIGURATION = 0x0B20;

    /** First register of interface 1; see the {@code INTERFACE_} offsets. */
    public static final int INTERFACE_1 = 0x0680;

    /** First register of interface 2. */
    public static final int INTERFACE_2 = 0x0700;

    /** First register of interface 3. */
    public static final int INTERFACE_3 = 0x0780;

    /** Bytes from the registers of one interface (1 to 3) to those of the next. */
    public static final int INTERFACE_STRIDE = 0x80;

    /** Most network interfaces of a device. */
    public static final int MAX_INTERFACES = 4;

    /** Offset in the registers of interfaces 1 to 3: upper 16 bits of the MAC address. */
    public static final int INTERFACE_MAC_HIGH_OFFSET = 0x00;

    /** Offset in the registers of interfaces 1 to 3: lower 32 bits of the MAC address. */
    public static final int INTERFACE_MAC_LOW_OFFSET = 0x04;

    /** Offset in the registers of interfaces 1 to 3: supported IP configurations. */
    public static final int INTERFACE_CAPABILITY_OFFSET = 0x08;

    /** Offset in the registers of interfaces 1 to 3: current IP configuration. */
    public static final int INTERFACE_CONFIGURATION_OFFSET = 0x0C;

    /** Offset in the registers of interfaces 1 to 3: current IPv4 address. */
    public static final int INTERFACE_IP_ADDRESS_OFFSET = 0x1C;

    /** Offset in the registers of interfaces 1 to 3: current subnet mask. */
    public static final int INTERFACE_SUBNET_MASK_OFFSET = 0x2C;

    /** Offset in the registers of interfaces 1 to 3: current default gateway. */
    public static final int INTERFACE_DEFAULT_GATEWAY_OFFSET = 0x3C;

    /** Offset in the registers of interfaces 1 to 3: persistent IPv4 address. */
    public static final int INTERFACE_PERSISTENT_IP_ADDRESS_OFFSET = 0x4C;

    /** Offset in the registers of interfaces 1 to 3: persistent subnet mask. */
    public static final int INTERFACE_PERSISTENT_SUBNET_MASK_OFFSET = 0x5C;

    /** Offset in the registers of interfaces 1 to 3: persistent default gateway. */
    public static final int INTERFACE_PERSISTENT_DEFAULT_GATEWAY_OFFSET = 0x6C;

    /** Offset in the registers of interfaces 1 to 3: link speed in Mb/s. */
    public static final int INTERFACE_LINK_SPEED_OFFSET = 0x70;

    /** Manifest table. */
    public static final int MANIFEST_TABLE = 0x9000;

    /** Key of action group 0; that of group n is {@link #ACTION_GROUP_STRIDE} times n further. */
    public static final int ACTION_GROUP_KEY = 0x9800;

    /** Mask of action group 0. */
    public static final int ACTION_GROUP_MASK = 0x9804;

    /** Bytes from one action group to the next. */
    public static final int ACTION_GROUP_STRIDE = 0x10;

    /** First address of the manufacturer-specific registers. */
    public static final int DEVICE_SPECIFIC = 0xA000;

    /** Major version. */
    public static final int VERSION_MAJOR_MASK = 0xFFFF0000;

    /** Minor version. */
    public static final int VERSION_MINOR_MASK = 0x0000FFFF;

    /** Registers of the device are big-endian. */
    public static final int DEVICE_MODE_BIG_ENDIAN = 0x80000000;

    /** Class: 0 transmitter, 1 receiver, 2 transceiver, 3 peripheral. */
    public static final int DEVICE_MODE_CLASS_MASK = 0x70000000;

    /** Current link configuration: 0 single, 1 multiple, 2 static LAG, 3 dynamic LAG. */
    public static final int DEVICE_MODE_LINK_CONFIGURATION_MASK = 0x03000000;

    /** Character set: 1 UTF-8, 2 ASCII. */
    public static final int DEVICE_MODE_CHARACTER_SET_MASK = 0x0000000F;

    /** Part of the register that holds the address. */
    public static final int MAC_HIGH_MASK = 0x0000FFFF;

    /** Handles pause frames. */
    public static final int IP_PAUSE_HANDLE = 0x80000000;

    /** Generates pause frames. */
    public static final int IP_PAUSE_GENERATE = 0x40000000;

    /** Link-local address. */
    public static final int IP_LINK_LOCAL = 0x00000004;

    /** DHCP. */
    public static final int IP_DHCP = 0x00000002;

    /** Persistent address. */
    public static final int IP_PERSISTENT = 0x00000001;

    /** Number of active links. */
    public static final int ACTIVE_LINK_COUNT_MASK = 0x0000000F;

    /** SCSPx exists. */
    public static final int STREAM_CAPABILITY_SOURCE_PORT = 0x80000000;

    /** 16-bit block ids are possible. */
    public static final int STREAM_CAPABILITY_LEGACY_BLOCK_ID = 0x40000000;

    /** SCMBSx exists (2.2). */
    public static final int STREAM_CAPABILITY_MAX_BLOCK_SIZE = 0x20000000;

    /** SCEBAx exists (2.2). */
    public static final int STREAM_CAPABILITY_EXTENDED_BOOTSTRAP = 0x10000000;

    /** MCSP exists. */
    public static final int MESSAGE_CAPABILITY_SOURCE_PORT = 0x80000000;

    /** MCCFG exists (2.2). */
    public static final int MESSAGE_CAPABILITY_CONFIGURATION = 0x40000000;

    /** Several events in one command (2.2). */
    public static final int MESSAGE_CAPABILITY_EVENT_CONCATENATION = 0x20000000;

    /** User-defined name. */
    public static final int GVCP_CAPABILITY_USER_NAME = 0x80000000;

    /** Serial number. */
    public static final int GVCP_CAPABILITY_SERIAL_NUMBER = 0x40000000;

    /** Heartbeat can be switched off. */
    public static final int GVCP_CAPABILITY_HEARTBEAT_DISABLE = 0x20000000;

    /** Link speed register. */
    public static final int GVCP_CAPABILITY_LINK_SPEED = 0x10000000;

    /** Registers for port and address of the primary application. */
    public static final int GVCP_CAPABILITY_APPLICATION_REGISTERS = 0x08000000;

    /** Manifest table. */
    public static final int GVCP_CAPABILITY_MANIFEST = 0x04000000;

    /** Test packets carry test data. */
    public static final int GVCP_CAPABILITY_TEST_DATA = 0x02000000;

    /** Discovery delay register. */
    public static final int GVCP_CAPABILITY_DISCOVERY_ACK_DELAY = 0x01000000;

    /** Discovery delay can be written. */
    public static final int GVCP_CAPABILITY_DISCOVERY_ACK_DELAY_WRITABLE = 0x00800000;

    /** Status codes of 1.1. */
    public static final int GVCP_CAPABILITY_EXTENDED_STATUS_1_1 = 0x00400000;

    /** Switchover of the primary application. */
    public static final int GVCP_CAPABILITY_SWITCHOVER = 0x00200000;

    /** Actions without a controller. */
    public static final int GVCP_CAPABILITY_UNCONDITIONAL_ACTION = 0x00100000;

    /** IEEE 1588 clock. */
    public static final int GVCP_CAPABILITY_IEEE_1588 = 0x00080000;

    /** Status codes of 2.0. */
    public static final int GVCP_CAPABILITY_EXTENDED_STATUS_2_0 = 0x00040000;

    /** Scheduled actions. */
    public static final int GVCP_CAPABILITY_SCHEDULED_ACTION = 0x00020000;

    /** Extended IEEE 1588 capabilities (2.1). */
    public static final int GVCP_CAPABILITY_IEEE_1588_EXTENDED = 0x00010000;

    /** ACTION. */
    public static final int GVCP_CAPABILITY_ACTION = 0x00000040;

    /** PENDING_ACK. */
    public static final int GVCP_CAPABILITY_PENDING_ACK = 0x00000020;

    /** EVENTDATA. */
    public static final int GVCP_CAPABILITY_EVENT_DATA = 0x00000010;

    /** EVENT. */
    public static final int GVCP_CAPABILITY_EVENT = 0x00000008;

    /** PACKETRESEND. */
    public static final int GVCP_CAPABILITY_PACKET_RESEND = 0x00000004;

    /** WRITEMEM. */
    public static final int GVCP_CAPABILITY_WRITE_MEMORY = 0x00000002;

    /** Several registers in one READREG or WRITEREG. */
    public static final int GVCP_CAPABILITY_CONCATENATION = 0x00000001;

    /** Latches the timestamp. */
    public static final int TIMESTAMP_CONTROL_LATCH = 0x00000002;

    /** Resets the timestamp. */
    public static final int TIMESTAMP_CONTROL_RESET = 0x00000001;

    /** The delay. */
    public static final int DISCOVERY_ACK_DELAY_MASK = 0x0000FFFF;

    /** Switches the IEEE 1588 clock on. */
    public static final int GVCP_CONFIGURATION_IEEE_1588 = 0x00080000;

    /** Allows the status codes of 2.0. */
    public static final int GVCP_CONFIGURATION_EXTENDED_STATUS_2_0 = 0x00040000;

    /** Allows actions without a controller. */
    public static final int GVCP_CONFIGURATION_UNCONDITIONAL_ACTION = 0x00000008;

    /** Allows the status codes of 1.1. */
    public static final int GVCP_CONFIGURATION_EXTENDED_STATUS_1_1 = 0x00000004;

    /** Allows PENDING_ACK. */
    public static final int GVCP_CONFIGURATION_PENDING_ACK = 0x00000002;

    /** Switches the heartbeat off. */
    public static final int GVCP_CONFIGURATION_HEARTBEAT_DISABLE = 0x00000001;

    /** The key. */
    public static final int CONTROL_SWITCHOVER_KEY_MASK = 0x0000FFFF;

    /** 64-bit block ids. */
    public static final int GVSP_CONFIGURATION_EXTENDED_BLOCK_ID = 0x40000000;

    /** Dynamic link aggregation. */
    public static final int LINK_DYNAMIC_LAG = 0x00000008;

    /** Static link aggregation. */
    public static final int LINK_STATIC_LAG = 0x00000004;

    /** Multiple links. */
    public static final int LINK_MULTIPLE = 0x00000002;

    /** Single link. */
    public static final int LINK_SINGLE = 0x00000001;

    /** State of the clock. */
    public static final int IEEE_1588_CLOCK_STATE_MASK = 0x0000000F;

    /** The profile registers exist. */
    public static final int IEEE_1588_PROFILE_REGISTERS = 0x80000000;

    /** Default profile of PTP. */
    public static final int IEEE_1588_PROFILE_PTP = 0x80000000;

    /** Profile of IEEE 802.1AS. */
    public static final int IEEE_1588_PROFILE_802_1_AS = 0x40000000;

    /** The profile in use. */
    public static final int IEEE_1588_SELECTED_PROFILE_MASK = 0x0000001F;

    /** Key for taking over control. */
    public static final int CCP_SWITCHOVER_KEY_MASK = 0xFFFF0000;

    /** Another application may take over with the key. */
    public static final int CCP_SWITCHOVER_ENABLE = 0x00000004;

    /** Control access: others may read. */
    public static final int CCP_CONTROL = 0x00000002;

    /** Exclusive access: others may not even read. */
    public static final int CCP_EXCLUSIVE = 0x00000001;

    /** The port. */
    public static final int PRIMARY_APPLICATION_PORT_MASK = 0x0000FFFF;

    /** Index of the network interface. */
    public static final int MESSAGE_CHANNEL_INTERFACE_MASK = 0x000F0000;

    /** The port. */
    public static final int MESSAGE_CHANNEL_PORT_MASK = 0x0000FFFF;

    /** The source port. */
    public static final int MESSAGE_CHANNEL_SOURCE_PORT_MASK = 0x0000FFFF;

    /** Several events in one command (2.2). */
    public static final int MESSAGE_CONFIGURATION_EVENT_CONCATENATION = 0x80000000;

    private static final int MAX_ACTION_GROUPS = 128;

    private static final TreeMap<Long, Named> NAMES = new TreeMap<>();

    static {
        put(VERSION, 4, "Version");
        put(DEVICE_MODE, 4, "Device Mode");
        put(MAC_HIGH, 4, "Device MAC Address High");
        put(MAC_LOW, 4, "Device MAC Address Low");
        put(SUPPORTED_IP_CONFIGURATION, 4, "Network Interface Capability");
        put(CURRENT_IP_CONFIGURATION, 4, "Network Interface Configuration");
        put(CURRENT_IP_ADDRESS, 4, "Current IP Address");
        put(CURRENT_SUBNET_MASK, 4, "Current Subnet Mask");
        put(CURRENT_DEFAULT_GATEWAY, 4, "Current Default Gateway");
        put(MANUFACTURER_NAME, 32, "Manufacturer Name");
        put(MODEL_NAME, 32, "Model Name");
        put(DEVICE_VERSION, 32, "Device Version");
        put(MANUFACTURER_INFO, 48, "Manufacturer Info");
        put(SERIAL_NUMBER, 16, "Serial Number");
        put(USER_NAME, 16, "User-defined Name");
        put(FIRST_URL, 512, "First URL");
        put(SECOND_URL, 512, "Second URL");
        put(NETWORK_INTERFACE_COUNT, 4, "Number of Network Interfaces");
        put(PERSISTENT_IP_ADDRESS, 4, "Persistent IP Address");
        put(PERSISTENT_SUBNET_MASK, 4, "Persistent Subnet Mask");
        put(PERSISTENT_DEFAULT_GATEWAY, 4, "Persistent Default Gateway");
        put(LINK_SPEED, 4, "Link Speed");
        put(MESSAGE_CHANNEL_COUNT, 4, "Number of Message Channels");
        put(STREAM_CHANNEL_COUNT, 4, "Number of Stream Channels");
        put(ACTION_SIGNAL_COUNT, 4, "Number of Action Signals");
        put(ACTION_DEVICE_KEY, 4, "Action Device Key");
        put(ACTIVE_LINK_COUNT, 4, "Number of Active Links");
        put(STREAM_CHANNEL_CAPABILITY, 4, "GVSP Capability");
        put(MESSAGE_CHANNEL_CAPABILITY, 4, "Message Channel Capability");
        put(GVCP_CAPABILITY, 4, "GVCP Capability");
        put(HEARTBEAT_TIMEOUT, 4, "Heartbeat Timeout");
        put(TIMESTAMP_TICK_FREQUENCY_HIGH, 4, "Timestamp Tick Frequency High");
        put(TIMESTAMP_TICK_FREQUENCY_LOW, 4, "Timestamp Tick Frequency Low");
        put(TIMESTAMP_CONTROL, 4, "Timestamp Control");
        put(TIMESTAMP_VALUE_HIGH, 4, "Timestamp Value High");
        put(TIMESTAMP_VALUE_LOW, 4, "Timestamp Value Low");
        put(DISCOVERY_ACK_DELAY, 4, "Discovery ACK Delay");
        put(GVCP_CONFIGURATION, 4, "GVCP Configuration");
        put(PENDING_TIMEOUT, 4, "Pending Timeout");
        put(CONTROL_SWITCHOVER_KEY, 4, "Control Switchover Key");
        put(GVSP_CONFIGURATION, 4, "GVSP Configuration");
        put(PHYSICAL_LINK_CAPABILITY, 4, "Physical Link Configuration Capability");
        put(PHYSICAL_LINK_CONFIGURATION, 4, "Physical Link Configuration");
        put(IEEE_1588_STATUS, 4, "IEEE 1588 Status");
        put(SCHEDULED_ACTION_QUEUE_SIZE, 4, "Scheduled Action Command Queue Size");
        put(IEEE_1588_EXTENDED_CAPABILITY, 4, "IEEE 1588 Extended Capabilities");
        put(IEEE_1588_SUPPORTED_PROFILES, 4, "IEEE 1588 Supported Profiles");
        put(IEEE_1588_SELECTED_PROFILE, 4, "IEEE 1588 Selected Profile");
        put(CONTROL_CHANNEL_PRIVILEGE, 4, "Control Channel Privilege");
        put(PRIMARY_APPLICATION_PORT, 4, "Primary Application Port");
        put(PRIMARY_APPLICATION_IP_ADDRESS, 4, "Primary Application IP Address");
        put(MESSAGE_CHANNEL_PORT, 4, "Message Channel Port");
        put(MESSAGE_CHANNEL_DESTINATION, 4, "Message Channel Destination Address");
        put(MESSAGE_CHANNEL_TIMEOUT, 4, "Message Channel Transmission Timeout");
        put(MESSAGE_CHANNEL_RETRY_COUNT, 4, "Message Channel Retry Count");
        put(MESSAGE_CHANNEL_SOURCE_PORT, 4, "Message Channel Source Port");
        put(MESSAGE_CHANNEL_CONFIGURATION, 4, "Message Channel Configuration");
        Map<Integer, String> interfaceRegisters = Map.ofEntries(
                Map.entry(INTERFACE_MAC_HIGH_OFFSET, "upper 16 bits of the MAC address"),
                Map.entry(INTERFACE_MAC_LOW_OFFSET, "lower 32 bits of the MAC address"),
                Map.entry(INTERFACE_CAPABILITY_OFFSET, "supported IP configurations"),
                Map.entry(INTERFACE_CONFIGURATION_OFFSET, "current IP configuration"),
                Map.entry(INTERFACE_IP_ADDRESS_OFFSET, "current IPv4 address"),
                Map.entry(INTERFACE_SUBNET_MASK_OFFSET, "current subnet mask"),
                Map.entry(INTERFACE_DEFAULT_GATEWAY_OFFSET, "current default gateway"),
                Map.entry(INTERFACE_PERSISTENT_IP_ADDRESS_OFFSET, "persistent IPv4 address"),
                Map.entry(INTERFACE_PERSISTENT_SUBNET_MASK_OFFSET, "persistent subnet mask"),
                Map.entry(INTERFACE_PERSISTENT_DEFAULT_GATEWAY_OFFSET, "persistent default gateway"),
                Map.entry(INTERFACE_LINK_SPEED_OFFSET, "link speed in Mb/s"));
        for (int i = 1; i < MAX_INTERFACES; i++) {
            int base = INTERFACE_1 + (i - 1) * INTERFACE_STRIDE;
            String suffix = ", interface " + i;
            interfaceRegisters.forEach((offset, name) -> put(base + offset, Integer.BYTES, name + suffix));
        }
        for (int i = 0; i < MAX_ACTION_GROUPS; i++) {
            put(ACTION_GROUP_KEY + i * ACTION_GROUP_STRIDE, Integer.BYTES, "Action Group Key " + i);
            put(ACTION_GROUP_MASK + i * ACTION_GROUP_STRIDE, Integer.BYTES, "Action Group Mask " + i);
        }
    }

    private BootstrapRegister() {}

    private static void put(int address, int sizeBytes, String name) {
        NAMES.put((long) address, new Named(name, sizeBytes));
    }

    /**
     * The name of the register that contains an address, stream channels included.
     *
     * @param address any address, unsigned
     * @return the register's name, empty outside of the bootstrap registers
     */
    public static Optional<String> nameOf(int address) {
        long unsigned = Integer.toUnsignedLong(address);
        Map.Entry<Long, Named> entry = NAMES.floorEntry(unsigned);
        if (entry != null && unsigned < entry.getKey() + entry.getValue().sizeBytes) {
            return Optional.of(entry.getValue().name);
        }
        return StreamChannelRegister.nameOf(address);
    }

    /**
     * An address for people: with the register's name where there is one.
     *
     * @param address any address, unsigned
     * @return for example {@code Heartbeat Timeout (0x0938)}
     */
    public static String describe(int address) {
        String hex = String.format(Locale.ROOT, "0x%04X", address);
        return nameOf(address).map(name -> name + " (" + hex + ")").orElse(hex);
    }

    private record Named(String name, int sizeBytes) {}
}
