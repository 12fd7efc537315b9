package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The deterministic picture that the virtual camera sends.
 *
 * <p>Each byte is a function of the component type, the pixel format, the frame id and its place, so that a receiver
 * can check every byte. A component shows a window that pans over an endless tiled picture: rings for the intensity, a
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
     * Writes the picture.
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

    static long lineBytes(int pixelFormat, int width) {
        return (Math.max(0, width) * (long) ((pixelFormat >>> 16) & 0xFF) + 7) / 8;
    }

    private static Tile tile(long componentTypeId, int pixelFormat) {
        return TILES.computeIfAbsent(new TileKey(componentTypeId, pixelFormat), TestPattern::paint);
    }

    private static Tile paint(TileKey key) {
        int groupPixels = key.pixelFormat == Formats.MONO12P ? 2 : 1;
        int groupBytes = switch (key.pixelFormat) {
            case Formats.MONO12P, Formats.RGB8 -> 3;
            case Formats.MONO16, Formats.COORD3D_C16 -> 2;
            default -> 1;
        };
        int rowBytes = TILE_WIDTH / groupPixels * groupBytes;
        byte[] rows = new byte[rowBytes * TILE_HEIGHT];
        double[] acrossX = cosines(TILE_WIDTH);
        double[] acrossY = cosines(TILE_HEIGHT);
        int[] levels = levels(key.componentTypeId);
        int at = 0;
        for (int y = 0; y < TILE_HEIGHT; y++) {
            for (int x = 0; x < TILE_WIDTH; x += groupPixels) {
                int value = levels[(int) ((acrossX[x] + acrossY[y]) * 1023.75)];
                int grain = grain(x, y);
                switch (key.pixelFormat) {
                    case Formats.RGB8 -> {
                        rows[at++] = grainy8(value, grain);
                        rows[at++] = grainy8((int) (acrossX[x] * 32767), grain >>> 2);
                        rows[at++] = grainy8((int) (acrossY[y] * 32767), grain >>> 4);
                    }
                    case Formats.MONO16, Formats.COORD3D_C16 -> {
                        int sample = (value & 0xFFF0) | (grain & 0xF);
                        rows[at++] = (byte) sample;
                        rows[at++] = (byte) (sample >>> 8);
                    }
                    case Formats.MONO12P -> {
                        int next = levels[(int) ((acrossX[x + 1] + acrossY[y]) * 1023.75)];
                        int first = ((value >>> 4) & 0xFFC) | (grain & 3);
                        int second = ((next >>> 4) & 0xFFC) | ((grain >>> 2) & 3);
                        rows[at++] = (byte) first;
                        rows[at++] = (byte) ((first >>> 8) | ((second & 0xF) << 4));
                        rows[at++] = (byte) (second >>> 4);
                    }
                    default -> rows[at++] = grainy8(value, grain);
                }
            }
        }
        return new Tile(rows, rowBytes, PIXELS_A_FRAME / groupPixels * groupBytes, key.componentTypeId);
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
