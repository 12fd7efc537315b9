package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes are those of the table in docs/distribution.md, written by hand. */
class FragmentHeaderTest {
    /** Version 1, no flags, stream 2, length 3, frame 4, total 0x105, offset 6; then 3 bytes. */
    private static final String GOOD =
            "01 00 0200 03000000 0400000000000000 0501000000000000 0600000000000000 aabbcc".replace(" ", "");

    private static UnsafeBuffer bytes(String hex) {
        return new UnsafeBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static boolean valid(String hex) {
        UnsafeBuffer fragment = bytes(hex);
        return FragmentHeader.valid(fragment, 0, fragment.capacity());
    }

    @Test
    void everyFieldIsAtItsPlace() {
        UnsafeBuffer fragment = bytes("ffff" + GOOD);
        assertTrue(FragmentHeader.valid(fragment, 2, 35));
        assertEquals(
                "0 2 3 4 261 6",
                FragmentHeader.flags(fragment, 2) + " " + FragmentHeader.stream(fragment, 2) + " "
                        + FragmentHeader.length(fragment, 2) + " " + FragmentHeader.frameId(fragment, 2) + " "
                        + FragmentHeader.total(fragment, 2) + " " + FragmentHeader.offset(fragment, 2));
    }

    @Test
    void itIsWrittenAsItIsRead() {
        UnsafeBuffer fragment = bytes("00".repeat(32) + "aabbcc");
        FragmentHeader.put(fragment, 0, 0, 2, 3, 4, 0x105, 6);
        assertEquals(GOOD, HexFormat.of().formatHex(fragment.byteArray()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Too short for a header; empty.
                "0100",
                "",
                // Another version; unknown flags.
                "02 00 0200 03000000 0400000000000000 0501000000000000 0600000000000000 aabbcc",
                "01 80 0200 03000000 0400000000000000 0501000000000000 0600000000000000 aabbcc",
                // A length that is not that of the fragment; a negative one.
                "01 00 0200 04000000 0400000000000000 0501000000000000 0600000000000000 aabbcc",
                "01 00 0200 02000000 0400000000000000 0501000000000000 0600000000000000 aabbcc",
                "01 00 0200 ffffffff 0400000000000000 0501000000000000 0600000000000000 aabbcc",
                // Frame 0; a negative frame.
                "01 00 0200 03000000 0000000000000000 0501000000000000 0600000000000000 aabbcc",
                "01 00 0200 03000000 04000000000000ff 0501000000000000 0600000000000000 aabbcc",
                // A negative total; a negative offset; bytes beyond the total; a sum beyond 64 bits.
                "01 00 0200 03000000 0400000000000000 05010000000000ff 0600000000000000 aabbcc",
                "01 00 0200 03000000 0400000000000000 0501000000000000 ffffffffffffffff aabbcc",
                "01 00 0200 03000000 0400000000000000 0501000000000000 0301000000000000 aabbcc",
                "01 00 0200 03000000 0400000000000000 0501000000000000 ffffffffffffff7f aabbcc",
                // No bytes, but no end; an end with bytes.
                "01 00 0200 00000000 0400000000000000 0501000000000000 0600000000000000",
                "01 02 0200 03000000 0400000000000000 0501000000000000 0600000000000000 aabbcc"
            })
    void whatContradictsItselfIsRefused(String hex) {
        assertFalse(valid(hex));
    }

    @Test
    void theLastBytesOfAFrameAreInside() {
        assertTrue(valid("01 00 0200 03000000 0400000000000000 0501000000000000 0201000000000000 aabbcc"));
    }
}
