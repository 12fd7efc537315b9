package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * Reply to a request to disconnect: local id 4, remote id 4, private data 224 bytes.
 *
 * @param header header, with the transaction id of the request
 * @param localId identifier of the sending side
 * @param remoteId identifier of the receiving side
 * @param privateData what the application says
 */
record CmDrep(CmHeader header, int localId, int remoteId, CmBytes privateData) implements CmMessage {
    /** Private data in bytes. */
    static final int PRIVATE_DATA_BYTES = 224;

    /** Checks the ranges. */
    public CmDrep {
        CmMessage.checkHeader(header, ATTRIBUTE_DREP);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmDrep read(CmHeader header, ByteBuffer from) {
        return new CmDrep(header, from.getInt(0), from.getInt(4), CmBytes.read(from, 8, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId);
        privateData.write(to, 8);
    }

    @Override
    public String toString() {
        return CmMessage.ids("DREP", this) + " " + privateData;
    }
}
