package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * The 36 bytes in front of the private data of a request that say between which IP addresses it connects, as the
 * connection manager of Linux writes them (dissector facts).
 *
 * <pre>
 *  0  1  version, 0
 *  1  1  IP version in the upper half
 *  2  2  port of the asking side
 *  4 16  address of the asking side, IPv4 in the last four bytes
 * 20 16  address of the asked side
 * </pre>
 *
 * @param version layout of the header; only 0 exists
 * @param ipVersion 4 or 6
 * @param reserved lower half of the byte with the IP version
 * @param sourcePort port of the asking side; the port of the asked side is in the service id
 * @param source address of the asking side
 * @param destination address of the asked side
 */
record CmAddress(int version, int ipVersion, int reserved, int sourcePort, CmBytes source, CmBytes destination) {
    static final int LENGTH_BYTES = 36;
    static final int VERSION = 0;
    static final int IPV4 = 4;

    private static final int ADDRESS_BYTES = 16;

    CmAddress {
        CmMessage.check("version", version, 8);
        CmMessage.check("ipVersion", ipVersion, 4);
        CmMessage.check("reserved", reserved, 4);
        CmMessage.check("sourcePort", sourcePort, 16);
        CmMessage.checkLength("source", source, ADDRESS_BYTES);
        CmMessage.checkLength("destination", destination, ADDRESS_BYTES);
    }

    /** Between two IPv4 addresses. */
    static CmAddress ipv4(int sourcePort, int source, int destination) {
        return new CmAddress(VERSION, IPV4, 0, sourcePort, mapped(source), mapped(destination));
    }

    /** Reads the header in the private data of a request. */
    static CmAddress of(CmBytes privateData) {
        ByteBuffer from = ByteBuffer.wrap(privateData.toArray());
        return new CmAddress(
                Byte.toUnsignedInt(from.get(0)),
                from.get(1) >> 4 & 0xF,
                from.get(1) & 0xF,
                Short.toUnsignedInt(from.getShort(2)),
                CmBytes.read(from, 4, ADDRESS_BYTES),
                CmBytes.read(from, 20, ADDRESS_BYTES));
    }

    /** The private data of a request: this header, and what the application says. */
    CmBytes with(byte[] privateData) {
        if (privateData.length > CmReq.USER_DATA_BYTES) {
            throw new IllegalArgumentException(privateData.length
                    + " bytes of private data do not fit into a request: give up to " + CmReq.USER_DATA_BYTES);
        }
        ByteBuffer to = ByteBuffer.allocate(CmReq.PRIVATE_DATA_BYTES);
        to.put((byte) version).put((byte) (ipVersion << 4 | reserved)).putShort((short) sourcePort);
        to.put(source.toArray()).put(destination.toArray()).put(privateData);
        return CmBytes.padded(to.array(), CmReq.PRIVATE_DATA_BYTES);
    }

    /** Whether this is the only layout there is, with IPv4 addresses. */
    boolean isIpv4() {
        return version == VERSION && ipVersion == IPV4;
    }

    /** Address of the asked side, if it is IPv4. */
    int destinationIpv4() {
        return (int) destination.getLong(8);
    }

    private static CmBytes mapped(int address) {
        return CmBytes.padded(
                ByteBuffer.allocate(ADDRESS_BYTES).putInt(12, address).array(), ADDRESS_BYTES);
    }

    @Override
    public String toString() {
        return "CMA " + version + " IPv" + ipVersion + " " + (isIpv4() ? CmGid.text((int) source.getLong(8)) : source)
                + ":" + sourcePort + " to " + (isIpv4() ? CmGid.text(destinationIpv4()) : destination);
    }
}
