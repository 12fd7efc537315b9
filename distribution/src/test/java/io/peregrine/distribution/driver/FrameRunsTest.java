package io.peregrine.distribution.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameRunsTest {
    private static final int DATAGRAM = 1408;
    private static final int SESSION = 7;
    private static final int STREAM = 20552;
    private static final int TERM = 3;

    private final UnsafeBuffer bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(64 << 10));
    private final DataHeaderFlyweight frame = new DataHeaderFlyweight();
    private int end;

    @BeforeEach
    void setUp() {
        end = 0;
    }

    /** One frame more, with so many bytes; of its length only the header where it is padding. */
    private DataHeaderFlyweight frame(int length, int type, int termOffset) {
        frame.wrap(bytes, end, DataHeaderFlyweight.HEADER_LENGTH);
        frame.termOffset(termOffset).termId(TERM).streamId(STREAM).sessionId(SESSION);
        frame.headerType(type).frameLength(length).version(HeaderFlyweight.CURRENT_VERSION);
        end += type == HeaderFlyweight.HDR_TYPE_PAD ? DataHeaderFlyweight.HEADER_LENGTH : (length + 31) / 32 * 32;
        return frame;
    }

    private DataHeaderFlyweight data(int length) {
        return frame(length, HeaderFlyweight.HDR_TYPE_DATA, end);
    }

    private ByteBuffer log(ByteOrder order) {
        return bytes.byteBuffer().order(order).limit(end).position(0);
    }

    private int datagramBytes() {
        return FrameRuns.datagramBytes(log(ByteOrder.BIG_ENDIAN));
    }

    @ParameterizedTest
    @CsvSource({
        "1408, 16777216, 64768",
        "8928, 16777216, 62496",
        "992, 16777216, 63488",
        "40000, 16777216, 40000",
        "65504, 16777216, 65504",
        "1408, 262144, 32384",
        "8928, 65536, 8928"
    })
    void aRunIsAsLongAsTheSystemAndAeronTake(int datagram, int term, int run) {
        assertEquals(run, FrameRuns.most(datagram, term));
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIG_ENDIAN", "LITTLE_ENDIAN"})
    void framesOfTheSameLengthAreCutAtEach(String order) {
        data(DATAGRAM);
        data(DATAGRAM - 3);
        data(DATAGRAM);
        ByteOrder ofLog = order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        assertEquals(DATAGRAM, FrameRuns.datagramBytes(log(ofLog)));
    }

    @Test
    void theLastDatagramMayBeShorterAndEndWithPadding() {
        data(DATAGRAM);
        data(100);
        frame(4096, HeaderFlyweight.HDR_TYPE_PAD, end);
        assertEquals(DATAGRAM, datagramBytes());
    }

    @Test
    void aShorterFrameBetweenOthersIsNotCut() {
        data(DATAGRAM);
        data(100);
        data(DATAGRAM);
        assertEquals(0, datagramBytes());
    }

    @Test
    void smallMessagesStayTogether() {
        data(96);
        data(96);
        assertEquals(0, datagramBytes());
    }

    @Test
    void oneFrameIsNoRun() {
        data(DATAGRAM);
        assertEquals(0, datagramBytes());
    }

    @Test
    void framesThatFollowEachOtherInTheLogBelongTogether() {
        data(DATAGRAM);
        data(DATAGRAM);
        data(100);
        frame(4096, HeaderFlyweight.HDR_TYPE_PAD, end);
        assertEquals(end, FrameRuns.end(bytes, 0, end));
    }

    @Test
    void afterAPacketThatIsLostOthersBegin() {
        data(DATAGRAM);
        frame(DATAGRAM, HeaderFlyweight.HDR_TYPE_DATA, end + DATAGRAM);
        assertEquals(DATAGRAM, FrameRuns.end(bytes, 0, end));
    }

    @Test
    void afterPaddingOthersBegin() {
        frame(4096, HeaderFlyweight.HDR_TYPE_PAD, 0);
        data(100);
        assertEquals(DataHeaderFlyweight.HEADER_LENGTH, FrameRuns.end(bytes, 0, end));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                DataHeaderFlyweight.TERM_ID_FIELD_OFFSET,
                DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET,
                DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET
            })
    void framesOfAnotherTermSessionOrStreamDoNotBelongThere(int field) {
        data(DATAGRAM);
        data(DATAGRAM);
        bytes.putInt(DATAGRAM + field, 1234, ByteOrder.LITTLE_ENDIAN);
        assertEquals(DATAGRAM, FrameRuns.end(bytes, 0, end));
    }

    @Test
    void aSignOfLifeBelongsToNothing() {
        data(DATAGRAM);
        data(0).frameLength(0);
        end += DataHeaderFlyweight.HEADER_LENGTH;
        int after = end;
        data(DATAGRAM);
        assertEquals(DATAGRAM, FrameRuns.end(bytes, 0, end));
        assertEquals(after, FrameRuns.end(bytes, DATAGRAM, end));
    }

    @Test
    void aSetupEndsAtItsEnd() {
        new SetupFlyweight(bytes).headerType(HeaderFlyweight.HDR_TYPE_SETUP).frameLength(SetupFlyweight.HEADER_LENGTH);
        end = SetupFlyweight.HEADER_LENGTH;
        data(DATAGRAM);
        assertEquals(SetupFlyweight.HEADER_LENGTH, FrameRuns.end(bytes, 0, end));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1440})
    void aLengthThatIsALieEndsWithAllBytes(int length) {
        data(DATAGRAM);
        bytes.putInt(0, length, ByteOrder.LITTLE_ENDIAN);
        assertEquals(end, FrameRuns.end(bytes, 0, end));
    }
}
