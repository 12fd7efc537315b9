package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/** A message with nothing but both identifiers: local id 4, remote id 4, private data 224 bytes. */
sealed interface CmPlain extends CmMessage permits CmRtu, CmDrep {
    /** Private data in bytes. */
    int PRIVATE_DATA_BYTES = 224;

    /** Offset of the private data in the message. */
    int PRIVATE_DATA_OFFSET = 8;

    /** What the application says. */
    CmBytes privateData();

    @Override
    default void writeBody(ByteBuffer to) {
        to.putInt(0, localId()).putInt(4, remoteId());
        privateData().write(to, PRIVATE_DATA_OFFSET);
    }

    static CmBytes privateData(ByteBuffer from) {
        return CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES);
    }
}
