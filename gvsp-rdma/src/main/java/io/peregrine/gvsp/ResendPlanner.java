package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.ResendRequester;
import io.peregrine.stream.engine.StreamCounters;

/**
 * Decides which missing packets are asked for, when, and when a block is hopeless. One for a stream; what concerns one
 * block is kept in its {@link OpenBlock}. Has no clock, allocates nothing.
 *
 * <p>The settings give limits, and the times before anything is known. From then on:
 *
 * <ul>
 *   <li>A gap is asked for after eight times the usual time between packets, between a quarter of
 *       {@link GvspSettings#initialTimeout()} and all of it, but never before two such times; how much of it has passed
 *       is decided by the clock or by the number of packets behind the gap. Gaps that are due together become ranges,
 *       and the more requests there are, the larger the holes between gaps that one request may cover.
 *   <li>The end of a block that nothing follows is asked for after four times the longest pause that whole blocks had:
 *       one packet, then all.
 *   <li>A packet is asked for again when an answer usually would have come, and twice as long after each further try,
 *       always within {@link GvspSettings#packetTimeout()}.
 * </ul>
 *
 * <p>Never more than {@link GvspSettings#resendRatio()} of a block is asked for beside a block that is missing as a
 * whole, and never more than a share of what arrives recently: half of it, halved again and again while the kernel
 * drops packets because this host cannot keep up. In that state a block that needs more than its share is given up at
 * once, so that asking never makes an overload worse.
 */
final class ResendPlanner {
    /** What concerns one block: when to look for missing packets again, and how the block goes on. */
    static final class State {
        private long scanDueAt;
        private boolean scanPending;
        /** No packet before this id is missing and not asked for yet. */
        private int unaskedFrom;

        private boolean endScanned;
        /** The last packet that came in its turn, not as an answer, and when. */
        private int progressId;

        private long progressAt;
        /** First packet id after the one that was asked for to find out whether the device pauses. */
        private int probedEnd;

        private long requestedPackets;
        private long longestPauseNanos;
        private boolean abandoned;

        void open(long nowNanos) {
            scanPending = false;
            unaskedFrom = Integer.MAX_VALUE;
            endScanned = false;
            progressId = 0;
            progressAt = nowNanos;
            probedEnd = 0;
            requestedPackets = 0;
            longestPauseNanos = 0;
            abandoned = false;
        }

        /** Missing packets are looked for at this time at the latest. */
        void scheduleScan(long atNanos) {
            if (!scanPending || atNanos - scanDueAt < 0) {
                scanPending = true;
                scanDueAt = atNanos;
            }
        }

        /** The end of the block may be further away than was thought. */
        void endMoved() {
            endScanned = false;
        }

        /** Whether nothing that is missing will come any more. */
        boolean abandoned() {
            return abandoned;
        }

        /** Packets that were asked for. */
        long requestedPackets() {
            return requestedPackets;
        }
    }

    /** Packets of a block that may be asked for whatever the ratio. */
    private static final int ALWAYS_ALLOWED_PACKETS = 64;

    private static final long IDLE_NANOS = 1_000_000_000L;
    private static final int REORDERED_PACKETS = 8;
    private static final int TRIES_FOR_PLACEHOLDER = 3;
    /** After that many requests at once, one more packet that is there may be covered by a request. */
    private static final int REQUESTS_PER_HOLE_PACKET = 8;

    private static final int MAX_HOLE_PACKETS = 4;
    private static final double MAX_SHARE = 0.5;
    private static final double MIN_SHARE = 1.0 / 64;
    private static final double MIN_CREDIT_LIMIT = 4096;
    /** How often the share may change. */
    private static final long SHARE_NANOS = 50_000_000L;

    private static final int MAX_PLACEHOLDER_FAILURES = 3;
    /** Of skipped block ids, once the device could not send any again, every so many-th is tried anyway. */
    private static final int PLACEHOLDER_PROBE = 32;

    private static final long UNKNOWN = -1;

    private final ResendRequester requester;
    private final StreamCounters statistics;
    private final boolean enabled;
    private final long initialNanos;
    private final long packetNanos;
    private final long retentionNanos;
    private final int maxTries;
    private final double ratio;

    private long intervalNanos;
    private long pauseNanos;
    private long answerNanos;
    private long answerDeviationNanos;

    private double creditLimit;
    private double credit;
    private double share;
    private boolean started;
    private long creditAt;
    private long shareAt;
    private long drops;
    private boolean dropped;

    private int placeholderFailures;
    private int placeholdersSkipped;

