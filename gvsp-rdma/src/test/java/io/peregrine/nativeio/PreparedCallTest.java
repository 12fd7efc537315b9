package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PreparedCallTest {
    @BeforeEach
    void callable() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    @Test
    void pointersReachTheFunction() {
        ByteBuffer text = NativeMemory.allocate(16);
        text.put(0, new byte[] {'a', 'b', 0, 0, 0, 0, 0, 0, 'a', 'c', 0});
        long address = NativeMemory.address(text);
        PreparedCall compare = new PreparedCall(new CallInterface("pp"), function("strcmp"), address, address + 8);

        assertEquals(-1, Integer.signum(compare.invoke()));

        text.put(9, (byte) 'b');
        assertEquals(0, compare.invoke());
    }

    @Test
    void anIntIsPassedAndReturnedWithItsSign() {
        PreparedCall absolute = new PreparedCall(new CallInterface("i"), function("abs"), -7);
        PreparedCall lower = new PreparedCall(new CallInterface("i"), function("tolower"), -1);

        assertEquals(7, absolute.invoke());
        assertEquals(-1, lower.invoke());
    }

    @Test
    void aWrongNumberOfArgumentsIsRefused() {
        CallInterface oneInt = new CallInterface("i");

        assertThrows(IllegalArgumentException.class, () -> new PreparedCall(oneInt, function("abs"), 1, 2));
    }

    private static long function(String name) {
        Pointer pointer = NativeLibrary.getInstance("c").getFunction(name);
        return Pointer.nativeValue(pointer);
    }
}
