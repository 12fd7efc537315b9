package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeException;
import io.peregrine.composite.ImageStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.PointCloudStream;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.junit.GevCamera;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of images and of point clouds, from a device. */
@Timeout(60)
class TypedStreamsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    @GevCamera(serial = "PG-51", width = 64, height = 48, frameRate = 50)
    private VirtualCamera camera;

    private Device open(String payload) {
        Devices factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        camera.address().getAddress().getHostAddress() + ":"
                                + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        DiscoveryInformation found =
                factory.discover(DiscoverFlags.FIND_ALL, LONG).get(0);
        return factory.open(found.setParameter("Payload", payload));
    }

    @Test
    void imagesComeFromAStreamOfImages() {
        try (Device device = open("Image");
                ImageStream stream = device.stream(ImageStream.class, 0)) {
            stream.start();
            try (Composite composite = stream.waitFor(LONG).toOptional().orElseThrow()) {
                Item image = composite.image().orElseThrow();
                assertEquals(64, image.width());
                assertEquals(48, image.height());
            }
            stream.stop();
        }
    }

    @Test
    void aStreamOfPointCloudsRefusesImages() {
        try (Device device = open("Image");
                PointCloudStream stream = device.stream(PointCloudStream.class, 0)) {
            stream.start();

            CompositeException thrown = assertThrows(CompositeException.class, () -> stream.waitFor(LONG));

            assertTrue(thrown.getMessage().contains("64x48"), thrown::getMessage);
            stream.stop();
        }
    }

    @Test
    void aStreamOfImagesRefusesAContainerOfSeveral() {
        try (Device device = open("GenDC");
                ImageStream stream = device.stream(ImageStream.class, 0)) {
            stream.start();

            CompositeException thrown = assertThrows(CompositeException.class, () -> stream.waitFor(LONG));

            assertTrue(thrown.getMessage().contains("exactly one image"), thrown::getMessage);
            stream.stop();
        }
    }

    @Test
    void thereAreNoStreamsOfOtherThings() {
        try (Device device = open("Image")) {
            assertThrows(CompositeException.class, () -> device.stream(String.class, 0));
        }
    }
}