    ResendPlanner(GvspSettings settings, ResendRequester requester, StreamCounters statistics) {
        this.requester = requester;
        this.statistics = statistics;
        enabled = settings.resendEnabled();
        initialNanos = settings.initialTimeout().toNanos();
        packetNanos = settings.packetTimeout().toNanos();
        retentionNanos = settings.frameRetention().toNanos();
        maxTries = settings.resendTries();
        ratio = settings.resendRatio();
        reset();
    }

    /** Forgets what was learned, for a stream that begins again. */
    void reset() {
        intervalNanos = UNKNOWN;
        pauseNanos = UNKNOWN;
        answerNanos = UNKNOWN;
        answerDeviationNanos = 0;
        creditLimit = MIN_CREDIT_LIMIT;
        credit = creditLimit;
        share = MAX_SHARE;
        started = false;
        placeholderFailures = 0;
        placeholdersSkipped = 0;
    }

    // ---- What happens

    /** Packets arrived that their block needed; before they are marked as received. The first one has the time. */
    void received(OpenBlock block, int count, int packetId, long nowNanos) {
        credit = Math.min(creditLimit, credit + count * share);
        if (block.packets().count() > 0) {
            block.resend().longestPauseNanos =
                    Math.max(block.resend().longestPauseNanos, nowNanos - block.lastUsefulAt());
        }
        if (packetId >= block.packets().scanEnd()) {
            block.resend().progressId = packetId + count - 1;
            block.resend().progressAt = nowNanos;
        }
        // After a second request nobody knows which one is answered.
        if (packetId < block.packets().scanEnd() && block.packets().tries(packetId) == 1) {
            answered(Math.max(0, nowNanos - block.packets().missingSinceNanos(packetId)));
        }
    }

    private void answered(long nanos) {
        if (answerNanos == UNKNOWN) {
            answerNanos = nanos;
            answerDeviationNanos = nanos / 2;
        } else {
            // Smoothed as in RFC 6298.
            answerDeviationNanos += (Math.abs(nanos - answerNanos) - answerDeviationNanos) / 4;
            answerNanos += (nanos - answerNanos) / 8;
        }
    }

    /** A block is whole: what its packets show about the pace of the device. */
    void whole(OpenBlock block) {
        creditLimit = Math.max(MIN_CREDIT_LIMIT, 2.0 * block.packets().count());
        if (block.resend().progressId > 0
                && block.resend().progressId >= block.packets().count() / 2) {
            long interval = Math.max(0, block.resend().progressAt - block.openedAt()) / block.resend().progressId;
            intervalNanos = intervalNanos == UNKNOWN ? interval : intervalNanos + (interval - intervalNanos) / 8;
        }
        if (block.resend().requestedPackets == 0 && block.packets().count() > 1) {
            pauseNanos = Math.max(block.resend().longestPauseNanos, pauseNanos - pauseNanos / 16);
        }
    }

    /**
     * Packets before an id are missing if they are not there.
     *
     * @param end first packet id that is not meant
     */
    void notice(OpenBlock block, int end, long nowNanos) {
        int from = block.packets().scanEnd();
        if (block.packets().scan(end, nowNanos)) {
            block.resend().scheduleScan(nowNanos + firstWaitNanos());
            block.resend().unaskedFrom = Math.min(block.resend().unaskedFrom, from);
        }
    }

    /** The device answered a request with a status instead of data. */
    void refused(OpenBlock block, int status, long packetId, long nowNanos) {
        boolean last = GvspStatus.isFinal(status);
        if (block.placeholder() && last) {
            block.resend().abandoned = true;
            return;
        }
        if (packetId >= block.packets().scanEnd()) {
            return;
        }
        int id = (int) packetId;
        if (last) {
            block.packets().unavailable(status == GvspStatus.PACKET_AND_PREVIOUS_REMOVED ? 0 : id, id + 1);
            block.resend().scheduleScan(nowNanos);
        } else if (!block.packets().has(id)) {
            block.packets().postpone(id, nowNanos);
        }
    }

    /** All that a device had before a block has left its memory: what is missing of an older one will not come. */
    void removed(OpenBlock block, long nowNanos) {
        if (block.placeholder()) {
            block.resend().abandoned = true;
            return;
        }
        block.packets().unavailable(0, block.packets().scanEnd());
        block.resend().scheduleScan(nowNanos);
    }

