package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.peregrine.recording.Camera;
import io.peregrine.testing.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Announcements of strangers beside those of the camera that is wanted. */
class StreamWatchTest {
    private static final Route ROUTE = Route.parse("ipc");

    private final DistributionSettings settings =
            DistributionSettings.load().with(DistributionSettings.ROUTES, ROUTE.toString());
    private final AeronHost host = AeronHost.open(settings);
    private final StreamWatch watch = new StreamWatch(host, settings, "cam"::equals);

    @AfterEach
    void tearDown() {
        watch.close();
        host.close();
    }

    private void announce(int session, String name, int bytes) {
        watch.take(ROUTE, new Announcement(0, session, 4096, name, Map.of()).toBytes());
        byte[] description = Announcement.toBytes(0, session, Announcement.zipped(Camera.UNKNOWN));
        watch.take(ROUTE, Arrays.copyOf(description, Math.max(bytes, description.length)));
    }

    @Test
    void theOneThatIsWantedIsDescribedBesideManyLargeDescriptions() {
        for (int session = 1; session <= 6; session++) {
            announce(session, "cam", 12 << 20);
        }
        announce(7, "cam", 0);
        long kept = watch.streams().stream()
                .mapToLong(one -> one.description().length)
                .sum();
        assertTrue(kept <= Descriptions.MAX_BYTES, () -> kept + " bytes");
        assertTrue(watch.streams().get(6).described());
    }

    /** Longer than any that is one, of fragments that go on and on. */
    @Test
    void anAnnouncementThatDoesNotEndIsDroppedAndCounted() {
        int fragment = 32 << 10;
        BufferClaim claim = new BufferClaim();
        try (ExclusivePublication stranger =
                host.aeron().addExclusivePublication("aeron:ipc?mtu=65504|term-length=64m", Announcement.STREAM_ID)) {
            for (int at = 0; at <= Route.MAX_MESSAGE_BYTES; at += fragment) {
                Await.until("room", DistributionRig.PATIENCE, () -> {
                    watch.poll();
                    return stranger.tryClaim(fragment, claim) > 0;
                });
                claim.flags(at == 0 ? FrameDescriptor.BEGIN_FRAG_FLAG : (byte) 0);
                claim.commit();
            }
            Await.until("counted announcement", DistributionRig.PATIENCE, () -> {
                watch.poll();
                return watch.dropped() == 1;
            });
        }
    }

    @Test
    void nothingIsKeptOfOthers() {
        announce(1, "stranger", 0);
        assertEquals(List.of(), watch.streams());
    }
}
