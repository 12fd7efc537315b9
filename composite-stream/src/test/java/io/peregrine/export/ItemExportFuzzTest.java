package io.peregrine.export;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Whatever the container: each item becomes a picture, a cloud or an ExportException. */
class ItemExportFuzzTest {
    private static final int EDIT_BYTES = 10;
    private static final long MAX_JPEG_PIXELS = 1 << 16;

    /** A component of each kind that can be exported. */
    private static final byte[] GOOD = good();

    private static byte[] good() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO12P)
                        .part2d(p -> p.format(PfncCodes.MONO12P).size(4, 3)))
                .component(c -> c.typeId(1)
                        .format(PfncCodes.BAYER_RG8)
                        .part2d(p -> p.format(PfncCodes.BAYER_RG8).size(4, 4)))
                .component(c -> c.typeId(1)
                        .format(PfncCodes.RGB8_PLANAR)
                        .part2d(p -> p.format(PfncCodes.R8).size(4, 2))
                        .part2d(p -> p.format(PfncCodes.G8).size(4, 2))
                        .part2d(p -> p.format(PfncCodes.B8).size(4, 2)))
                .component(c -> c.typeId(4)
                        .format(PfncCodes.COORD3D_ABC16)
                        .part2d(p -> p.format(PfncCodes.COORD3D_ABC16).size(2, 2)))
                .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part1d(p -> p.size(2)))
                .component(c -> c.typeId(6)
                        .format(PfncCodes.CONFIDENCE8)
                        .part2d(p -> p.format(PfncCodes.CONFIDENCE8).size(2, 2)))
                .build();
        return Arrays.copyOf(descriptor.toBytes(), Math.toIntExact(descriptor.containerSizeBytes()));
    }

    @FuzzTest(maxDuration = "60s")
    void exportsAnythingWithoutHarm(byte[] input) throws IOException {
        export(ByteBuffer.wrap(input));
        export(changed(input));
        decode(input);
    }

    /** The good container with changes: two bytes of position, eight of value, and so on. */
    private static ByteBuffer changed(byte[] edits) {
        ByteBuffer bytes = ByteBuffer.wrap(GOOD.clone()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer from = ByteBuffer.wrap(edits);
        while (from.remaining() >= EDIT_BYTES) {
            int at = Short.toUnsignedInt(from.getShort()) % (GOOD.length - 8);
            bytes.putLong(at, from.getLong());
        }
        return bytes;
    }

    private static void export(ByteBuffer container) throws IOException {
        try (Composite composite = Composite.of(container)) {
            for (Item item : composite.items()) {
                export(composite, item);
                if (item instanceof PlanesItem planes) {
                    for (PlaneItem plane : planes.planes()) {
                        export(composite, plane);
                    }
                }
            }
        }
    }

    private static void export(Composite composite, Item item) throws IOException {
        ByteArrayOutputStream files = new ByteArrayOutputStream();
        try {
            ImageFiles.writePng(Images.of(item), files);
        } catch (ExportException e) {
            // The declared answer to what makes no picture.
        }
        try {
            Images.forDisplay(item);
        } catch (ExportException e) {
            // The declared answer to what cannot be looked at.
        }
        try {
            ImageFiles.writeTiff(Images.depth16(item, Axis.IDENTITY, 1), files);
        } catch (ExportException e) {
            // The declared answer to what has no depth.
        }
        try {
            PointCloud cloud = item instanceof PointCloudItem points
                    ? PointCloud.of(points, Coordinates.IDENTITY)
                    : PointCloud.ofDepth(PixelView.of(item), Coordinates.IDENTITY);
            PointCloudFiles.writePly(cloud.withAttributesOf(composite, item), files);
            PointCloudFiles.writePcd(cloud, files);
        } catch (ExportException e) {
            // The declared answer to what is no cloud.
        }
    }

    private static void decode(byte[] jpeg) {
        try {
            Images.ofJpeg(ByteBuffer.wrap(jpeg), MAX_JPEG_PIXELS);
        } catch (ExportException e) {
            // The declared answer to what is no JPEG.
        }
    }
}
