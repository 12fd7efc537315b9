package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cameras differ in whether a packet with 16-bit ids that is sent again says so. */
@Timeout(60)
class ResentPacketsTest {
    private static final String CAMERA = "127.59.0.2";
    private static final int FRAMES = 50;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLossIsMadeUpForWhetherOrNotThePacketSaysThatItIsSentAgain(boolean marked) {
        Scenario scenario = Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .serial("PG-59-2")
                .size(320, 240)
                .frameRate(100)
                .markResentPackets(marked)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            camera.faults().seed(11).lossPerMille(20);
            DiscoveryInformation info =
                    Found.of(camera).setParameter("Payload", "Image").setParameter("PacketSize", "1400");
            try (Device device = DeviceFactory.open(info);
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                for (int i = 0; i < FRAMES; i++) {
                    try (Composite composite = Frames.next(stream)) {
                        assertTrue(composite.complete());
                    }
                }
                StreamStatistics statistics = stream.statistics();
                assertTrue(statistics.get(Counter.PACKETS_RECOVERED) > 0);
                assertEquals(statistics.get(Counter.PACKETS_RECOVERED), statistics.get(Counter.RESENDS_RECEIVED));
                assertEquals(0, statistics.get(Counter.PACKETS_MALFORMED));
            }
        }
    }
}
