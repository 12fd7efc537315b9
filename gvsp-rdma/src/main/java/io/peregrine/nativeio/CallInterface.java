package io.peregrine.nativeio;

import com.sun.jna.Native;
import java.nio.ByteBuffer;

/**
 * What a function that returns {@code int} takes, in the form that libffi wants. Lives as long as the process, as
 * libffi's description of it does. Structure {@code ffi_type} of libffi: size 8 bytes, alignment 2, type code 2,
 * padding 4, elements 8.
 */
final class CallInterface {
    private static final int TYPE_BYTES = 24;
    private static final short CODE_SINT32 = 10;
    private static final short CODE_POINTER = 14;
    private static final int DEFAULT_ABI = 0;

    private static final ByteBuffer SINT32_TYPE = type(4, CODE_SINT32);
    private static final ByteBuffer POINTER_TYPE = type(8, CODE_POINTER);

    private final boolean[] ints;
    private final ByteBuffer typeList;
    private final long address;

    /**
     * Describes a function.
     *
     * @param signature one letter an argument: {@code p} pointer, {@code i} int
     */
    CallInterface(String signature) {
        ints = new boolean[signature.length()];
        typeList = NativeMemory.allocate(8 * signature.length());
        for (int i = 0; i < ints.length; i++) {
            ints[i] = signature.charAt(i) == 'i';
            typeList.putLong(8 * i, NativeMemory.address(ints[i] ? SINT32_TYPE : POINTER_TYPE));
        }
        address = Native.ffi_prep_cif(
                DEFAULT_ABI, ints.length, NativeMemory.address(SINT32_TYPE), NativeMemory.address(typeList));
    }

    private static ByteBuffer type(int bytes, short code) {
        return NativeMemory.allocate(TYPE_BYTES)
                .putLong(0, bytes)
                .putShort(8, (short) bytes)
                .putShort(10, code);
    }

    int argumentCount() {
        return ints.length;
    }

    long address() {
        return address;
    }

    void putArgument(ByteBuffer block, int offset, int index, long value) {
        if (ints[index]) {
            block.putInt(offset, (int) value);
        } else {
            block.putLong(offset, value);
        }
    }
}
