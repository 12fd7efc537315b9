package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * The asking side is ready: local id 4, remote id 4, private data 224 bytes.
 *
 * @param header header
 * @param localId identifier of the asking side
 * @param remoteId identifier of the asked side
 * @param privateData what the application says
 */
record CmRtu(CmHeader header, int localId, int remoteId, CmBytes privateData) implements CmMessage {
    /** Private data in bytes. */
    static final int PRIVATE_DATA_BYTES = 224;

    /** Checks the ranges. */
    public CmRtu {
        CmMessage.checkHeader(header, ATTRIBUTE_RTU);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmRtu read(CmHeader header, ByteBuffer from) {
        return new CmRtu(header, from.getInt(0), from.getInt(4), CmBytes.read(from, 8, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId);
        privateData.write(to, 8);
    }

    @Override
    public String toString() {
        return CmMessage.ids("RTU", this) + " " + privateData;
    }
}
