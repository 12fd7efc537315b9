package io.peregrine.pfnc;

import java.util.Arrays;

/**
 * Gives every pixel of a colour filter mosaic its three colours. Beyond the edges the image is mirrored around its
 * outermost pixels, which keeps the pattern; an image of one column or line repeats that.
 */
final class Mosaic {
    private static final int BAYER_LINES = 3;

    /**
     * From every place, a window of this size has each colour of the sparse patterns, even in a corner of the image.
     */
    private static final int SPARSE_REACH = 3;

    private static final int MAX_LINES = 2 * SPARSE_REACH + 1;

    /** Width and height of the sparse patterns. */
    private static final int TILE = 4;

    private static final int TILE_MASK = TILE - 1;

    /** By the square of the distance. */
    private static final int[] WEIGHTS = new int[2 * SPARSE_REACH * SPARSE_REACH + 1];

    static {
        for (int square = 1; square < WEIGHTS.length; square++) {
            WEIGHTS[square] = 2 * SPARSE_REACH * SPARSE_REACH / square;
        }
    }

    private final char[] sparseTile = new char[TILE * TILE];
    private final int[][] ring = new int[MAX_LINES][0];
    private final int[] linesOfRing = new int[MAX_LINES];
    private LineReader reader = new LineReader();
    private ColourFilter filter = ColourFilter.BAYER_RG;
    private int width;
    private int height;
    private int lines = BAYER_LINES;
    private int most;

    void open(LineReader newReader, PixelFormat format, ColourFilter newFilter, int newWidth, int newHeight) {
        reader = newReader;
        filter = newFilter;
        width = newWidth;
        height = newHeight;
        most = (int) ((1L << format.significantBits()) - 1);
        lines = format.family() == ColourFamily.BAYER ? BAYER_LINES : MAX_LINES;
        Arrays.fill(linesOfRing, -1);
        for (int i = 0; i < sparseTile.length; i++) {
            sparseTile[i] = filter.at(i % TILE, i / TILE);
        }
    }

    /** A line of the mosaic; read once as long as lines are asked for from top to bottom. */
    private int[] line(int y) {
        int slot = y % lines;
        if (linesOfRing[slot] != y) {
            if (ring[slot].length < width) {
                ring[slot] = new int[width];
            }
            int[] values = ring[slot];
            reader.read(0, y, values);
            for (int x = 0; x < width; x++) {
                values[x] = Math.min(values[x], most);
            }
            linesOfRing[slot] = y;
        }
        return ring[slot];
    }

    static int mirrored(int at, int size) {
        int inside = at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
        return Math.max(0, Math.min(size - 1, inside));
    }

    /** Bilinear, rounded to the nearest; in the depth of the values. */
    void bayer(int y, int[] red, int[] green, int[] blue) {
        int[] up = line(mirrored(y - 1, height));
        int[] own = line(y);
        int[] down = line(mirrored(y + 1, height));
        boolean redLine = filter.at(0, y) == 'R' || filter.at(1, y) == 'R';
        int[] ofLine = redLine ? red : blue;
        int[] other = redLine ? blue : red;
        int firstColour = filter.at(0, y) == 'G' ? 1 : 0;
        int first = firstColour == 0 ? 2 : 1;
        int afterPairs = first + 2 * Math.max(0, (width - first - 1) / 2);
        for (int x = 0; x < Math.min(first, width); x++) {
            pixel(up, own, down, x, (x & 1) == firstColour, ofLine, green, other);
        }
        for (int x = first; x < afterPairs; x += 2) {
            ofLine[x] = own[x];
            green[x] = (own[x - 1] + own[x + 1] + up[x] + down[x] + 2) >> 2;
            other[x] = (up[x - 1] + up[x + 1] + down[x - 1] + down[x + 1] + 2) >> 2;
            ofLine[x + 1] = (own[x] + own[x + 2] + 1) >> 1;
            green[x + 1] = own[x + 1];
            other[x + 1] = (up[x + 1] + down[x + 1] + 1) >> 1;
        }
        for (int x = Math.min(width, afterPairs); x < width; x++) {
            pixel(up, own, down, x, (x & 1) == firstColour, ofLine, green, other);
        }
    }

    private void pixel(int[] up, int[] own, int[] down, int x, boolean colour, int[] ofLine, int[] green, int[] other) {
        int left = mirrored(x - 1, width);
        int right = mirrored(x + 1, width);
        if (colour) {
            ofLine[x] = own[x];
            green[x] = (own[left] + own[right] + up[x] + down[x] + 2) >> 2;
            other[x] = (up[left] + up[right] + down[left] + down[right] + 2) >> 2;
        } else {
            ofLine[x] = (own[left] + own[right] + 1) >> 1;
            green[x] = own[x];
            other[x] = (up[x] + down[x] + 1) >> 1;
        }
    }

    /** The mean of the nearest pixels of each colour, weighted by nearness. */
    void sparse(int y, int[] red, int[] green, int[] blue) {
        for (int x = 0; x < width; x++) {
            red[x] = mean(x, y, 'R');
            green[x] = mean(x, y, 'G');
            blue[x] = mean(x, y, 'B');
        }
    }

    /**
     * What a sensor without filters would have seen: the white pixels, and the mean of their neighbours between them.
     */
    void white(int y, int[] values) {
        for (int x = 0; x < width; x++) {
            values[x] = mean(x, y, 'W');
        }
    }

    private int mean(int x, int y, char colour) {
        if (sparseTile[(y & TILE_MASK) * TILE + (x & TILE_MASK)] == colour) {
            return line(y)[x];
        }
        long sum = 0;
        int weights = 0;
        for (int reach = 1; weights == 0 && reach <= SPARSE_REACH; reach++) {
            int lastColumn = Math.min(width - 1, x + reach);
            int lastLine = Math.min(height - 1, y + reach);
            for (int line = Math.max(0, y - reach); line <= lastLine; line++) {
                int[] values = line(line);
                int row = (line & TILE_MASK) * TILE;
                for (int column = Math.max(0, x - reach); column <= lastColumn; column++) {
                    if (sparseTile[row + (column & TILE_MASK)] == colour) {
                        int weight = WEIGHTS[(column - x) * (column - x) + (line - y) * (line - y)];
                        sum += (long) weight * values[column];
                        weights += weight;
                    }
                }
            }
        }
        // Only an image smaller than the pattern lacks a colour.
        return weights == 0 ? line(y)[x] : (int) ((sum + weights / 2) / weights);
    }

    /**
     * Two colours a pixel, red and blue in turn: the missing one is the mean of its neighbours in the line.
     *
     * @param turns red or blue of each pixel
     */
    static void biColour(boolean redFirst, int[] turns, int[] red, int[] blue, int count) {
        for (int x = 0; x < count; x++) {
            int left = x == 0 ? mirrored(-1, count) : x - 1;
            int right = x == count - 1 ? mirrored(count, count) : x + 1;
            int between = (turns[left] + turns[right] + 1) >> 1;
            boolean hasRed = (x & 1) == 0 == redFirst;
            red[x] = hasRed ? turns[x] : between;
            blue[x] = hasRed ? between : turns[x];
        }
    }
}
