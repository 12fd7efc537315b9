package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Request to disconnect: local id 4, remote id 4, queue pair 3, reserved 1, private data 220 bytes.
 *
 * @param header header
 * @param localId identifier of the sending side
 * @param remoteId identifier of the receiving side
 * @param remoteQueuePairNumber queue pair of the receiving side
 * @param reserved 0
 * @param privateData what the application says
 */
record CmDreq(CmHeader header, int localId, int remoteId, int remoteQueuePairNumber, int reserved, CmBytes privateData)
        implements CmMessage {
    /** Private data in bytes. */
    static final int PRIVATE_DATA_BYTES = 220;

    /** Checks the ranges. */
    public CmDreq {
        CmMessage.checkHeader(header, ATTRIBUTE_DREQ);
        CmMessage.check("remoteQueuePairNumber", remoteQueuePairNumber, 24);
        CmMessage.check("reserved", reserved, 8);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmDreq read(CmHeader header, ByteBuffer from) {
        return new CmDreq(
                header,
                from.getInt(0),
                from.getInt(4),
                from.getInt(8) >>> 8,
                CmMessage.unsignedByte(from, 11),
                CmBytes.read(from, 12, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId).putInt(8, remoteQueuePairNumber << 8 | reserved);
        privateData.write(to, 12);
    }

    @Override
    public String toString() {
        return CmMessage.ids("DREQ", this)
                + String.format(Locale.ROOT, " queue pair %06x ", remoteQueuePairNumber)
                + privateData;
    }
}
