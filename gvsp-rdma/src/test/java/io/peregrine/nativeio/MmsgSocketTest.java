package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.testing.Needs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MmsgSocketTest {
    private static final int FROM = 0x7F000051;
    private static final int TO = 0x7F000052;
    private static final int PORT = 4793;

    private MmsgSocket from;
    private MmsgSocket to;

    @BeforeEach
    void open() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        from = MmsgSocket.open(FROM, PORT, 1 << 20);
        to = MmsgSocket.open(TO, PORT, 1 << 20);
    }

    @AfterEach
    void close() {
        if (from != null) {
            from.close();
            to.close();
        }
    }

    private int send(int value, int lengthBytes) {
        int at = from.begin(TO, PORT, lengthBytes);
        int identification = from.identification();
        from.sending().put(at, (byte) value);
        from.commit();
        return identification;
    }

    private List<String> receive(int datagrams) {
        List<String> seen = new ArrayList<>();
        while (seen.size() < datagrams) {
            int slots = to.receive();
            for (int slot = 0; slot < slots; slot++) {
                int at = to.offset(slot);
                int left = to.lengthBytes(slot);
                while (left > 0) {
                    int part = Math.min(left, to.segmentBytes(slot));
                    seen.add(to.received().get(at) + ":" + part);
                    at += part;
                    left -= part;
                }
            }
            if (slots == 0) {
                to.await(1_000_000_000L);
            }
        }
        return seen;
    }

    @Test
    void datagramsOfOneLengthAndAShorterOneArriveApart() {
        send(1, 100);
        send(2, 100);
        send(3, 60);
        from.flush();

        assertEquals(List.of("1:100", "2:100", "3:60"), receive(3));
    }

    @Test
    void datagramsOfARunAreNumbered() {
        List<Integer> numbers = List.of(send(1, 100), send(2, 100), send(3, 60), send(4, 60));

        assertEquals(List.of(0, 1, 2, 0), numbers);
    }

    @Test
    void oneByOneEveryDatagramHasTheSameNumber() {
        from.sendOneByOne();

        assertEquals(List.of(0, 0, 0), List.of(send(1, 100), send(2, 100), send(3, 100)));
    }

    @Test
    void aLongerDatagramBeginsAnotherRun() {
        send(1, 60);
        send(2, 100);
        from.flush();

        assertEquals(List.of("1:60", "2:100"), receive(2));
    }

    @Test
    void whatWasBegunAndNotCommittedIsNotSent() {
        from.begin(TO, PORT, 500);
        send(1, 700);
        from.begin(TO, PORT, 300);
        from.flush();
        send(2, 40);
        from.flush();

        assertEquals(List.of("1:700", "2:40"), receive(2));
    }

    @Test
    void theSenderIsKnown() {
        send(1, 8);
        from.flush();
        to.await(1_000_000_000L);
        to.receive();

        assertEquals(
                Integer.toHexString(FROM) + ":" + PORT,
                Integer.toHexString(to.sourceAddress(0)) + ":" + to.sourcePort(0));
    }

    @Test
    void aFullBatchTakesNoMore() {
        for (int i = 0; i < MmsgSocket.SEND_SLOTS; i++) {
            from.begin(TO + i, PORT, 8);
            from.commit();
        }

        assertEquals(-1, from.begin(TO, PORT, 8));
    }

    @Test
    void aPortIsTakenOnce() {
        assertThrows(PortInUseException.class, () -> MmsgSocket.open(TO, PORT, 1 << 16));
    }

    @Test
    void aWakeUpEndsTheWait() {
        to.wakeUp();

        to.await(Long.MAX_VALUE);
        assertEquals(0, to.receive());
    }
}
