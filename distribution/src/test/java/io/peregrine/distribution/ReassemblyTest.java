package io.peregrine.distribution;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.logbuffer.FrameDescriptor.END_FRAG_FLAG;
import static io.aeron.logbuffer.FrameDescriptor.UNFRAGMENTED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Fragments of strangers, which may have no end, beside those of a publisher. */
class ReassemblyTest {
    private static final int TERM_BITS = 30;
    private static final int LARGE = 1 << 20;
    private static final byte MORE = 0;

    private final Reassembly reassembly = new Reassembly();
    private final List<byte[]> whole = new ArrayList<>();
    private final FragmentHandler handler = reassembly.to((message, header) -> whole.add(message));
    /** Where the next fragment of each is. */
    private final Map<Object, Integer> offsets = new HashMap<>();

    /** A fragment of zeros that ends with a number. */
    private void fragment(String from, byte flags, int length, int number) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[DataHeaderFlyweight.HEADER_LENGTH + length]);
        int at = offsets.getOrDefault(from, 0);
        offsets.put(from, at + frame.capacity());
        new DataHeaderFlyweight(frame).termOffset(at).flags(flags).frameLength(frame.capacity());
        frame.putByte(frame.capacity() - 1, (byte) number);
        Header header = new Header(0, TERM_BITS, from).buffer(frame).offset(0);
        handler.onFragment(frame, DataHeaderFlyweight.HEADER_LENGTH, length, header);
    }

    private void withoutEnd(String from, int fragments) {
        fragment(from, BEGIN_FRAG_FLAG, LARGE, 0);
        for (int i = 1; i < fragments; i++) {
            fragment(from, MORE, LARGE, 0);
        }
    }

    @Test
    void fragmentsBecomeAMessage() {
        fragment("camera", BEGIN_FRAG_FLAG, 32, 1);
        fragment("camera", MORE, 32, 2);
        fragment("camera", END_FRAG_FLAG, 32, 3);
        byte[] expected = new byte[96];
        expected[31] = 1;
        expected[63] = 2;
        expected[95] = 3;
        assertArrayEquals(expected, whole.get(0));
    }

    @Test
    void aMessageInOneFragmentIsHandedOverAsItIs() {
        fragment("camera", UNFRAGMENTED, 1, 7);
        assertArrayEquals(new byte[] {7}, whole.get(0));
    }

    @Test
    void aMessageThatIsWholeTakesNoMemoryAnyLonger() {
        fragment("camera", BEGIN_FRAG_FLAG, 32, 1);
        fragment("camera", END_FRAG_FLAG, 32, 2);
        assertEquals(0, reassembly.bytes());
    }

    @Test
    void messagesWithoutEndTakeNoMoreMemoryThanTheLimit() {
        for (int i = 0; i < 20; i++) {
            withoutEnd("stranger " + i, 12);
        }
        assertTrue(reassembly.bytes() <= Reassembly.MAX_BYTES, () -> reassembly.bytes() + " bytes");
    }

    @Test
    void noMoreSendersAreKeptThanTheLimit() {
        for (int i = 0; i < Reassembly.MAX_SENDERS + 5; i++) {
            fragment("stranger " + i, BEGIN_FRAG_FLAG, 32, 0);
        }
        assertEquals(Reassembly.MAX_SENDERS, reassembly.senders());
        assertEquals(5, reassembly.dropped());
    }

    @Test
    void aMessageLongerThanAnyCanBeIsDropped() {
        withoutEnd("stranger", 17);
        fragment("stranger", END_FRAG_FLAG, 32, 0);
        assertEquals(List.of(), whole);
        assertEquals(1, reassembly.dropped());
    }

    @Test
    void whatGoesOnHasRoomBesideMessagesWithoutEnd() {
        fragment("camera", BEGIN_FRAG_FLAG, LARGE, 0);
        for (int i = 0; i < 10; i++) {
            withoutEnd("stranger " + i, 5);
            fragment("camera", MORE, LARGE, 0);
        }
        fragment("camera", END_FRAG_FLAG, LARGE, 0);
        assertEquals(12 * LARGE, whole.get(0).length);
    }

    @Test
    void aMessageOfWhichAFragmentIsMissingIsNotHandedOver() {
        fragment("camera", BEGIN_FRAG_FLAG, 32, 1);
        offsets.merge("camera", 64, Integer::sum);
        fragment("camera", END_FRAG_FLAG, 32, 3);
        assertEquals(List.of(), whole);
    }
}
