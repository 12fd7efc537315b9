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

/** Files of points, behind {@link PointCloud#writePly} and {@link PointCloud#writePcd}. */
final class PointCloudFiles {
    private static final int POINTS_AT_ONCE = 4096;
    private static final int PLY_COLOUR_BYTES = 3;
    private static final int PCD_COLOUR_BYTES = 4;

    private PointCloudFiles() {}

    static void writePly(PointCloud cloud, OutputStream target) throws IOException {
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

    static void writePly(PointCloud cloud, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writePly(cloud, target);
        }
    }

    static void writePcd(PointCloud cloud, OutputStream target) throws IOException {
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

    static void writePcd(PointCloud cloud, Path file) throws IOException {
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