    /** Whether it makes sense to ask for a block of which nothing arrived. */
    boolean asksForSkippedBlocks() {
        if (!enabled || overloaded()) {
            return false;
        }
        if (placeholderFailures < MAX_PLACEHOLDER_FAILURES) {
            return true;
        }
        placeholdersSkipped++;
        return placeholdersSkipped % PLACEHOLDER_PROBE == 0;
    }

    /** How the wait for a block of which nothing had arrived ended. */
    void placeholderEnded(boolean came) {
        placeholderFailures = came ? 0 : Math.min(MAX_PLACEHOLDER_FAILURES, placeholderFailures + 1);
    }

    /**
     * What the kernel dropped so far.
     *
     * @param total count since the socket was opened
     * @param onPurpose whether some of it may be what is shed on purpose, which says nothing
     */
    void kernelDrops(long total, boolean onPurpose, long nowNanos) {
        if (!started) {
            started = true;
            drops = total;
            creditAt = nowNanos;
            shareAt = nowNanos;
        }
        dropped |= total != drops && !onPurpose;
        drops = total;
        long sinceShare = nowNanos - shareAt;
        if (dropped && sinceShare >= SHARE_NANOS) {
            share = Math.max(MIN_SHARE, share / 2);
            credit = Math.min(credit, creditLimit * share);
            dropped = false;
            shareAt = nowNanos;
        } else if (sinceShare >= 2 * SHARE_NANOS) {
            share = Math.min(MAX_SHARE, share * 2);
            shareAt = nowNanos;
        }
        long sinceCredit = nowNanos - creditAt;
        if (sinceCredit > 0) {
            double seconds = Math.min(1, sinceCredit * 1e-9);
            credit = Math.min(creditLimit, credit + creditLimit * share * seconds);
            creditAt = nowNanos;
        }
    }

    /** Blocks were shed, so that there is no room for answers either. */
    void keptOut() {
        dropped = true;
    }

    /** Whether the kernel dropped packets again and again recently. */
    boolean overloaded() {
        return share <= MAX_SHARE / 4;
    }

    // ---- How long to wait

    private long firstWaitNanos() {
        return enabled ? reorderNanos() : packetNanos;
    }

    /** How long a packet may be late because others overtook it. */
    long reorderNanos() {
        if (intervalNanos == UNKNOWN) {
            return initialNanos;
        }
        long usual = Math.max(initialNanos / 4, Math.min(initialNanos, REORDERED_PACKETS * intervalNanos));
        return Math.max(usual, 2 * intervalNanos);
    }

    /**
     * How long ago later packets overtook one, by their number: those that gathered are seen at one time, but were not
     * sent so.
     */
    private long overtakenNanos(OpenBlock block, int packetId) {
        return enabled && intervalNanos > 0
                ? Math.max(0L, block.resend().progressId - packetId - 1L) * intervalNanos
                : 0;
    }

    /** How long to wait for an answer. */
    long answerWaitNanos(int tries) {
        if (!enabled || answerNanos == UNKNOWN) {
            return packetNanos;
        }
        long usual = Math.max(packetNanos / 4, answerNanos + 4 * answerDeviationNanos);
        return Math.min(packetNanos, usual << Math.min(tries - 1, 10));
    }

    /** How long a block may be silent before its end is taken for lost. */
    long silenceNanos() {
        if (pauseNanos == UNKNOWN || !enabled) {
            return packetNanos;
        }
        long most = Math.max(packetNanos, Math.min(2 * pauseNanos, retentionNanos / 2));
        return Math.max(Math.min(4 * pauseNanos, most), Math.max(initialNanos, reorderNanos()));
    }

    private static long earlier(long a, long b, long nowNanos) {
        return a - nowNanos <= b - nowNanos ? a : b;
    }

    // ---- Asking

