package io.peregrine.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes point clouds as PLY 1.0 and PCD 0.7, both binary and little-endian, every value a 32-bit float. Colours are
 * what readers of the formats look for: three bytes {@code red green blue} in PLY; in PCD a field {@code rgb}, a float
 * whose bits are 0x00RRGGBB.
 *
 * <p>PLY has no word for an invalid point, so it gets the valid ones only. PCD keeps the grid of the camera
 * ({@code WIDTH}, {@code HEIGHT}) and marks an invalid point by three NaN coordinates, as its description wants it; its
 * attributes stay.
 */
public final class PointCloudFiles {
    private static final int POINTS_AT_ONCE = 4096;
    private static final int PLY_COLOUR_BYTES = 3;
    private static final int PCD_COLOUR_BYTES = 4;

    private PointCloudFiles() {}

    /**
     * Writes the valid points as PLY. The stream is not closed.
     *
     * @throws IOException if the stream refuses
     */
    public static void writePly(PointCloud cloud, OutputStream target) throws IOException {
        StringBuilder header = new StringBuilder("ply\nformat binary_little_endian 1.0\nelement vertex ")
                .append(cloud.validCount())
                .append('\n');
        for (String name : fields(cloud)) {
            header.append("property float ").append(name).append('\n');
        }
        if (cloud.coloured()) {
            header.append("property uchar red\nproperty uchar green\nproperty uchar blue\n");
        }
        target.write(header.append("end_header\n").toString().getBytes(StandardCharsets.US_ASCII));
        writePoints(cloud, target, PLY_COLOUR_BYTES, false);
    }

    /**
     * Writes the valid points as a PLY file.
     *
     * @throws IOException if the file cannot be written
     */
    public static void writePly(PointCloud cloud, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writePly(cloud, target);
        }
    }

    /**
     * Writes all points as PCD. The stream is not closed.
     *
     * @throws IOException if the stream refuses
     */
    public static void writePcd(PointCloud cloud, OutputStream target) throws IOException {
        List<String> fields = new ArrayList<>(fields(cloud));
        if (cloud.coloured()) {
            fields.add("rgb");
        }
        int count = fields.size();
        String header = "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS " + String.join(" ", fields)
                + "\nSIZE" + " 4".repeat(count) + "\nTYPE" + " F".repeat(count) + "\nCOUNT" + " 1".repeat(count)
                + "\nWIDTH " + cloud.width() + "\nHEIGHT " + cloud.height() + "\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS "
                + cloud.size() + "\nDATA binary\n";
        target.write(header.getBytes(StandardCharsets.US_ASCII));
        writePoints(cloud, target, PCD_COLOUR_BYTES, true);
    }

    /**
     * Writes all points as a PCD file.
     *
     * @throws IOException if the file cannot be written
     */
    public static void writePcd(PointCloud cloud, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writePcd(cloud, target);
        }
    }

    private static List<String> fields(PointCloud cloud) {
        return Stream.concat(Stream.of("x", "y", "z"), cloud.attributeNames().stream())
                .toList();
    }

    private static void writePoints(PointCloud cloud, OutputStream target, int colourBytes, boolean invalidToo)
            throws IOException {
        int attributes = cloud.attributeNames().size();
        int pointBytes = 4 * (3 + attributes) + (cloud.coloured() ? colourBytes : 0);
        ByteBuffer bytes = ByteBuffer.allocate(POINTS_AT_ONCE * pointBytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < cloud.size(); i++) {
            boolean valid = cloud.valid(i);
            if (!valid && !invalidToo) {
                continue;
            }
            bytes.putFloat(cloud.x(i)).putFloat(cloud.y(i)).putFloat(cloud.z(i));
            for (int a = 0; a < attributes; a++) {
                bytes.putFloat(cloud.attribute(a, i));
            }
            if (cloud.coloured()) {
                putColour(bytes, cloud.colour(i), colourBytes);
            }
            if (!bytes.hasRemaining()) {
                target.write(bytes.array());
                bytes.clear();
            }
        }
        target.write(bytes.array(), 0, bytes.position());
    }

    private static void putColour(ByteBuffer bytes, int colour, int colourBytes) {
        if (colourBytes == PCD_COLOUR_BYTES) {
            bytes.putInt(colour);
        } else {
            bytes.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour);
        }
    }
}
