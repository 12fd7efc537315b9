package io.peregrine.distribution;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records, in a process that tests kill. */
final class ArchiveProcess {
    private ArchiveProcess() {}

    /** Records by the system properties until killed. */
    public static void main(String[] arguments) throws InterruptedException {
        try (RecordingService recorder = RecordingService.start(DistributionSettings.load(), List.of())) {
            System.out.println("recording");
            long missing = 0;
            while (true) {
                TimeUnit.MILLISECONDS.sleep(50);
                long now = recorder.statistics().framesMissing();
                if (now != missing) {
                    missing = now;
                    System.out.println("missing " + missing);
                }
            }
        }
    }
}
