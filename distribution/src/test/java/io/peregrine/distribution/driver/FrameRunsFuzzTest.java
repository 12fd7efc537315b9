package io.peregrine.distribution.driver;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Whatever is received: each part has an end behind its beginning, within what was received. */
class FrameRunsFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void takesAnyBytes(byte[] input) {
        UnsafeBuffer bytes = new UnsafeBuffer(input);
        int end;
        for (int at = 0; at < input.length; at = end) {
            end = FrameRuns.end(bytes, at, input.length);
            if (end <= at || end > input.length) {
                throw new AssertionError("from " + at + " to " + end + " of " + input.length);
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void cutsAnyLog(byte[] input) {
        byte[] whole = new byte[(input.length + 31) / 32 * 32];
        System.arraycopy(input, 0, whole, 0, input.length);
        int datagram = FrameRuns.datagramBytes(ByteBuffer.wrap(whole));
        if (datagram < 0 || (datagram > 0 && datagram >= whole.length)) {
            throw new AssertionError("cut after " + datagram + " of " + whole.length);
        }
    }
}
