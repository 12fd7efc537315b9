package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * Refusal, of a request, of a reply, or of what was agreed.
 *
 * <pre>
 *  0  4  local id, 0 if none yet        9  7 bit length of the information, 1 reserved
 *  4  4  remote id                     10  2  reason
 *  8  2 bit what is refused, 6         12 72  additional information
 *        reserved                      84 148 private data
 * </pre>
 *
 * @param header header
 * @param localId identifier of the refusing side, 0 if it gave none
 * @param remoteId identifier of the other side, 0 if not known
 * @param about what is refused: 0 a request, 1 a reply, 2 other
 * @param reason why
 * @param reserved the 6 and the 1 reserved bits, one after the other
 * @param informationBytes how much of the information counts
 * @param information what the reason says more
 * @param privateData what the application says
 */
record CmRej(
        CmHeader header,
        int localId,
        int remoteId,
        int about,
        int reason,
        int reserved,
        int informationBytes,
        CmBytes information,
        CmBytes privateData)
        implements CmMessage {
    /** Additional information in bytes. */
    static final int INFORMATION_BYTES = 72;
    /** Private data in bytes. */
    static final int PRIVATE_DATA_BYTES = 148;

    private static final int INFORMATION_OFFSET = 12;
    private static final int PRIVATE_DATA_OFFSET = INFORMATION_OFFSET + INFORMATION_BYTES;

    /** Checks the ranges. */
    public CmRej {
        CmMessage.checkHeader(header, ATTRIBUTE_REJ);
        CmMessage.check("about", about, 2);
        CmMessage.check("reason", reason, 16);
        CmMessage.check("reserved", reserved, 7);
        CmMessage.check("informationBytes", informationBytes, 7);
        CmMessage.checkLength("information", information, INFORMATION_BYTES);
        CmMessage.checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
    }

    /** A refusal. */
    static CmRej of(long transactionId, int localId, int remoteId, int about, CmRefusal why, CmBytes privateData) {
        return new CmRej(
                CmHeader.of(ATTRIBUTE_REJ, transactionId),
                localId,
                remoteId,
                about,
                why.reason(),
                0,
                why.informationBytes(),
                why.information(),
                privateData);
    }

    /** The same, to a side whose identifier is known by now. */
    CmRej to(int newRemoteId) {
        return new CmRej(
                header, localId, newRemoteId, about, reason, reserved, informationBytes, information, privateData);
    }

    static CmRej read(CmHeader header, ByteBuffer from) {
        int about = from.get(8);
        int length = from.get(9);
        return new CmRej(
                header,
                from.getInt(0),
                from.getInt(4),
                about >> 6 & 3,
                CmMessage.unsignedShort(from, 10),
                (about & 0x3F) << 1 | (length & 1),
                length >> 1 & 0x7F,
                CmBytes.read(from, INFORMATION_OFFSET, INFORMATION_BYTES),
                CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
    }

    @Override
    public void writeBody(ByteBuffer to) {
        to.putInt(0, localId).putInt(4, remoteId);
        to.put(8, (byte) (about << 6 | reserved >> 1));
        to.put(9, (byte) (informationBytes << 1 | (reserved & 1)));
        to.putShort(10, (short) reason);
        information.write(to, INFORMATION_OFFSET);
        privateData.write(to, PRIVATE_DATA_OFFSET);
    }

    @Override
    public String toString() {
        return CmMessage.ids("REJ", this) + " reason " + reason + " about " + about + " information " + information
                + " " + privateData;
    }
}
