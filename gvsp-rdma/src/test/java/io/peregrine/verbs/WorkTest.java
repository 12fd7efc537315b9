package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkTest {
    @BeforeEach
    void callable() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    @Test
    void aWriteRequestIsLaidOutAsTheDriverReadsIt() {
        SendWork work = new SendWork();
        work.fill(0x1_0000_0007L, VerbsLayout.WR_RDMA_WRITE_WITH_IMM, 0x7000_0000_1000L, 5000, 0x11223344);
        work.immediate(0xCAFE0001);
        work.target(0x5000_0000_2000L, 0x55667788);
        ByteBuffer memory = work.memory();

        assertEquals(0x1_0000_0007L, memory.getLong(0), "wr_id");
        assertEquals(0, memory.getLong(8), "next");
        assertEquals(work.address() + 128, memory.getLong(16), "sg_list");
        assertEquals(1, memory.getInt(24), "num_sge");
        assertEquals(1, memory.getInt(28), "opcode");
        assertEquals(2, memory.getInt(32), "send_flags");
        assertEquals(0xCAFE0001, memory.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(36), "imm_data");
        assertEquals(0x5000_0000_2000L, memory.getLong(40), "remote_addr");
        assertEquals(0x55667788, memory.getInt(48), "rkey");
        assertEquals(0x7000_0000_1000L, memory.getLong(128), "sge.addr");
        assertEquals(5000, memory.getInt(136), "sge.length");
        assertEquals(0x11223344, memory.getInt(140), "sge.lkey");
    }

    @Test
    void aReceiveIsLaidOutAsTheDriverReadsIt() {
        ReceiveWork work = new ReceiveWork();
        work.fill(9, 0x1000, 64, 3);
        ByteBuffer memory = work.memory();

        assertEquals(9, memory.getLong(0), "wr_id");
        assertEquals(work.address() + 32, memory.getLong(16), "sg_list");
        assertEquals(1, memory.getInt(24), "num_sge");
        assertEquals(0x1000, memory.getLong(32), "sge.addr");
        assertEquals(64, memory.getInt(40), "sge.length");
        assertEquals(3, memory.getInt(44), "sge.lkey");
    }

    @Test
    void workWithoutBytesNamesNoMemory() {
        ReceiveWork work = new ReceiveWork();
        work.fill(9, 0x1000, 0, 3);

        assertEquals(0, work.memory().getInt(24), "num_sge");
    }

    @Test
    void aReceivedMessageIsReadFromItsCompletion() {
        WorkCompletions completions = completion(WorkSlots.RECEIVE, 0, 128, 2 | 1);
        completions.memory().putInt(48 + 20, -1);
        completions.memory().duplicate().order(ByteOrder.BIG_ENDIAN).putInt(48 + 24, 0xCAFE0001);
        completions.resolve(Optional.empty(), 77);

        assertEquals(77, completions.workId());
        assertEquals(Operation.RECEIVE, completions.operation());
        assertEquals(Status.SUCCESS, completions.status());
        assertEquals(0xFFFF_FFFFL, completions.lengthBytes());
        assertTrue(completions.hasImmediate());
        assertEquals(0xCAFE0001, completions.immediate());
    }

    @Test
    void aWriteOfThePeerIsToldFromAMessage() {
        assertEquals(
                Operation.RECEIVE_WRITE,
                completion(WorkSlots.RECEIVE, 0, 129, 2).operation());
    }

    @Test
    void aFailedCompletionKnowsItsOperationByItsNumberAlone() {
        WorkCompletions write = completion(WorkSlots.WRITE, 10, 0x5A5A, 0xFF);

        assertEquals(Operation.WRITE, write.operation());
        assertEquals(Status.REMOTE_ACCESS_ERROR, write.status());
        assertEquals(0, write.lengthBytes());
        assertFalse(write.hasImmediate());
        assertEquals(Operation.RECEIVE, completion(WorkSlots.RECEIVE, 5, 129, 2).operation());
    }

    @Test
    void aReadIsKnownByItsNumber() {
        WorkCompletions read = completion(WorkSlots.READ, 0, 2, 0);

        assertEquals(Operation.READ, read.operation());
        assertEquals(0, read.lengthBytes());
        assertFalse(read.hasImmediate());
    }

    @Test
    void everyStatusOfTheDriverIsTold() {
        List<Status> statuses = new ArrayList<>();
        for (int status : new int[] {1, 4, 5, 6, 9, 11, 12, 13, 14, 21, 99, -1}) {
            statuses.add(completion(WorkSlots.SEND, status, 0, 0).status());
        }

        assertEquals(
                List.of(
                        Status.LOCAL_ERROR,
                        Status.LOCAL_ERROR,
                        Status.FLUSHED,
                        Status.OTHER_ERROR,
                        Status.REMOTE_INVALID_REQUEST,
                        Status.REMOTE_OPERATION_ERROR,
                        Status.RETRIES_EXCEEDED,
                        Status.RECEIVER_NOT_READY,
                        Status.OTHER_ERROR,
                        Status.OTHER_ERROR,
                        Status.OTHER_ERROR,
                        Status.OTHER_ERROR),
                statuses);
    }

    @Test
    void aSlotKeepsTheIdOfItsWork() {
        WorkSlots slots = new WorkSlots(2);
        long first = slots.take(-5, WorkSlots.SEND);
        long second = slots.take(Long.MAX_VALUE, WorkSlots.WRITE);

        assertEquals(-1, slots.take(1, WorkSlots.SEND));
        assertEquals(WorkSlots.WRITE, WorkSlots.operation(second));
        assertEquals(Long.MAX_VALUE, slots.release(second));
        assertEquals(-5, slots.release(first));
        assertEquals(0, slots.posted());
    }

    @Test
    void aNumberThatWasNeverGivenFreesNothing() {
        WorkSlots slots = new WorkSlots(2);
        slots.take(1, WorkSlots.SEND);

        slots.release(2);
        slots.release(-1);

        assertEquals(1, slots.posted());
    }

    /** The second of a batch of two. */
    private static WorkCompletions completion(int operation, int status, int opcode, int flags) {
        WorkCompletions completions = new WorkCompletions(2);
        completions.select(1);
        ByteBuffer memory = completions.memory();
        memory.putLong(48, (long) operation << 32 | 3);
        memory.putInt(48 + 8, status);
        memory.putInt(48 + 12, opcode);
        memory.putInt(48 + 36, flags);
        return completions;
    }
}
