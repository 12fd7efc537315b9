package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * Reply to a request to disconnect.
 *
 * @param header header, with the transaction id of the request
 * @param localId identifier of the sending side
 * @param remoteId identifier of the receiving side
 * @param privateData what the application says
 */
record CmDrep(CmHeader header, int localId, int remoteId, CmBytes privateData) implements CmPlain {
    /** Checks the ranges. */
    public CmDrep {
        CmMessage.checkHeader(header, ATTRIBUTE_DREP);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    /** The reply to a request. */
    static CmDrep to(CmDreq dreq) {
        return new CmDrep(
                CmHeader.of(ATTRIBUTE_DREP, dreq.header().transactionId()),
                /* localId= */ dreq.remoteId(),
                /* remoteId= */ dreq.localId(),
                CmBytes.none(PRIVATE_DATA_BYTES));
    }

    static CmDrep read(CmHeader header, ByteBuffer from) {
        return new CmDrep(header, from.getInt(0), from.getInt(4), CmPlain.privateData(from));
    }

    @Override
    public String toString() {
        return CmMessage.ids("DREP", this) + " " + privateData;
    }
}
