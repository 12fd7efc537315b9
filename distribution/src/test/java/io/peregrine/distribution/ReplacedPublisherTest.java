package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.stream.End;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program that holds a published device open has to do when its publisher, or the camera, has changed. */
@Timeout(120)
class ReplacedPublisherTest {
    private static final String REMEDY = "open the device again";

    private final DistributionRig rig = new DistributionRig();
    private PublisherSettings settings;

    @BeforeEach
    void setUp() {
        settings = PublisherSettings.of("line", rig.route("ipc"));
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
    }

    @Test
    void aStreamOfAPublisherThatWasStartedAgainSaysThatTheDeviceHasToBeOpenedAgain() {
        rig.set(DistributionSettings.LOST_AFTER, "200ms");
        FramePublisher first = rig.publisher(settings);
        Device device = rig.keep(DeviceFactory.open("aeron:line"));
        first.close();
        rig.publisher(settings);
        CompositeStream stream = rig.keep(device.stream(CompositeStream.class, 0));
        stream.start();
        WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, stream.waitFor(DistributionRig.PATIENCE));
        String reason =
                assertInstanceOf(End.Failed.class, abort.end()).failure().toString();
        assertTrue(reason.contains(REMEDY), reason);
    }

    @Test
    void aStreamWhoseFramesHaveGrownSaysThatTheDeviceHasToBeOpenedAgain() {
        FramePublisher publisher = rig.publisher(settings);
        CompositeStream stream = rig.consumer("line");
        DistributionRig.awaitConsumers(publisher);
        try (Composite large = Containers.frame(1, 800, 600)) {
            assertTrue(publisher.publish(large));
        }
        DistributionRig.next(stream).close();
        List<String> diagnosis = stream.diagnosis();
        assertTrue(diagnosis.stream().anyMatch(text -> text.contains(REMEDY)), diagnosis::toString);
    }
}
