package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * The message was received, and its answer takes time.
 *
 * <pre>
 *  0  4  local id        8  2 bit which message, 6 reserved       10 222 private data
 *  4  4  remote id       9  5 bit service timeout, 3 reserved
 * </pre>
 *
 * @param header header
 * @param localId identifier of the sending side
 * @param remoteId identifier of the receiving side
 * @param about which message: 0 a request, 1 a reply, 2 an alternate path
 * @param serviceTimeout time code within which the answer comes
 * @param reserved the 6 and the 3 reserved bits, one after the other
 * @param privateData what the application says
 */
record CmMra(
        CmHeader header, int localId, int remoteId, int about, int serviceTimeout, int reserved, CmBytes privateData)
        implements CmMessage {
    /** Private data in bytes. */
    static final int PRIVATE_DATA_BYTES = 222;

    /** Checks the ranges. */
    public CmMra {
        CmMessage.checkHeader(header, ATTRIBUTE_MRA);
        CmMessage.check("about", about, 2);
        CmMessage.check("serviceTimeout", serviceTimeout, 5);
        CmMessage.check("reserved", reserved, 9);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    static CmMra read(CmHeader header, ByteBuffer from) {
        int about = from.get(8);
        int timeout = from.get(9);
        return new CmMra(
                header,
                from.getInt(0),
                from.getInt(4),
                about >> 6 & 3,
                timeout >> 3 & 0x1F,
                (about & 0x3F) << 3 | (timeout & 7),
                CmBytes.read(from, 10, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId);
        to.put(8, (byte) (about << 6 | reserved >> 3));
        to.put(9, (byte) (serviceTimeout << 3 | (reserved & 7)));
        privateData.write(to, 10);
    }

    @Override
    public String toString() {
        return CmMessage.ids("MRA", this) + " about " + about + " service timeout " + serviceTimeout + " "
                + privateData;
    }
}
