package io.peregrine.pvaccess;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;

/** Frames that no device sent. */
final class Frames {
    /** Intensity and range of GenDC. */
    private static final int INTENSITY = 1;

    private static final int RANGE = 4;

    private Frames() {}

    /** One component whose bytes are given. */
    static Composite of(long id, int format, int width, int height, byte[] pixels) {
        return of(
                GenDcDescriptor.builder()
                        .id(id)
                        .component(component -> component
                                .typeId(INTENSITY)
                                .format(format)
                                .timestamp(1_700_000_000_123_456_789L)
                                .part2d(part -> part.format(format).size(width, height)))
                        .build()
                        .toBytes(),
                pixels);
    }

    private static Composite of(byte[] descriptor, byte[] pixels) {
        return Composite.of(ByteBuffer.allocate(descriptor.length + pixels.length)
                .put(descriptor)
                .put(pixels)
                .flip());
    }

    /** Mono8 whose pixels count up, from a value that the id gives. */
    static Composite mono8(long id, int width, int height) {
        return of(id, PfncCodes.MONO8, width, height, counting(id, width * height));
    }

    /** An image of Mono8 and points of Coord3D_ABC32f, of two by one pixels. */
    static Composite imageAndPoints(byte[] image, byte[] points) {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(9)
                .component(component -> component
                        .typeId(RANGE)
                        .format(code("Coord3D_ABC32f"))
                        .part2d(part -> part.format(code("Coord3D_ABC32f")).size(2, 1)))
                .component(component -> component
                        .typeId(INTENSITY)
                        .format(PfncCodes.MONO8)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(2, 1)))
                .build()
                .toBytes();
        return of(
                descriptor,
                ByteBuffer.allocate(points.length + image.length)
                        .put(points)
                        .put(image)
                        .array());
    }

    static int code(String name) {
        return PixelFormat.byName(name).orElseThrow().code();
    }

    static byte[] counting(long id, int size) {
        byte[] pixels = new byte[size];
        for (int i = 0; i < size; i++) {
            pixels[i] = (byte) (id * 31 + i + (i >> 8) * 7L);
        }
        return pixels;
    }
}
