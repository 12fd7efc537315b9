package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The deterministic test pattern that the virtual camera sends. Thread-safe.
 *
 * <p>Each byte is a function of the component type, the pixel format, the frame id and its place, so that a receiver
 * can check every byte. A component shows a window that pans over an endless tiled image: rings for the intensity, a
 * smooth surface for the range, plateaus for the confidence. The low bits carry a fixed grain, so that bytes in the
 * wrong place do not go unnoticed.
 */
public final class TestPattern {
    /** SFNC component id of the intensity. */
    static final long INTENSITY = 1;

    /** SFNC component id of the range. */
    static final long RANGE = 4;

    /** SFNC component id of the confidence. */
    static final long CONFIDENCE = 6;

    private static final int TILE_WIDTH = 1018;
    private static final int TILE_HEIGHT = 997;
    private static final int PIXELS_A_FRAME = 4;
    private static final int LINES_A_FRAME = 3;

    private static final ConcurrentMap<TileKey, Tile> TILES = new ConcurrentHashMap<>();

    private TestPattern() {}

    /**
     * Counts the bytes that differ from what the camera sent.
     *
     * @param componentTypeId SFNC component id (1 intensity, 4 range, 6 confidence)
     * @param pixelFormat PFNC code
     * @param frameId block id of an image payload or container id of a GenDC payload
     * @param width pixels
     * @param height lines
     * @param data the received component without line padding; its position and limit are left alone
     * @return bytes that differ, are missing or are too many
     */
    public static long countBadBytes(
            long componentTypeId, int pixelFormat, long frameId, int width, int height, ByteBuffer data) {
        long lineBytes = lineBytes(pixelFormat, width);
        long expected = Math.multiplyExact(lineBytes, (long) Math.max(0, height));
        long bad = Math.abs(expected - data.remaining());
        int usable = (int) Math.min(expected, data.remaining());
        if (usable == 0) {
            return bad;
        }
        Tile tile = tile(componentTypeId, pixelFormat);
        ByteBuffer received = data.duplicate();
        int base = data.position();
        int done = 0;
        for (int y = 0; y < height && done < usable; y++) {
            int count = (int) Math.min(lineBytes, usable - done);
            bad += tile.compareLine(frameId, y, received, base + done, count);
            done += count;
        }
        return bad;
    }

    /**
     * Writes the pattern.
     *
     * @param componentTypeId SFNC component id
     * @param pixelFormat PFNC code
     * @param frameId block or container id
     * @param width pixels
     * @param height lines
     * @param target where to; written from its position on, which moves
     */
    public static void fill(
            long componentTypeId, int pixelFormat, long frameId, int width, int height, ByteBuffer target) {
        int lineBytes = Math.toIntExact(lineBytes(pixelFormat, width));
        Tile tile = tile(componentTypeId, pixelFormat);
        for (int y = 0; y < height; y++) {
            tile.copyLine(frameId, y, target, lineBytes);
        }
    }

    /** Writes the pattern with padding after each line. */
    static void fillPadded(
            long componentTypeId,
            int pixelFormat,
            long frameId,
            int width,
            int height,
            int paddingX,
            ByteBuffer target) {
        int lineBytes = Math.toIntExact(lineBytes(pixelFormat, width));
        Tile tile = tile(componentTypeId, pixelFormat);
        for (int y = 0; y < height; y++) {
            tile.copyLine(frameId, y, target, lineBytes);
            PatternData.pad(paddingX, target);
        }
    }

    static long lineBytes(int pixelFormat, int width) {
        return (Math.max(0, width) * (long) ((pixelFormat >>> 16) & 0xFF) + 7) / 8;
    }

    private static Tile tile(long componentTypeId, int pixelFormat) {
        return TILES.computeIfAbsent(new TileKey(componentTypeId, pixelFormat), TestPattern::paint);
    }

    private static Tile paint(TileKey key) {
        int groupPixels = groupPixels(key.pixelFormat);
        int groupBytes = groupPixels * ((key.pixelFormat >>> 16) & 0xFF) / 8;
        // Four pixels do not divide the usual width.
        int width = groupPixels == 4 ? TILE_WIDTH - 2 : TILE_WIDTH;
        int rowBytes = width / groupPixels * groupBytes;
        ByteBuffer rows = ByteBuffer.allocate(rowBytes * TILE_HEIGHT).order(ByteOrder.LITTLE_ENDIAN);
        Surface surface = new Surface(cosines(width), cosines(TILE_HEIGHT), levels(key.componentTypeId));
        for (int y = 0; y < TILE_HEIGHT; y++) {
            for (int x = 0; x < width; x += groupPixels) {
                paintGroup(key.pixelFormat, surface, x, y, rows);
            }
        }
        return new Tile(rows.array(), rowBytes, PIXELS_A_FRAME / groupPixels * groupBytes, key.componentTypeId);
    }

