package io.peregrine.gvcp;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A status code of an acknowledge. Codes that no standard defines are values like any other.
 *
 * @param code 16 bits
 * @param name the standard's name, or the number in hex
 * @param description what it means, in words
 */
public record GvcpStatus(int code, String name, String description) {

    /** Success. */
    public static final GvcpStatus SUCCESS = new GvcpStatus(0x0000, "SUCCESS", "success");

    /** The packet was sent again. */
    public static final GvcpStatus PACKET_RESEND = new GvcpStatus(0x0100, "PACKET_RESEND", "the packet was sent again");

    /** The device does not know the command. */
    public static final GvcpStatus NOT_IMPLEMENTED =
            new GvcpStatus(0x8001, "NOT_IMPLEMENTED", "the device does not know the command");

    /** A parameter of the command is out of range. */
    public static final GvcpStatus INVALID_PARAMETER =
            new GvcpStatus(0x8002, "INVALID_PARAMETER", "a parameter of the command is out of range");

    /** The address does not exist. */
    public static final GvcpStatus INVALID_ADDRESS =
            new GvcpStatus(0x8003, "INVALID_ADDRESS", "the address does not exist");

    /** The register is read only. */
    public static final GvcpStatus WRITE_PROTECT = new GvcpStatus(0x8004, "WRITE_PROTECT", "the register is read only");

    /** Address or length is not a multiple of 4. */
    public static final GvcpStatus BAD_ALIGNMENT =
            new GvcpStatus(0x8005, "BAD_ALIGNMENT", "address or length is not a multiple of 4");

    /** Another application holds the device, or the register cannot be accessed now. */
    public static final GvcpStatus ACCESS_DENIED = new GvcpStatus(
            0x8006, "ACCESS_DENIED", "another application holds the device, or the register cannot be accessed now");

    /** The device is busy. */
    public static final GvcpStatus BUSY = new GvcpStatus(0x8007, "BUSY", "the device is busy");

    /** Problem inside the device (deprecated). */
    public static final GvcpStatus LOCAL_PROBLEM =
            new GvcpStatus(0x8008, "LOCAL_PROBLEM", "problem inside the device (deprecated)");

    /** Mismatch between message and answer (deprecated). */
    public static final GvcpStatus MSG_MISMATCH =
            new GvcpStatus(0x8009, "MSG_MISMATCH", "mismatch between message and answer (deprecated)");

    /** Protocol version not supported (deprecated). */
    public static final GvcpStatus INVALID_PROTOCOL =
            new GvcpStatus(0x800A, "INVALID_PROTOCOL", "protocol version not supported (deprecated)");

    /** Timeout inside the device (deprecated). */
    public static final GvcpStatus NO_MSG = new GvcpStatus(0x800B, "NO_MSG", "timeout inside the device (deprecated)");

    /** The packet is not available any more. */
    public static final GvcpStatus PACKET_UNAVAILABLE =
            new GvcpStatus(0x800C, "PACKET_UNAVAILABLE", "the packet is not available any more");

    /** The device's memory overran. */
    public static final GvcpStatus DATA_OVERRUN = new GvcpStatus(0x800D, "DATA_OVERRUN", "the device's memory overran");

    /** The header is not valid. */
    public static final GvcpStatus INVALID_HEADER = new GvcpStatus(0x800E, "INVALID_HEADER", "the header is not valid");

    /** Wrong configuration (deprecated). */
    public static final GvcpStatus WRONG_CONFIG =
            new GvcpStatus(0x800F, "WRONG_CONFIG", "wrong configuration (deprecated)");

    /** The packet was not acquired yet. */
    public static final GvcpStatus PACKET_NOT_YET_AVAILABLE =
            new GvcpStatus(0x8010, "PACKET_NOT_YET_AVAILABLE", "the packet was not acquired yet");

    /** The packet and those before it are gone. */
    public static final GvcpStatus PACKET_AND_PREV_REMOVED_FROM_MEMORY =
            new GvcpStatus(0x8011, "PACKET_AND_PREV_REMOVED_FROM_MEMORY", "the packet and those before it are gone");

