package io.peregrine.nativeio;

import com.sun.jna.Native;
import java.nio.ByteBuffer;

/**
 * A call of a function pointer that returns {@code int}, with fixed arguments, prepared once. Invoking it allocates
 * nothing. Not for several threads at once: the result has one place.
 */
public final class PreparedCall {
    private static final int CELL_BYTES = 8;

    private final long interfaceAddress;
    private final long function;
    private final ByteBuffer block;
    private final long result;
    private final long arguments;

    /**
     * Prepares a call.
     *
     * @param types what the function takes
     * @param function address of the function
     * @param values the arguments; of those of type {@code int} the low half counts
     */
    PreparedCall(CallInterface types, long function, long... values) {
        if (values.length != types.argumentCount()) {
            throw new IllegalArgumentException(
                    values.length + " arguments for a function with " + types.argumentCount());
        }
        this.interfaceAddress = types.address();
        this.function = function;
        // The result, then the pointers to the arguments, then the arguments.
        this.block = NativeMemory.allocate(CELL_BYTES * (1 + 2 * values.length));
        long base = NativeMemory.address(block);
        this.result = base;
        this.arguments = base + CELL_BYTES;
        for (int i = 0; i < values.length; i++) {
            int cell = CELL_BYTES * (1 + values.length + i);
            block.putLong(CELL_BYTES * (1 + i), base + cell);
            types.putArgument(block, cell, i, values[i]);
        }
    }

    /** Calls the function. Its arguments must still be valid. */
    public int invoke() {
        Native.ffi_call(interfaceAddress, function, result, arguments);
        // libffi widens an int result to a register.
        return (int) block.getLong(0);
    }
}
