package io.peregrine.gvcp;

import java.util.Map;
import java.util.Optional;

/**
 * Registers of a stream channel, as offsets in its block, and masks of their bits (GigE Vision 2.2). The masks apply to
 * the 32-bit value, where the standard counts bits from the other end.
 */
public final class StreamChannelRegister {
    /** First register of stream channel 0. */
    public static final int BASE = 0x0D00;

    /** Bytes from one stream channel to the next. */
    public static final int STRIDE = 0x40;

    /** Most stream channels of a device. */
    public static final int MAX_CHANNELS = 512;

    /**
     * Offset of SCP: stream channel port: direction, network interface and port of the host; port 0 closes the channel.
     */
    public static final int SCP = 0x00;

    /** Offset of SCPS: packet size and how packets are sent. */
    public static final int SCPS = 0x04;

    /** Offset of SCPD: packet delay in ticks of the timestamp. */
    public static final int SCPD = 0x08;

    /** Offset of SCDA: IPv4 address that packets go to. */
    public static final int SCDA = 0x18;

    /** Offset of SCSP: port that packets come from, in the lower 16 bits. */
    public static final int SCSP = 0x1C;

    /** Offset of SCC: what the channel can. */
    public static final int SCC = 0x20;

    /** Offset of SCCFG: switches features of the channel. */
    public static final int SCCFG = 0x24;

    /** Offset of SCZ: number of zones less one, in the lowest four bits. */
    public static final int SCZ = 0x28;

    /** Offset of SCZD: direction of the zones: bit 31 - i is set if zone i is sent bottom-up. */
    public static final int SCZD = 0x2C;

    /** Offset of SCMPC: most packets of a block (2.2). */
    public static final int SCMPC = 0x30;

    /** Offset of SCMBS high: upper 32 bits of the largest block in bytes (2.2). */
    public static final int SCMBS_HIGH = 0x34;

    /** Offset of SCMBS low: lower 32 bits of the largest block in bytes (2.2). */
    public static final int SCMBS_LOW = 0x38;

    /** Offset of SCEBA: address of the extended bootstrap block (2.2). */
    public static final int SCEBA = 0x3C;

    /** The channel receives. */
    public static final int SCP_DIRECTION_RECEIVER = 0x80000000;

    /** Index of the network interface. */
    public static final int SCP_INTERFACE_MASK = 0x000F0000;

    /** Port of the host. */
    public static final int SCP_HOST_PORT_MASK = 0x0000FFFF;

    /** Sends one test packet when written. */
    public static final int SCPS_FIRE_TEST_PACKET = 0x80000000;

    /** Packets are not to be fragmented. */
    public static final int SCPS_DO_NOT_FRAGMENT = 0x40000000;

    /** Pixels are big-endian. */
    public static final int SCPS_BIG_ENDIAN_PIXELS = 0x20000000;

    /** Packet size in bytes with the headers of IP, UDP and GVSP. */
    public static final int SCPS_PACKET_SIZE_MASK = 0x0000FFFF;

    /** Source port. */
    public static final int SCSP_SOURCE_PORT_MASK = 0x0000FFFF;

    /** Byte order of pixels can be chosen. */
    public static final int SCC_BIG_LITTLE_ENDIAN = 0x80000000;

    /** IP fragments can be put together. */
    public static final int SCC_IP_REASSEMBLY = 0x40000000;

    /** SCMPC exists (2.2). */
    public static final int SCC_MAX_PACKET_COUNT = 0x00000100;

    /** GenDC payload (2.2). */
    public static final int SCC_GENDC = 0x00000080;

    /** Multi-part payload (2.1). */
    public static final int SCC_MULTI_PART = 0x00000040;

    /** Leader and trailer as large as a packet (2.1). */
    public static final int SCC_LARGE_LEADER_TRAILER = 0x00000020;

    /** Several zones. */
    public static final int SCC_MULTI_ZONE = 0x00000010;

    /** Packets sent again can go to the one who asked. */
    public static final int SCC_RESEND_DESTINATION = 0x00000008;

    /** A block in a single packet. */
    public static final int SCC_ALL_IN = 0x00000004;

    /** Streaming continues without a controller. */
    public static final int SCC_UNCONDITIONAL_STREAMING = 0x00000002;

    /** Extended chunk data. */
    public static final int SCC_EXTENDED_CHUNK_DATA = 0x00000001;

    /** Switches GenDC payload on. */
    public static final int SCCFG_GENDC = 0x00000080;

    /** Switches multi-part payload on. */
    public static final int SCCFG_MULTI_PART = 0x00000040;

    /** Allows large leaders and trailers. */
    public static final int SCCFG_LARGE_LEADER_TRAILER = 0x00000020;

    /** Packets sent again go to the one who asked. */
    public static final int SCCFG_RESEND_DESTINATION = 0x00000008;

    /** Allows a block in a single packet. */
    public static final int SCCFG_ALL_IN = 0x00000004;

    /** Streaming continues without a controller. */
    public static final int SCCFG_UNCONDITIONAL_STREAMING = 0x00000002;

    /** Switches extended chunk data on. */
    public static final int SCCFG_EXTENDED_CHUNK_DATA = 0x00000001;

    /** Zones besides the first. */
    public static final int SCZ_ADDITIONAL_ZONES_MASK = 0x0000000F;

    /** Zone 0 is sent bottom-up; shift right by i for zone i. */
    public static final int SCZD_ZONE_0_BOTTOM_UP = 0x80000000;

    /** Offset in the extended bootstrap block: address of the GenDC descriptor. */
    public static final int SCGDA = 0x00;

    /** Offset in the extended bootstrap block: size of the GenDC descriptor in bytes. */
    public static final int SCGDS = 0x04;

    /** Offset in the extended bootstrap block: address of the flow mapping table. */
    public static final int SCGFTA = 0x08;

    /** Offset in the extended bootstrap block: size of the flow mapping table in bytes. */
    public static final int SCGFTS = 0x0C;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(SCP, "SCP"),
            Map.entry(SCPS, "SCPS"),
            Map.entry(SCPD, "SCPD"),
            Map.entry(SCDA, "SCDA"),
            Map.entry(SCSP, "SCSP"),
            Map.entry(SCC, "SCC"),
            Map.entry(SCCFG, "SCCFG"),
            Map.entry(SCZ, "SCZ"),
            Map.entry(SCZD, "SCZD"),
            Map.entry(SCMPC, "SCMPC"),
            Map.entry(SCMBS_HIGH, "SCMBS high"),
            Map.entry(SCMBS_LOW, "SCMBS low"),
            Map.entry(SCEBA, "SCEBA"));

    private StreamChannelRegister() {}

    /**
     * The address of a register of a channel.
     *
     * @param channel index of the stream channel, 0..511
     * @param offset one of the offsets of this class
     * @return the address
     */
    public static int address(int channel, int offset) {
        if (channel < 0 || channel >= MAX_CHANNELS) {
            throw new IllegalArgumentException("a stream channel is in 0..511, not " + channel);
        }
        return BASE + channel * STRIDE + offset;
    }

    static Optional<String> nameOf(int address) {
        if (address < BASE || address >= BASE + MAX_CHANNELS * STRIDE) {
            return Optional.empty();
        }
        int channel = (address - BASE) / STRIDE;
        return Optional.ofNullable(NAMES.get((address - BASE) % STRIDE))
                .map(name -> name + " of stream channel " + channel);
    }
}
