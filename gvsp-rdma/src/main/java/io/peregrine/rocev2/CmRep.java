package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Reply to a request: accepted.
 *
 * <pre>
 *  0  4  local id       16  3  EE context         26  5 bit acknowledge delay, 2 failover, 1 flow control
 *  4  4  remote id      19  1  vendor, middle     27  3 bit RNR retries, 1 SRQ, 4 reserved
 *  8  4  queue key      20  3  starting PSN       28  8  GUID of the adapter
 * 12  3  queue pair     23  1  vendor, low        36 196 private data
 * 15  1  vendor, high   24  1  responder resources
 *                       25  1  initiator depth
 * </pre>
 *
 * @param header header
 * @param localId identifier of the asked side
 * @param remoteId identifier of the asking side
 * @param queueKey 0
 * @param queuePairNumber the asked side's queue pair
 * @param vendor 0
 * @param eeContext 0
 * @param startingPsn first packet sequence number that the asking side must send
 * @param responderResources reads that the asked side serves at a time
 * @param initiatorDepth reads that the asked side has outstanding at a time
 * @param ackDelay time code of the asked side's slowest acknowledgement
 * @param failover answer to the offer of an alternate path
 * @param flowControl end-to-end flow control
 * @param rnrRetryCount how often the asking side's queue pair sends again for lack of a receive; 7 indefinitely
 * @param sharedReceiveQueue whether the asked side's receives are shared
 * @param reserved 0
 * @param caGuid the asked side's adapter
 * @param privateData what the application says
 */
record CmRep(
        CmHeader header,
        int localId,
        int remoteId,
        int queueKey,
        int queuePairNumber,
        int vendor,
        int eeContext,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int ackDelay,
        int failover,
        boolean flowControl,
        int rnrRetryCount,
        boolean sharedReceiveQueue,
        int reserved,
        long caGuid,
        CmBytes privateData)
        implements CmMessage {
    /** Private data of a reply in bytes. */
    static final int PRIVATE_DATA_BYTES = 196;

    private static final int PRIVATE_DATA_OFFSET = 36;

    /** Checks the ranges. */
    public CmRep {
        CmMessage.checkHeader(header, ATTRIBUTE_REP);
        CmMessage.check("queuePairNumber", queuePairNumber, 24);
        CmMessage.check("vendor", vendor, 24);
        CmMessage.check("eeContext", eeContext, 24);
        CmMessage.check("startingPsn", startingPsn, 24);
        CmMessage.check("responderResources", responderResources, 8);
        CmMessage.check("initiatorDepth", initiatorDepth, 8);
        CmMessage.check("ackDelay", ackDelay, 5);
        CmMessage.check("failover", failover, 2);
        CmMessage.check("rnrRetryCount", rnrRetryCount, 3);
        CmMessage.check("reserved", reserved, 4);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmRep read(CmHeader header, ByteBuffer from) {
        int delay = from.get(26);
        int retries = from.get(27);
        return new CmRep(
                header,
                from.getInt(0),
                from.getInt(4),
                from.getInt(8),
                from.getInt(12) >>> 8,
                CmMessage.unsignedByte(from, 15) << 16
                        | CmMessage.unsignedByte(from, 19) << 8
                        | CmMessage.unsignedByte(from, 23),
                from.getInt(16) >>> 8,
                from.getInt(20) >>> 8,
                CmMessage.unsignedByte(from, 24),
                CmMessage.unsignedByte(from, 25),
                delay >> 3 & 0x1F,
                delay >> 1 & 3,
                (delay & 1) != 0,
                retries >> 5 & 7,
                (retries & 0x10) != 0,
                retries & 0xF,
                from.getLong(28),
                CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId).putInt(8, queueKey);
        to.putInt(12, queuePairNumber << 8 | vendor >> 16);
        to.putInt(16, eeContext << 8 | (vendor >> 8 & 0xFF));
        to.putInt(20, startingPsn << 8 | (vendor & 0xFF));
        to.put(24, (byte) responderResources).put(25, (byte) initiatorDepth);
        to.put(26, (byte) (ackDelay << 3 | failover << 1 | (flowControl ? 1 : 0)));
        to.put(27, (byte) (rnrRetryCount << 5 | (sharedReceiveQueue ? 0x10 : 0) | reserved));
        to.putLong(28, caGuid);
        privateData.write(to, PRIVATE_DATA_OFFSET);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s CA GUID %016x queue pair %06x PSN %06x RNR retries %d %s",
                CmMessage.ids("REP", this),
                caGuid,
                queuePairNumber,
                startingPsn,
                rnrRetryCount,
                privateData);
    }
}
