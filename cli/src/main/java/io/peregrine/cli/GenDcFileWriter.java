package io.peregrine.cli;

import io.peregrine.composite.BufferItem;
import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlaneRole;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.export.Axis;
import io.peregrine.export.Coordinates;
import io.peregrine.export.ExportException;
import io.peregrine.export.Images;
import io.peregrine.export.PixelView;
import io.peregrine.export.PointCloud;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PixelFormat;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes parts and items of a container to files, as many as can be written, and says which cannot. */
final class GenDcFileWriter {

    /** What items are written as. */
    enum Format {
        /** Images of 8 or 16 bits a sample. */
        PNG,
        /** Images of 8, 16 or 32 (floating-point) bits a sample. */
        TIFF,
        /** The valid points of a cloud. */
        PLY,
        /** All points of a cloud. */
        PCD
    }

    /**
     * How items are converted.
     *
     * @param formats what to write of each item that can be it
     * @param coordinates how numbers become coordinates
     * @param depthUnit depth of one grey level, for depth in floating-point numbers as PNG
     * @param display whether images are for looking at
     * @param rectified whether column and row of a depth map are coordinates
     */
    record Conversion(
            Set<Format> formats, Coordinates coordinates, double depthUnit, boolean display, boolean rectified) {}

    /** Writes one file. */
    private interface Content {
        void write(Path file) throws IOException;
    }

    private final List<Path> written = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** The files that were written. */
    List<Path> written() {
        return written;
    }

    /** What could not be written and why. */
    List<String> failures() {
        return failures;
    }

    // ---- Parts as they are

    void extract(GenDcContainer container, Path folder) {
        create(folder);
        for (int c = 0; c < container.components().size(); c++) {
            GenDcComponent component = container.components().get(c);
            for (int p = 0; p < component.parts().size() && !component.invalid(); p++) {
                GenDcPart part = component.parts().get(p);
                String name = String.format(
                        Locale.ROOT,
                        "%02d-%d-%s-%s.%s",
                        c,
                        p,
                        component.type().name().toLowerCase(Locale.ROOT),
                        PixelFormat.of(part.format()).name(),
                        extension(part));
                attempt(
                        "component " + c + " part " + p,
                        folder.resolve(name),
                        file -> save(container.data(part), file));
            }
        }
    }

    private static String extension(GenDcPart part) {
        return switch (part.headerType()) {
            case PartType.METADATA_CHUNK -> "chunk";
            case PartType.METADATA_XML -> part.xmlZipped() ? "zip" : "xml";
            case PartType.IMAGE_2D_JPEG -> "jpg";
            case PartType.IMAGE_2D_JPEG2000 -> "jp2";
            case PartType.IMAGE_2D_H264 -> "h264";
            default -> "raw";
        };
    }

    private static void save(ByteBuffer data, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (data.hasRemaining()) {
                channel.write(data);
            }
        }
    }

    // ---- Items as pictures and clouds

    void convert(Composite composite, Conversion how, Path folder) {
        create(folder);
        int index = 0;
        for (Item item : composite.items()) {
            String name = String.format(
                    Locale.ROOT, "%02d-%s", index, item.componentType().name().toLowerCase(Locale.ROOT));
            if (item instanceof PlanesItem planes && planes.valid() && !isColour(planes)) {
                for (PlaneItem plane : planes.planes()) {
                    String role = plane.role().name().toLowerCase(Locale.ROOT);
                    Path stem = folder.resolve(name + "-" + plane.plane() + "-" + role);
                    convert(composite, plane, "item " + index + " plane " + plane.plane(), stem, how);
                }
            } else if (item.valid()) {
                convert(composite, item, "item " + index, folder.resolve(name), how);
            }
            index++;
        }
    }

    private void convert(Composite composite, Item item, String what, Path stem, Conversion how) {
        boolean cloud = item instanceof PointCloudItem || (how.rectified() && isDepthMap(item));
        boolean picture = isPicture(item);
        for (Format format : how.formats()) {
            boolean forCloud = format == Format.PLY || format == Format.PCD;
            if (forCloud ? !cloud : !picture) {
                continue;
            }
            Path file =
                    stem.resolveSibling(stem.getFileName() + "." + format.name().toLowerCase(Locale.ROOT));
            attempt(what, file, target -> {
                switch (format) {
                    case PNG -> Images.writePng(picture(item, how, false), target);
                    case TIFF -> Images.writeTiff(picture(item, how, true), target);
                    case PLY -> cloud(composite, item, how).writePly(target);
                    case PCD -> cloud(composite, item, how).writePcd(target);
                }
            });
        }
    }

    /** Whether its planes make one image. */
    private static boolean isColour(PlanesItem planes) {
        return planes.plane(PlaneRole.RED).isPresent()
                || planes.plane(PlaneRole.LUMA).isPresent();
    }

    private static boolean isDepthMap(Item item) {
        return item.componentType() == ComponentType.RANGE && !(item instanceof PointCloudItem);
    }

    /** Whether a user would expect an image of it; an attempt shows whether it can be made. */
    private static boolean isPicture(Item item) {
        return !(item instanceof BufferItem || item instanceof ChunkItem);
    }

    private static BufferedImage picture(Item item, Conversion how, boolean floats) {
        Axis depth = how.coordinates().z();
        boolean cloud = item instanceof PointCloudItem;
        if (how.display()) {
            return cloud || isDepthMap(item) ? Images.falseColours(item, depth) : Images.forDisplay(item);
        }
        if (!cloud && !PixelView.isNumeric(item.format())) {
            return Images.of(item);
        }
        return floats ? Images.ofFloats(PixelView.ofDepth(item)) : Images.depth16(item, depth, how.depthUnit());
    }

    private static PointCloud cloud(Composite composite, Item item, Conversion how) {
        PointCloud points = item instanceof PointCloudItem cloud
                ? PointCloud.of(cloud, how.coordinates())
                : PointCloud.ofDepth(PixelView.of(item), how.coordinates());
        return points.withAttributesOf(composite, item).withColoursOf(composite, item);
    }

    // ---- Files

    private void attempt(String what, Path file, Content content) {
        try {
            content.write(file);
            written.add(file);
        } catch (ExportException | GenDcException e) {
            failures.add(what + ": " + e.getMessage());
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot write " + file + ": " + FileFailure.reason(e), e);
        }
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "Cannot make the directory " + folder + ": " + FileFailure.reason(e), e);
        }
    }
}