    private static int groupPixels(int pixelFormat) {
        return switch (pixelFormat) {
            case Formats.MONO10P, Formats.BAYER_RG10P -> 4;
            case Formats.MONO12,
                    Formats.MONO12P,
                    Formats.BAYER_RG12P,
                    Formats.MONO10_PACKED,
                    Formats.MONO12_PACKED,
                    Formats.YCBCR422_8,
                    Formats.YCBCR422_8_CBYCRY -> 2;
            default -> 1;
        };
    }

    /** Paints as many pixels as share bytes. */
    private static void paintGroup(int pixelFormat, Surface surface, int x, int y, ByteBuffer rows) {
        int value = surface.level(x, y);
        int grain = grain(x, y);
        switch (pixelFormat) {
            case Formats.RGB8 ->
                rows.put(grainy8(value, grain))
                        .put(surface.acrossX8(x, grain >>> 2))
                        .put(surface.acrossY8(y, grain >>> 4));
            case Formats.G8 -> rows.put(surface.acrossX8(x, grain >>> 2));
            case Formats.B8 -> rows.put(surface.acrossY8(y, grain >>> 4));
            case Formats.MONO16, Formats.COORD3D_C16 -> rows.putShort((short) ((value & 0xFFF0) | (grain & 0xF)));
            case Formats.MONO12 ->
                rows.putShort((short) grainy12(value, grain))
                        .putShort((short) grainy12(surface.level(x + 1, y), grain >>> 2));
            case Formats.MONO12P, Formats.BAYER_RG12P -> {
                int first = grainy12(value, grain);
                int second = grainy12(surface.level(x + 1, y), grain >>> 2);
                rows.put((byte) first)
                        .put((byte) ((first >>> 8) | ((second & 0xF) << 4)))
                        .put((byte) (second >>> 4));
            }
            case Formats.MONO12_PACKED -> {
                int first = grainy12(value, grain);
                int second = grainy12(surface.level(x + 1, y), grain >>> 2);
                rows.put((byte) (first >>> 4))
                        .put((byte) ((first & 0xF) | ((second & 0xF) << 4)))
                        .put((byte) (second >>> 4));
            }
            case Formats.MONO10_PACKED -> {
                int first = grainy12(value, grain) >>> 2;
                int second = grainy12(surface.level(x + 1, y), grain >>> 2) >>> 2;
                rows.put((byte) (first >>> 2))
                        .put((byte) ((first & 3) | ((second & 3) << 4)))
                        .put((byte) (second >>> 2));
            }
            case Formats.MONO10P, Formats.BAYER_RG10P -> {
                long bits = 0;
                for (int i = 0; i < 4; i++) {
                    int sample = (surface.level(x + i, y) >>> 6 & 0x3FC) | ((grain >>> (2 * i)) & 3);
                    bits |= (long) sample << (10 * i);
                }
                rows.putInt((int) bits).put((byte) (bits >>> 32));
            }
            case Formats.YCBCR422_8, Formats.YCBCR422_8_CBYCRY -> {
                byte first = grainy8(value, grain);
                byte second = grainy8(surface.level(x + 1, y), grain >>> 2);
                byte cb = surface.acrossX8(x, grain >>> 4);
                byte cr = surface.acrossY8(y, grain >>> 6);
                if (pixelFormat == Formats.YCBCR422_8) {
                    rows.put(first).put(cb).put(second).put(cr);
                } else {
                    rows.put(cb).put(first).put(cr).put(second);
                }
            }
            case Formats.COORD3D_ABC32F ->
                rows.putFloat(coordinateA(x)).putFloat(coordinateB(y)).putFloat(coordinateC(value, grain));
            case Formats.COORD3D_A32F -> rows.putFloat(coordinateA(x));
            case Formats.COORD3D_B32F -> rows.putFloat(coordinateB(y));
            case Formats.COORD3D_C32F -> rows.putFloat(coordinateC(value, grain));
            default -> rows.put(grainy8(value, grain));
        }
    }

    private static float coordinateA(int x) {
        return (x - TILE_WIDTH / 2) * 0.5f;
    }

