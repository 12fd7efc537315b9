package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/**
 * Request to connect.
 *
 * <pre>
 *  0  4  local id                    36  3  local EE context       47  5 bit local response timeout, 3 retries
 *  4  4  reserved, vendor            39  1  initiator depth        48  2  partition key
 *  8  8  service id                  40  3  remote EE context      50  4 bit path MTU, 1 RDC exists, 3 RNR retries
 * 16  8  GUID of the adapter         43  5 bit remote response     51  4 bit most retries, 1 SRQ, 3 ext. transport
 * 24  4  reserved                        timeout, 2 transport,     52 44  primary path
 * 28  4  queue key                       1 flow control            96 44  alternate path
 * 32  3  queue pair                  44  3  starting PSN          140 92  private data
 * 35  1  responder resources
 * </pre>
 *
 * @param header header
 * @param localId identifier of the asking side
 * @param vendor 0
 * @param serviceId what is asked for: port space and port
 * @param caGuid the asking side's adapter
 * @param reserved 0
 * @param queueKey 0
 * @param queuePairNumber the asking side's queue pair
 * @param responderResources reads that the asking side serves at a time
 * @param localEeContext 0
 * @param initiatorDepth reads that the asking side has outstanding at a time
 * @param remoteEeContext 0
 * @param remoteResponseTimeout time code within which the asked side should answer
 * @param transportType 0 for a reliable connection
 * @param flowControl end-to-end flow control
 * @param startingPsn first packet sequence number that the asked side must send
 * @param localResponseTimeout time code within which the asking side answers
 * @param retryCount how often the asked side's queue pair sends again
 * @param partitionKey 0xFFFF
 * @param pathMtuCode 1 for 256 bytes of payload a packet to 5 for 4096
 * @param rdcExists 0
 * @param rnrRetryCount how often the asked side's queue pair sends again for lack of a receive; 7 indefinitely
 * @param maxRetries how often a message of the connection manager is sent again
 * @param sharedReceiveQueue whether the asking side's receives are shared
 * @param extendedTransport 0
 * @param primary the path
 * @param alternate none
 * @param privateData {@link CmAddress}, and what the application says
 */
