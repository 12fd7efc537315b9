package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A way between two ports.
 *
 * <pre>
 *  0  2  local LID                  36  20 bit flow label, 6 reserved, 6 packet rate
 *  2  2  remote LID                 40  1  traffic class
 *  4 16  local GID                  41  1  hop limit
 * 20 16  remote GID                 42  4 bit service level, 1 subnet local, 3 reserved
 *                                   43  5 bit acknowledge timeout, 3 reserved
 * </pre>
 *
 * @param localLid ignored over Ethernet
 * @param remoteLid ignored over Ethernet
 * @param localGid where the peer sends to
 * @param remoteGid the peer
 * @param flowLabel 20 bit
 * @param packetRate 6 bit
 * @param trafficClass becomes the type of service of the peer's packets
 * @param hopLimit becomes the time to live of the peer's packets
 * @param serviceLevel 4 bit
 * @param subnetLocal whether both ports are in one subnet
 * @param ackTimeoutExponent timeout of the peer's requests
 * @param reserved the 6, 3 and 3 reserved bits, one after the other
 */
record CmPath(
        int localLid,
        int remoteLid,
        CmGid localGid,
        CmGid remoteGid,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeoutExponent,
        int reserved) {
    static final int LENGTH_BYTES = 44;
    /** No path. */
    static final CmPath NONE = new CmPath(0, 0, new CmGid(0, 0), new CmGid(0, 0), 0, 0, 0, 0, 0, false, 0, 0);

    private static final int ANY_LID = 0xFFFF;
    private static final int HOP_LIMIT = 64;

    /** Checks the ranges. */
    public CmPath {
        CmMessage.check("localLid", localLid, 16);
        CmMessage.check("remoteLid", remoteLid, 16);
        Objects.requireNonNull(localGid, "localGid");
        Objects.requireNonNull(remoteGid, "remoteGid");
        CmMessage.check("flowLabel", flowLabel, 20);
        CmMessage.check("packetRate", packetRate, 6);
        CmMessage.check("trafficClass", trafficClass, 8);
        CmMessage.check("hopLimit", hopLimit, 8);
        CmMessage.check("serviceLevel", serviceLevel, 4);
        CmMessage.check("ackTimeoutExponent", ackTimeoutExponent, 5);
        CmMessage.check("reserved", reserved, 12);
    }

    /** A routed way between two IPv4 addresses. */
    static CmPath ipv4(int local, int remote, int trafficClass, int ackTimeoutExponent) {
        return new CmPath(
                ANY_LID,
                ANY_LID,
                CmGid.ofIpv4(local),
                CmGid.ofIpv4(remote),
                0,
                0,
                trafficClass,
                HOP_LIMIT,
                0,
                false,
                ackTimeoutExponent,
                0);
    }

    static CmPath read(ByteBuffer from, int offset) {
        int flow = from.getInt(offset + 36);
        int level = from.get(offset + 42);
        int timeout = from.get(offset + 43);
        return new CmPath(
                CmMessage.unsignedShort(from, offset),
                CmMessage.unsignedShort(from, offset + 2),
                new CmGid(from.getLong(offset + 4), from.getLong(offset + 12)),
                new CmGid(from.getLong(offset + 20), from.getLong(offset + 28)),
                flow >>> 12,
                flow & 0x3F,
                CmMessage.unsignedByte(from, offset + 40),
                CmMessage.unsignedByte(from, offset + 41),
                level >> 4 & 0xF,
                (level & 8) != 0,
                timeout >> 3 & 0x1F,
                (flow >> 6 & 0x3F) << 6 | (level & 7) << 3 | (timeout & 7));
    }

    void write(ByteBuffer to, int offset) {
        to.putShort(offset, (short) localLid).putShort(offset + 2, (short) remoteLid);
        to.putLong(offset + 4, localGid.high()).putLong(offset + 12, localGid.low());
        to.putLong(offset + 20, remoteGid.high()).putLong(offset + 28, remoteGid.low());
        to.putInt(offset + 36, flowLabel << 12 | (reserved & 0xFC0) | packetRate);
        to.put(offset + 40, (byte) trafficClass).put(offset + 41, (byte) hopLimit);
        to.put(offset + 42, (byte) (serviceLevel << 4 | (subnetLocal ? 8 : 0) | (reserved >> 3 & 7)));
        to.put(offset + 43, (byte) (ackTimeoutExponent << 3 | (reserved & 7)));
    }
}