    /** The packet is gone. */
    public static final GvcpStatus PACKET_REMOVED_FROM_MEMORY =
            new GvcpStatus(0x8012, "PACKET_REMOVED_FROM_MEMORY", "the packet is gone");

    /** The device is not synchronised to a reference clock (GigE Vision 2.0). */
    public static final GvcpStatus NO_REF_TIME = new GvcpStatus(
            0x8013, "NO_REF_TIME", "the device is not synchronised to a reference clock (GigE Vision 2.0)");

    /** The packet cannot be sent again now (GigE Vision 2.0). */
    public static final GvcpStatus PACKET_TEMPORARILY_UNAVAILABLE = new GvcpStatus(
            0x8014, "PACKET_TEMPORARILY_UNAVAILABLE", "the packet cannot be sent again now (GigE Vision 2.0)");

    /** A queue of the device overflowed (GigE Vision 2.0). */
    public static final GvcpStatus OVERFLOW =
            new GvcpStatus(0x8015, "OVERFLOW", "a queue of the device overflowed (GigE Vision 2.0)");

    /** The scheduled action's time has passed (GigE Vision 2.0). */
    public static final GvcpStatus ACTION_LATE =
            new GvcpStatus(0x8016, "ACTION_LATE", "the scheduled action's time has passed (GigE Vision 2.0)");

    /** Leader or trailer does not fit a packet (GigE Vision 2.1). */
    public static final GvcpStatus LEADER_TRAILER_OVERFLOW = new GvcpStatus(
            0x8017, "LEADER_TRAILER_OVERFLOW", "leader or trailer does not fit a packet (GigE Vision 2.1)");

    /** An error without a specific code. */
    public static final GvcpStatus ERROR = new GvcpStatus(0x8FFF, "ERROR", "an error without a specific code");

    private static final List<GvcpStatus> STANDARD = List.of(
            SUCCESS,
            PACKET_RESEND,
            NOT_IMPLEMENTED,
            INVALID_PARAMETER,
            INVALID_ADDRESS,
            WRITE_PROTECT,
            BAD_ALIGNMENT,
            ACCESS_DENIED,
            BUSY,
            LOCAL_PROBLEM,
            MSG_MISMATCH,
            INVALID_PROTOCOL,
            NO_MSG,
            PACKET_UNAVAILABLE,
            DATA_OVERRUN,
            INVALID_HEADER,
            WRONG_CONFIG,
            PACKET_NOT_YET_AVAILABLE,
            PACKET_AND_PREV_REMOVED_FROM_MEMORY,
            PACKET_REMOVED_FROM_MEMORY,
            NO_REF_TIME,
            PACKET_TEMPORARILY_UNAVAILABLE,
            OVERFLOW,
            ACTION_LATE,
            LEADER_TRAILER_OVERFLOW,
            ERROR);

    private static final Map<Integer, GvcpStatus> BY_CODE =
            STANDARD.stream().collect(Collectors.toUnmodifiableMap(GvcpStatus::code, Function.identity()));

    /** Checks the range. */
    public GvcpStatus {
        Wire.requireU16("status", code);
    }

    /**
     * The status of a code.
     *
     * @param code 16 bits
     * @return the standard's status, or one named by the number
     */
    public static GvcpStatus of(int code) {
        GvcpStatus known = BY_CODE.get(code);
        return known != null
                ? known
                : new GvcpStatus(code, String.format(Locale.ROOT, "0x%04X", code), "a status specific to the device");
    }

    /**
     * Every status that the standard defines.
     *
     * @return in the order of the codes
     */
    public static List<GvcpStatus> standard() {
        return STANDARD;
    }

    /**
     * Whether it is a success: failures have the highest bit set.
     *
     * @return true if the command was carried out
     */
    public boolean success() {
        return (code & 0x8000) == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GvcpStatus that && that.code == code;
    }

    @Override
    public int hashCode() {
        return code;
    }

    @Override
    public String toString() {
        return name;
    }
}