record CmReq(
        CmHeader header,
        int localId,
        int vendor,
        long serviceId,
        long caGuid,
        int reserved,
        int queueKey,
        int queuePairNumber,
        int responderResources,
        int localEeContext,
        int initiatorDepth,
        int remoteEeContext,
        int remoteResponseTimeout,
        int transportType,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int partitionKey,
        int pathMtuCode,
        boolean rdcExists,
        int rnrRetryCount,
        int maxRetries,
        boolean sharedReceiveQueue,
        int extendedTransport,
        CmPath primary,
        CmPath alternate,
        CmBytes privateData)
        implements CmMessage {
    /** Private data of a request in bytes. */
    static final int PRIVATE_DATA_BYTES = 92;
    /** What of it is the application's. */
    static final int USER_DATA_BYTES = PRIVATE_DATA_BYTES - CmAddress.LENGTH_BYTES;
    /** Service ids of the port space that connections are in. */
    static final long TCP_PORT_SPACE = 0x0106_0000L;

    private static final int PRIVATE_DATA_OFFSET = 140;
    private static final int PRIMARY_OFFSET = 52;
    private static final int ALTERNATE_OFFSET = PRIMARY_OFFSET + CmPath.LENGTH_BYTES;

    /** Checks the ranges. */
    public CmReq {
        CmMessage.checkHeader(header, ATTRIBUTE_REQ);
        CmMessage.check("queuePairNumber", queuePairNumber, 24);
        CmMessage.check("responderResources", responderResources, 8);
        CmMessage.check("localEeContext", localEeContext, 24);
        CmMessage.check("initiatorDepth", initiatorDepth, 8);
        CmMessage.check("remoteEeContext", remoteEeContext, 24);
        CmMessage.check("remoteResponseTimeout", remoteResponseTimeout, 5);
        CmMessage.check("transportType", transportType, 2);
        CmMessage.check("startingPsn", startingPsn, 24);
        CmMessage.check("localResponseTimeout", localResponseTimeout, 5);
        CmMessage.check("retryCount", retryCount, 3);
        CmMessage.check("partitionKey", partitionKey, 16);
        CmMessage.check("pathMtuCode", pathMtuCode, 4);
        CmMessage.check("rnrRetryCount", rnrRetryCount, 3);
        CmMessage.check("maxRetries", maxRetries, 4);
        CmMessage.check("extendedTransport", extendedTransport, 3);
        Objects.requireNonNull(primary, "primary");
        Objects.requireNonNull(alternate, "alternate");
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmReq read(CmHeader header, ByteBuffer from) {
        int timeouts = from.get(43);
        int retries = from.get(47);
        int mtu = from.get(50);
        int shared = from.get(51);
        return new CmReq(
                header,
                from.getInt(0),
                from.getInt(4),
                from.getLong(8),
                from.getLong(16),
                from.getInt(24),
                from.getInt(28),
                from.getInt(32) >>> 8,
                CmMessage.unsignedByte(from, 35),
                from.getInt(36) >>> 8,
                CmMessage.unsignedByte(from, 39),
                from.getInt(40) >>> 8,
                timeouts >> 3 & 0x1F,
                timeouts >> 1 & 3,
                (timeouts & 1) != 0,
                from.getInt(44) >>> 8,
                retries >> 3 & 0x1F,
                retries & 7,
                CmMessage.unsignedShort(from, 48),
                mtu >> 4 & 0xF,
                (mtu & 8) != 0,
                mtu & 7,
                shared >> 4 & 0xF,
                (shared & 8) != 0,
                shared & 7,
                CmPath.read(from, PRIMARY_OFFSET),
                CmPath.read(from, ALTERNATE_OFFSET),
                CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, vendor).putLong(8, serviceId).putLong(16, caGuid);
        to.putInt(24, reserved).putInt(28, queueKey);
        to.putInt(32, queuePairNumber << 8 | responderResources);
        to.putInt(36, localEeContext << 8 | initiatorDepth);
        to.putInt(40, remoteEeContext << 8 | remoteResponseTimeout << 3 | transportType << 1 | (flowControl ? 1 : 0));
        to.putInt(44, startingPsn << 8 | localResponseTimeout << 3 | retryCount);
        to.putShort(48, (short) partitionKey);
        to.put(50, (byte) (pathMtuCode << 4 | (rdcExists ? 8 : 0) | rnrRetryCount));
        to.put(51, (byte) (maxRetries << 4 | (sharedReceiveQueue ? 8 : 0) | extendedTransport));
        primary.write(to, PRIMARY_OFFSET);
        alternate.write(to, ALTERNATE_OFFSET);
        privateData.write(to, PRIVATE_DATA_OFFSET);
    }

    @Override
    public int remoteId() {
        return 0;
    }

    /** Whether a port of the TCP port space is asked for. */
    boolean isTcpPort() {
        return (serviceId & ~0xFFFFL) == TCP_PORT_SPACE;
    }

    /** The port that is asked for. */
    int port() {
        return (int) (serviceId & 0xFFFF);
    }

    /** The header in the private data. */
    CmAddress address() {
        return CmAddress.of(privateData);
    }

    /** What the application says, zero padded. */
    byte[] userData() {
        return privateData.from(CmAddress.LENGTH_BYTES);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "REQ local id %08x service id %x CA GUID %016x queue pair %06x PSN %06x MTU code %d retries %d RNR"
                        + " retries %d %s to %s, %s %s",
                localId,
                serviceId,
                caGuid,
                queuePairNumber,
                startingPsn,
                pathMtuCode,
                retryCount,
                rnrRetryCount,
                primary.localGid(),
                primary.remoteGid(),
                address(),
                privateData);
    }
}