    private static float coordinateB(int y) {
        return (y - TILE_HEIGHT / 2) * 0.5f;
    }

    private static float coordinateC(int value, int grain) {
        return 500 + value / 256f + (grain & 0xF) / 1024f;
    }

    private static int grainy12(int value16, int grain) {
        return ((value16 >>> 4) & 0xFFC) | (grain & 3);
    }

    /** The endless image before it has a pixel format. */
    private static final class Surface {
        private final double[] acrossX;
        private final double[] acrossY;
        private final int[] levels;

        Surface(double[] acrossX, double[] acrossY, int[] levels) {
            this.acrossX = acrossX;
            this.acrossY = acrossY;
            this.levels = levels;
        }

        int level(int x, int y) {
            return levels[(int) ((acrossX[x] + acrossY[y]) * 1023.75)];
        }

        byte acrossX8(int x, int grain) {
            return grainy8((int) (acrossX[x] * 32767), grain);
        }

        byte acrossY8(int y, int grain) {
            return grainy8((int) (acrossY[y] * 32767), grain);
        }
    }

    private static byte grainy8(int value16, int grain) {
        return (byte) (((value16 >>> 8) & 0xFC) | (grain & 3));
    }

    /** From 0 to 2, smooth over the edge of the tile. */
    private static double[] cosines(int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = 1 - StrictMath.cos(2 * StrictMath.PI * i / count);
        }
        return values;
    }

    /** The 16-bit value for each of 8192 heights of the surface. */
    private static int[] levels(long componentTypeId) {
        int[] levels = new int[8192];
        for (int i = 0; i < levels.length; i++) {
            double height = i / 4095.0;
            if (componentTypeId == RANGE) {
                levels[i] = (int) (2000 + 30000 * height);
            } else if (componentTypeId == CONFIDENCE) {
                levels[i] = 0xFFFF - ((int) (height * 4)) * 0x2000;
            } else {
                levels[i] = (int) (32767.5 - 32767.5 * StrictMath.cos(height * 14 * StrictMath.PI));
            }
            levels[i] = Math.max(0, Math.min(0xFFFF, levels[i]));
        }
        return levels;
    }

    private static int grain(int x, int y) {
        int h = (x * 0x9E3779B1) ^ (y * 0x85EBCA77);
        h ^= h >>> 15;
        h *= 0x2C1B3C6D;
        h ^= h >>> 13;
        return h & 0xFFFF;
    }

    private record TileKey(long componentTypeId, int pixelFormat) {}

    private static final class Tile {
        private final byte[] rows;
        private final ByteBuffer view;
        private final int rowBytes;
        private final int bytesAFrame;
        private final long typeShift;

        Tile(byte[] rows, int rowBytes, int bytesAFrame, long componentTypeId) {
            this.rows = rows;
            this.view = ByteBuffer.wrap(rows);
            this.rowBytes = rowBytes;
            this.bytesAFrame = bytesAFrame;
            this.typeShift = componentTypeId;
        }

        private int rowStart(long frameId, int y) {
            long row = Long.remainderUnsigned(frameId, TILE_HEIGHT) * LINES_A_FRAME + y + (typeShift & 0x3FF);
            return (int) (row % TILE_HEIGHT) * rowBytes;
        }

        private int column(long frameId) {
            return (int) (Long.remainderUnsigned(frameId, TILE_WIDTH) * bytesAFrame % rowBytes);
        }

        void copyLine(long frameId, int y, ByteBuffer target, int count) {
            int start = rowStart(frameId, y);
            int at = column(frameId);
            int left = count;
            while (left > 0) {
                int run = Math.min(left, rowBytes - at);
                target.put(rows, start + at, run);
                left -= run;
                at = 0;
            }
        }

        long compareLine(long frameId, int y, ByteBuffer received, int from, int count) {
            ByteBuffer expected = view.duplicate();
            int start = rowStart(frameId, y);
            int at = column(frameId);
            long bad = 0;
            int position = from;
            int left = count;
            while (left > 0) {
                int run = Math.min(left, rowBytes - at);
                received.limit(position + run).position(position);
                expected.limit(start + at + run).position(start + at);
                if (received.mismatch(expected) >= 0) {
                    for (int i = 0; i < run; i++) {
                        if (received.get(position + i) != rows[start + at + i]) {
                            bad++;
                        }
                    }
                }
                position += run;
                left -= run;
                at = 0;
            }
            return bad;
        }
    }
}