    /**
     * Lets time pass for a block: asks for what is due, and makes it {@linkplain State#abandoned() abandoned} when
     * nothing is left to wait for.
     *
     * @param expectedPackets number of packets that it has, leader and trailer included, as far as it is known
     * @return when to look again
     */
    long plan(OpenBlock block, int expectedPackets, long nowNanos) {
        long next = nowNanos + IDLE_NANOS;
        if (block.highestPayload() > 0 || block.trailerSeen() || block.newerSeen()) {
            long silentSince = block.lastUsefulAt();
            if (block.newerSeen() && block.newerSeenAt() - silentSince > 0) {
                silentSince = block.newerSeenAt();
            }
            long retainedUntil = silentSince + retentionNanos;
            if (nowNanos - retainedUntil >= 0) {
                block.resend().abandoned = true;
                return next;
            }
            next = earlier(next, retainedUntil, nowNanos);
            if (!block.trailerSeen() && !block.resend().endScanned) {
                long tailAt =
                        silentSince + (block.newerSeen() ? Math.max(initialNanos, reorderNanos()) : silenceNanos());
                if (nowNanos - tailAt >= 0) {
                    block.resend().endScanned = true;
                    if (block.packets().scan(tailEnd(block, expectedPackets), nowNanos - reorderNanos())) {
                        block.resend().scheduleScan(nowNanos);
                    }
                } else {
                    next = earlier(next, tailAt, nowNanos);
                }
            }
        }
        if (block.resend().scanPending) {
            if (nowNanos - block.resend().scanDueAt >= 0
                    || overtakenNanos(block, block.resend().unaskedFrom) >= firstWaitNanos()) {
                scan(block, expectedPackets, nowNanos);
            }
            if (block.resend().scanPending) {
                next = earlier(next, block.resend().scanDueAt, nowNanos);
            }
        }
        return next;
    }

    /**
     * Up to where the end of a silent block is missing. A device that pauses has nothing to send again, so that one
     * packet is asked for first; all of them when it alone came, or nothing did.
     */
    private static int tailEnd(OpenBlock block, int expectedPackets) {
        if (block.newerSeen() || block.packets().scanEnd() == block.resend().probedEnd) {
            return expectedPackets;
        }
        block.resend().probedEnd = Math.min(expectedPackets, block.packets().scanEnd() + 1);
        return block.resend().probedEnd;
    }

    private void scan(OpenBlock block, int expectedPackets, long nowNanos) {
        long most = Math.max(ALWAYS_ALLOWED_PACKETS, (long) (ratio * expectedPackets));
        int mostTries = !enabled ? 0 : block.placeholder() ? Math.min(maxTries, TRIES_FOR_PLACEHOLDER) : maxTries;
        long next = nowNanos + IDLE_NANOS;
        boolean hope = false;
        block.resend().unaskedFrom = Integer.MAX_VALUE;
        int first = -1;
        int last = -1;
        int requests = 0;
        int begin = block.packets().firstMissing();
        int end = block.packets().scanEnd();
        for (int id = begin; id < end; id = block.packets().nextMissing(id + 1)) {
            int tries = block.packets().tries(id);
            if (tries >= PacketLedger.GIVEN_UP) {
                continue;
            }
            long wait = tries == 0 ? firstWaitNanos() - overtakenNanos(block, id) : answerWaitNanos(tries);
            long due = block.packets().missingSinceNanos(id) + wait;
            if (nowNanos - due < 0) {
                hope = true;
                if (tries == 0) {
                    block.resend().unaskedFrom = Math.min(block.resend().unaskedFrom, id);
                }
                next = earlier(next, due, nowNanos);
                continue;
            }
            boolean affordable = block.placeholder() || block.resend().requestedPackets < most;
            if (tries >= mostTries || (tries == 0 && !affordable)) {
                block.packets().giveUp(id);
                continue;
            }
            if (affordable && credit < 1) {
                if (overloaded()) {
                    block.resend().abandoned = true;
                    break;
                }
                hope = true;
                next = earlier(next, nowNanos + initialNanos, nowNanos);
                break;
            }
            hope = true;
            block.packets().asked(id, nowNanos);
            next = earlier(next, nowNanos + answerWaitNanos(tries + 1), nowNanos);
            if (!affordable) {
                // The answer to an earlier request may still be on its way.
                continue;
            }
            int hole = first < 0 ? 0 : id - last - 1;
            if (first >= 0 && hole <= Math.min(MAX_HOLE_PACKETS, requests / REQUESTS_PER_HOLE_PACKET)) {
                spend(block, hole + 1);
            } else {
                request(block, first, last);
                requests++;
                spend(block, 1);
                first = id;
            }
            last = id;
        }
        request(block, first, last);
        block.resend().scanPending = hope;
        block.resend().scanDueAt = next;
        boolean endKnown = block.trailerSeen() || (block.newerSeen() && block.resend().endScanned);
        if (!hope && endKnown && begin < end) {
            block.resend().abandoned = true;
        }
    }

    private void spend(OpenBlock block, int packets) {
        block.resend().requestedPackets += packets;
        credit -= packets;
    }

    private void request(OpenBlock block, int first, int last) {
        if (first >= 0) {
            statistics.add(Counter.RESENDS_REQUESTED, last - first + 1L);
            requester.requestResend(block.blockId(), first, last, block.extended());
        }
    }
}
