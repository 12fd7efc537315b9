package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.export.Axis;
import io.peregrine.export.Coordinates;
import io.peregrine.export.Images;
import io.peregrine.export.PixelView;
import io.peregrine.export.PointCloud;
import io.peregrine.gendc.ComponentType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Saves one frame of a 3D camera: its images, and a point cloud with intensity and confidence. */
public final class SavePointCloud {
    private SavePointCloud() {}

    /**
     * Runs the sample.
     *
     * @param arguments the folder for the files, the working directory when absent
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : ".");
        try (Device device = DeviceFactory.open(DeviceFactory.first());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            WaitResult result = stream.waitFor(Duration.ofSeconds(5));
            if (!(result instanceof WaitResult.Ok frame)) {
                throw new IllegalStateException("No frame came, " + result + " " + stream.diagnosis());
            }
            try (Composite composite = frame.composite()) {
                save(composite, folder);
            }
            stream.stop();
        }
    }

    static void save(Composite composite, Path folder) throws IOException {
        Files.createDirectories(folder);
        // The unit of the numbers is in the camera's features: Scan3dCoordinateScale and the like.
        Coordinates millimetres = Coordinates.IDENTITY.withInvalidDepth(0);
        for (Item item : composite.items()) {
            if (!item.complete()) {
                System.out.println("skipped: " + item);
            } else if (item instanceof PointCloudItem points) {
                save(PointCloud.of(points, millimetres).withAttributesOf(composite, points), folder);
                save(Images.falseColours(points, millimetres.z()), folder.resolve("range.png"));
            } else if (item.componentType() == ComponentType.RANGE) {
                // A depth map of square pixels, half a millimetre each.
                Coordinates rectified = new Coordinates(Axis.of(0.5, 0), Axis.of(0.5, 0), millimetres.z());
                save(PointCloud.ofDepth(PixelView.of(item), rectified).withAttributesOf(composite, item), folder);
                save(Images.falseColours(item, millimetres.z()), folder.resolve("range.png"));
            } else if (item.componentType() == ComponentType.INTENSITY
                    || item.componentType() == ComponentType.CONFIDENCE) {
                save(Images.of(item), folder.resolve(item.componentType().name().toLowerCase(Locale.ROOT) + ".png"));
            }
        }
    }

    private static void save(PointCloud cloud, Path folder) throws IOException {
        cloud.writePly(folder.resolve("points.ply"));
        cloud.writePcd(folder.resolve("points.pcd"));
        System.out.println("wrote " + cloud + " to points.ply and points.pcd");
    }

    private static void save(java.awt.image.BufferedImage image, Path file) throws IOException {
        Images.writePng(image, file);
        System.out.println("wrote " + file);
    }
}
