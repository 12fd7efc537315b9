package io.peregrine.distribution;

import io.aeron.AeronCounters;
import io.aeron.ExclusivePublication;
import io.peregrine.distribution.FrameWriter.Outcome;
import io.peregrine.recording.FrameContainer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.status.CountersReader;

/** Each frame to all consumers, by one log. */
final class BroadcastOutlet implements FrameOutlet {
    /** The log has room for much longer than that: shorter turns only take time from the media driver. */
    private static final long PARK_NANOS = 100_000;

    private final AeronHost host;
    private final ExclusivePublication frames;
    private final FrameWriter writer;
    private final ConsumerDesk desk;
    private final PublisherCounters counters;
    private final Runnable meanwhile;
    private final BooleanSupplier givenUp;

    /**
     * Makes an outlet.
     *
     * @param frames log of the frames, taken over
     * @param datagramBytes most bytes of a datagram
     * @param desk where consumers report
     * @param meanwhile done again and again while there is no room in the log
     * @param givenUp whether to stop waiting for room
     */
    BroadcastOutlet(
            AeronHost host,
            ExclusivePublication frames,
            int datagramBytes,
            ConsumerDesk desk,
            PublisherCounters counters,
            Runnable meanwhile,
            BooleanSupplier givenUp) {
        this.host = host;
        this.frames = frames;
        this.desk = desk;
        this.counters = counters;
        this.meanwhile = meanwhile;
        this.givenUp = givenUp;
        writer = new FrameWriter(frames, datagramBytes);
    }

    @Override
    public int session() {
        return frames.sessionId();
    }

    @Override
    public boolean connected() {
        return frames.isConnected();
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public void take(WaitingFrame frame) {
        if (!frames.isConnected()) {
            frame.close();
            counters.ended(counters.droppedNoSubscriber);
            return;
        }
        Optional<FrameContainer> container = frame.container();
        if (container.isEmpty()) {
            frame.close();
            counters.ended(counters.droppedUnusable);
            return;
        }
        counters.noteSize(container.get().flowBytes());
        boolean sent = false;
        try {
            writer.begin(container.get(), frame.frameId());
            sent = write();
        } finally {
            frame.close();
            if (sent) {
                counters.published(container.get().sizeBytes());
            } else {
                counters.ended(counters.abandoned);
            }
        }
    }

    private boolean write() {
        Outcome outcome = writer.write();
        while (outcome == Outcome.FULL && !givenUp.getAsBoolean()) {
            meanwhile.run();
            LockSupport.parkNanos(PARK_NANOS);
            outcome = writer.write();
        }
        return outcome == Outcome.WRITTEN;
    }

    @Override
    public void heldUp() {
        desk.heldUp(frames.position());
    }

    @Override
    public boolean turn() {
        return false;
    }

    /** The media driver may end with the publisher, so that consumers have to have what is in the log before. */
    @Override
    public void end() {
        while (writer.writeEnd() == Outcome.FULL && !givenUp.getAsBoolean()) {
            meanwhile.run();
            LockSupport.parkNanos(PARK_NANOS);
        }
        CountersReader driver = host.aeron().countersReader();
        int sent = driver.findByTypeIdAndRegistrationId(
                AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, frames.registrationId());
        if (sent == CountersReader.NULL_COUNTER_ID) {
            // Shared memory stays for as long as a consumer reads it.
            return;
        }
        Farewell farewell = new Farewell(System.nanoTime());
        while (frames.isConnected()
                && !farewell.over(
                        System.nanoTime(),
                        desk.anyone() || driver.getCounterValue(sent) < frames.position(),
                        givenUp.getAsBoolean())) {
            desk.turn();
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    @Override
    public List<Long> registrationIds() {
        return List.of(frames.registrationId());
    }

    @Override
    public void close() {
        frames.close();
    }
}
