package io.peregrine.distribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What went wrong at a publisher, and what to do about it. For any thread. */
final class PublisherDiagnosis {
    /** Ten reports are due in that time. */
    private static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final PublisherSettings settings;
    private final PublisherCounters counters;
    private final ConsumerDesk desk;
    private final Route route;
    /** Such a consumer was there. */
    private volatile boolean termTooShort;

    PublisherDiagnosis(PublisherSettings settings, PublisherCounters counters, ConsumerDesk desk) {
        this.settings = settings;
        this.counters = counters;
        this.desk = desk;
        route = Route.parse(settings.route());
    }

    /**
     * Looks at consumers that are there now. For one thread.
     *
     * @return a warning to log: the first time that a consumer may drop frames which are large for the term
     */
    Optional<String> warning() {
        if (termTooShort || settings.shared() || neededTerm().isEmpty() || !desk.oneMayDrop()) {
            return Optional.empty();
        }
        termTooShort = true;
        return term();
    }

    private Optional<String> neededTerm() {
        return TermLength.needed(route, settings.distribution().termBytes(), counters.largestFlowBytes());
    }

    private Optional<String> term() {
        return neededTerm()
                .map(needed -> "Frames of " + counters.largestFlowBytes() + " bytes are large for "
                        + DistributionSettings.TERM + "="
                        + settings.distribution().get(DistributionSettings.TERM)
                        + ": consumers that may drop frames lose many, or all, because they are cut off when they are"
                        + " late by half of that. Set " + DistributionSettings.TERM + "=" + needed
                        + " at the publisher, or " + DistributionSettings.SLOW + "=wait at these consumers");
    }

    private boolean waitedFor(Subscriber silent) {
        return route.leavesLateConsumersBehind()
                ? silent.silentNanos() < settings.distribution().goneAfter().toNanos()
                : silent.connected();
    }

    private String givenUp() {
        return route.leavesLateConsumersBehind()
                ? "it has been silent for " + DistributionSettings.GONE_AFTER + "="
                        + settings.distribution().get(DistributionSettings.GONE_AFTER)
                : "the media driver gives it up";
    }

    private String slowRemedy() {
        String always = "lower the frame rate, or use larger packets (" + DistributionSettings.MTU
                + "=8928 where the network carries 9000 bytes)";
        if (settings.shared()) {
            return always + ", or start more consumers";
        }
        return desk.allMayDrop()
                ? always + "; all consumers may drop frames, and the publisher goes at the pace of the fastest"
                : always + ", or let slow consumers drop frames (" + DistributionSettings.SLOW + "=drop)";
    }

    /** All that is known, most severe first; empty when all is well. */
    List<String> sentences(Optional<DistributionException> failure, List<String> driver) {
        FramePublisher.Statistics counted = counters.statistics();
        List<String> found = new ArrayList<>();
        failure.map(Throwable::getMessage).ifPresent(found::add);
        if (termTooShort) {
            term().ifPresent(found::add);
        }
        if (!settings.shared()) {
            desk.silent(SILENT_NANOS).stream()
                    .filter(this::waitedFor)
                    .forEach(
                            one -> found.add(one.view().name() + ", which must have each frame, has not been heard for "
                                    + TimeUnit.NANOSECONDS.toMillis(one.silentNanos())
                                    + " ms: the publisher, and all consumers of the route with it, wait for it until "
                                    + givenUp()));
        }
        if (counted.framesAbandoned() > 0) {
            found.add(counted.framesAbandoned() + " frames were cut off because the last consumer left within them");
        }
        if (counted.framesDroppedBackPressure() > 0) {
            found.add(counted.framesDroppedBackPressure() + " frames were dropped because consumers or the network were"
                    + " slower than the camera: " + slowRemedy());
        }
        desk.view().stream()
                .filter(one -> one.framesHeldUp() > 0)
                .forEach(one -> found.add(one.framesHeldUp() + " of these because of " + one.name()
                        + ", which must have each frame: it did not take them in time"));
        if (counted.framesLostWithConsumers() > 0) {
            found.add(
                    counted.framesLostWithConsumers() + " frames were lost with consumers that share the work and left"
                            + " before they had used them: lower their FlowSetCount, so that each holds fewer");
        }
        if (counted.framesDroppedUnusable() > 0) {
            found.add(counted.framesDroppedUnusable()
                    + " frames were dropped because nothing is known of their content: see the stream's own diagnosis");
        }
        if (counted.framesDroppedNoSubscriber() > 0 && counted.framesPublished() == 0) {
            found.add("No consumer has received a frame yet: check the route " + settings.route()
                    + ", and that a firewall lets UDP pass");
        }
        if (desk.refused() > 0) {
            found.add(desk.refused() + " reports of consumers were malformed, or of too many consumers: another program"
                    + " sends to this publisher, or has another version");
        }
        counters.features.diagnosis(found);
        found.addAll(driver);
        return List.copyOf(found);
    }
}
