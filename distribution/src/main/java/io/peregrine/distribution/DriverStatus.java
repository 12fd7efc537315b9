package io.peregrine.distribution;

import io.aeron.AeronCounters;
import io.aeron.driver.reports.LossReportReader;
import io.aeron.driver.reports.LossReportUtil;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/** What the media driver of this host counts and reports, as sentences of a diagnosis; empty while all is well. */
final class DriverStatus {
    private static final long NANOS_A_MILLI = 1_000_000;

    private final CountersReader counters;
    private final String directory;

    /**
     * Reads what a driver writes, for as long as a client of it is open.
     *
     * @param counters of the driver
     * @param directory of the driver
     */
    DriverStatus(CountersReader counters, String directory) {
        this.counters = counters;
        this.directory = directory;
    }

    /** What a consumer should know. */
    List<String> receiving(int session) {
        List<String> found = new ArrayList<>(losses(session));
        long ahead = system(SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS);
        if (ahead > 0) {
            found.add(ahead
                    + " packets came further ahead than half the publisher's term and were dropped: this host was"
                    + " left behind, because it does not hold up the publisher and fills gaps one after the other. Set"
                    + " a larger " + DistributionSettings.TERM + " there (four frames or more), use larger packets ("
                    + DistributionSettings.MTU + "), or " + DistributionSettings.SLOW + "=wait here");
        }
        common(found);
        return found;
    }

    /** What a publisher should know. */
    List<String> sending(List<Long> registrationIds) {
        List<String> found = new ArrayList<>();
        long asked = registrationIds.stream()
                .mapToLong(id -> counter(AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID, id))
                .sum();
        if (asked > 0) {
            found.add("Consumers asked " + asked + " times for packets that were missing: they were lost in the network"
                    + " (check cables and switches, and net.core.rmem_max of the consumers), or a consumer that may"
                    + " drop frames lags behind (its own diagnosis says so)");
        }
        long full = system(SystemCounterDescriptor.SHORT_SENDS);
        if (full > 0) {
            found.add(full + " packets did not fit into the send buffer at once: raise net.core.wmem_max");
        }
        common(found);
        return found;
    }

    private void common(List<String> found) {
        long errors = system(SystemCounterDescriptor.ERRORS);
        if (errors > 0) {
            found.add("The media driver in " + directory + " reports " + errors
                    + " errors: Aeron's ErrorStat prints them");
        }
        long foreign = system(SystemCounterDescriptor.INVALID_PACKETS);
        if (foreign > 0) {
            found.add(foreign + " packets that are not Aeron's came to its ports: another program sends there");
        }
        long heldUp = system(SystemCounterDescriptor.CONDUCTOR_CYCLE_TIME_THRESHOLD_EXCEEDED);
        if (heldUp > 0) {
            found.add("The media driver was held up " + heldUp + " times, for at most "
                    + system(SystemCounterDescriptor.CONDUCTOR_MAX_CYCLE_TIME) / NANOS_A_MILLI
                    + " ms: the host has too few processors for what runs on it");
        }
    }

    private List<String> losses(int session) {
        long[] gaps = new long[2];
        MappedByteBuffer report = LossReportUtil.mapLossReportReadOnly(directory);
        try {
            LossReportReader.read(
                    new UnsafeBuffer(report), (count, bytes, first, last, ofSession, stream, channel, source) -> {
                        if (ofSession == session && stream == Announcement.FRAMES_STREAM_ID) {
                            gaps[0] += count;
                            gaps[1] += bytes;
                        }
                    });
        } finally {
            IoUtil.unmap(report);
        }
        return gaps[0] == 0
                ? List.of()
                : List.of(gaps[1] + " bytes in " + gaps[0] + " gaps were lost in the network and asked for again: check"
                        + " cables and switches, and raise net.core.rmem_max where the socket drops packets");
    }

    private long counter(int type, long registrationId) {
        int id = counters.findByTypeIdAndRegistrationId(type, registrationId);
        return id == CountersReader.NULL_COUNTER_ID ? 0 : counters.getCounterValue(id);
    }

    private long system(SystemCounterDescriptor which) {
        long[] value = {0};
        counters.forEach((id, type, key, label) -> {
            if (type == AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID && key.getInt(0) == which.id()) {
                value[0] = counters.getCounterValue(id);
            }
        });
        return value[0];
    }
}
