package io.peregrine.distribution;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Whatever consumers say: nothing is thrown, and it is refused or counts as what it says. */
class ConsumerReportFuzzTest {
    private static final int SESSION = 7;
    private static final int MOST_PRESENT = 256;
    private static final int MOST_REMEMBERED = 64;

    private AeronHost host;
    private ConsumerDesk desk;

    @BeforeEach
    void setUp() {
        DistributionSettings settings = DistributionSettings.load();
        host = AeronHost.open(settings);
        desk = new ConsumerDesk(host.aeron(), Route.parse("ipc"), settings, SESSION);
    }

    @AfterEach
    void tearDown() {
        desk.close();
        host.close();
    }

    private static byte[] bytes(ConsumerReport report) {
        UnsafeBuffer to = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);
        report.put(to);
        return to.byteArray();
    }

    private static ConsumerReport report(boolean leaving) {
        return new ConsumerReport(leaving, true, false, SESSION, 8, 12345, 10, 100, 1, 2, 3, 4, 5, 6, 7);
    }

    /** What is read says the same when it is written again. */
    @FuzzTest(maxDuration = "60s")
    void readsAnyBytes(byte[] input) {
        Optional<ConsumerReport> read = ConsumerReport.parse(new UnsafeBuffer(input), 0, input.length);
        if (read.isEmpty()) {
            return;
        }
        byte[] again = bytes(read.get());
        if (!ConsumerReport.parse(new UnsafeBuffer(again), 0, again.length).equals(read)) {
            throw new AssertionError("Read as " + read);
        }
    }

    /**
     * Consumers report, leave, and send what is changed or cut off, in any order. Those who did the first and not the
     * second are there, as far as there is room.
     */
    @FuzzTest(maxDuration = "60s")
    void hearsAnyMessages(byte[] edits) {
        Set<Integer> model = new HashSet<>();
        ByteBuffer from = ByteBuffer.wrap(edits);
        while (from.remaining() >= 4) {
            int consumer = from.getShort() & 0x3FF;
            int edit = from.get() & 0xFF;
            byte[] message = bytes(report((edit & 1) != 0));
            message[edit % message.length] ^= from.get();
            int length = (edit & 2) == 0 ? message.length : edit % message.length;
            UnsafeBuffer buffer = new UnsafeBuffer(message);
            desk.hear(consumer, buffer, 0, length);
            ConsumerReport.parse(buffer, 0, length)
                    .filter(one -> one.session() == SESSION)
                    .ifPresent(one -> note(model, consumer, one));
        }
        long present =
                desk.view().stream().filter(FramePublisher.Consumer::connected).count();
        long remembered = desk.view().size() - present;
        model.forEach(one -> desk.hear(one, new UnsafeBuffer(bytes(report(true))), 0, ConsumerReport.SIZE_BYTES));
        if (present != model.size() || remembered > MOST_REMEMBERED) {
            throw new AssertionError(present + " of " + model.size() + " are there, and " + remembered + " left");
        }
        if (desk.present().iterator().hasNext()) {
            throw new AssertionError("One has not left");
        }
    }

    private static void note(Set<Integer> model, int consumer, ConsumerReport report) {
        if (report.leaving()) {
            model.remove(consumer);
        } else if (model.size() < MOST_PRESENT) {
            model.add(consumer);
        }
    }
}
