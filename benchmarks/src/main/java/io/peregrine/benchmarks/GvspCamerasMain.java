package io.peregrine.benchmarks;

import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The cameras of the GVSP benchmark: {@code NUMBER MEGABYTES_PER_SECOND PACKET_SIZE LOSS_PER_MILLE}. The rate is of
 * image data, of all cameras together; 0 is as fast as they can. Resent packets get lost like others. Prints
 * {@code ready}, and for each line of its input a line with what was sent so far; ends with its input.
 */
public final class GvspCamerasMain {
    private static final double HEADROOM = 1.02;
    private static final int HEADERS = 36;

    private GvspCamerasMain() {}

    /**
     * Sends.
     *
     * @param arguments what the class's documentation says
     * @throws IOException if the input fails
     */
    public static void main(String[] arguments) throws IOException {
        int number = Integer.parseInt(arguments[0]);
        double rate = Double.parseDouble(arguments[1]) / number;
        int packetSize = Integer.parseInt(arguments[2]);
        double loss = Double.parseDouble(arguments[3]);
        // Frames come at the rate, and packets within them just as fast as that needs.
        double link = rate * packetSize / (packetSize - HEADERS) * 8 * HEADROOM;
        FaultPlan faults = new FaultPlan(1, loss, loss, 0, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);
        List<VirtualCamera> cameras = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            cameras.add(VirtualCamera.start(Scenario.builder()
                    .bindAddress(GvspPictures.camera(i))
                    .port(GvspPictures.PORT)
                    .serial("GVSP" + i)
                    .size(GvspPictures.WIDTH, GvspPictures.HEIGHT)
                    .components(Set.of(ComponentKind.INTENSITY))
                    .frameRate(rate == 0 ? 10_000 : rate * 1e6 / GvspPictures.BYTES)
                    .linkSpeedMegabits((int) Math.ceil(link))
                    .packetSizeBytes(packetSize)
                    .distinctImages(GvspPictures.COUNT)
                    .segmentationOffload(true)
                    .listenForBroadcast(number == 1)
                    .faults(faults)
                    .build()));
        }
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        while (input.readLine() != null) {
            long blocks = 0;
            long packets = 0;
            long resent = 0;
            long lost = 0;
            long failures = 0;
            for (VirtualCamera camera : cameras) {
                VirtualCamera.Statistics sent = camera.statistics();
                blocks += sent.blocksSent();
                packets += sent.packetsSent();
                resent += sent.packetsResent();
                lost += sent.packetsLostByFault();
                failures += sent.sendFailures();
            }
            System.out.println("blocks=" + blocks + " packets=" + packets + " resent=" + resent + " lost=" + lost
                    + " failures=" + failures);
        }
        System.exit(0);
    }
}
