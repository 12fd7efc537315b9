package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * The asking side is ready.
 *
 * @param header header
 * @param localId identifier of the asking side
 * @param remoteId identifier of the asked side
 * @param privateData what the application says
 */
record CmRtu(CmHeader header, int localId, int remoteId, CmBytes privateData) implements CmPlain {
    /** Checks the ranges. */
    public CmRtu {
        CmMessage.checkHeader(header, ATTRIBUTE_RTU);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmRtu read(CmHeader header, ByteBuffer from) {
        return new CmRtu(header, from.getInt(0), from.getInt(4), CmPlain.privateData(from));
    }

    @Override
    public String toString() {
        return CmMessage.ids("RTU", this) + " " + privateData;
    }
}
