package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.recording.Camera;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cameras with a GenICam XML that is larger than a message in a term of frames. */
class LargeDescriptionTest {
    private DistributionRig rig;

    @BeforeEach
    void setUp() {
        rig = new DistributionRig();
        rig.set(DistributionSettings.TERM, "64k");
        rig.set(DistributionSettings.DISCOVERY_WINDOW, "10s");
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
    }

    private PublisherSettings camera(byte[] xml) {
        return PublisherSettings.of("cam", rig.route("ipc"))
                .withCamera(new Camera(Map.of(), "", Optional.empty(), Optional.of(xml)));
    }

    /** Zipped as long as it is. */
    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(1).nextBytes(noise);
        return noise;
    }

    @Test
    void itIsAnnouncedWholeWhateverTheTermOfFrames() {
        byte[] xml = noise(200_000);
        rig.publisher(camera(xml));
        Camera found = new AeronStreams().find("cam").get(0).camera();
        assertArrayEquals(xml, found.xml().orElseThrow());
    }

    @Test
    void oneThatNoMessageHoldsIsRefused() {
        PublisherSettings settings = camera(noise(Route.MAX_MESSAGE_BYTES));
        DistributionException refusal = assertThrows(DistributionException.class, () -> rig.publisher(settings));
        assertTrue(String.valueOf(refusal.getMessage()).contains("GenICam XML"), refusal::getMessage);
    }
}
