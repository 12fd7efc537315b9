package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * What stands in front of every message.
 *
 * @param status 0
 * @param classSpecific 0
 * @param transactionId chosen by who starts an exchange, repeated in its answers
 * @param attribute which message it is
 * @param reserved 0
 * @param attributeModifier 0
 */
record CmHeader(int status, int classSpecific, long transactionId, int attribute, int reserved, int attributeModifier) {
    static final int BASE_VERSION = 1;
    static final int CLASS = 7;
    static final int CLASS_VERSION = 2;
    static final int METHOD_SEND = 3;

    /** Checks the ranges. */
    public CmHeader {
        CmMessage.check("status", status, 16);
        CmMessage.check("classSpecific", classSpecific, 16);
        CmMessage.check("attribute", attribute, 16);
        CmMessage.check("reserved", reserved, 16);
    }

    static CmHeader of(int attribute, long transactionId) {
        return new CmHeader(0, 0, transactionId, attribute, 0, 0);
    }

    static CmHeader read(ByteBuffer mad) {
        return new CmHeader(
                CmMessage.unsignedShort(mad, 4),
                CmMessage.unsignedShort(mad, 6),
                mad.getLong(8),
                CmMessage.unsignedShort(mad, 16),
                CmMessage.unsignedShort(mad, 18),
                mad.getInt(20));
    }

    void write(ByteBuffer mad) {
        mad.put(0, (byte) BASE_VERSION).put(1, (byte) CLASS).put(2, (byte) CLASS_VERSION);
        mad.put(3, (byte) METHOD_SEND).putShort(4, (short) status).putShort(6, (short) classSpecific);
        mad.putLong(8, transactionId).putShort(16, (short) attribute).putShort(18, (short) reserved);
        mad.putInt(20, attributeModifier);
    }
}
