package io.peregrine.pfnc;

/** What {@link Mosaic#bayer} does, for mosaics of bytes to bytes of red, green and blue, in one pass over each line. */
final class BayerBytes {
    private static final int LINES = 3;

    /** Pixels of a group. */
    private static final int PIXELS = 8;

    private static final long LANES = 0x00FF_00FF_00FF_00FFL;
    private static final long ONES = 0x0001_0001_0001_0001L;
    private static final long LANE0 = 0xFFFFL;
    private static final long LANE1 = LANE0 << 16;
    private static final long LANE2 = LANE0 << 32;
    private static final long LANE3 = LANE0 << 48;

    private final byte[][] ring = new byte[LINES][0];
    private LineReader reader = new LineReader();
    private int width;
    private int height;

    void convert(LineReader newReader, ColourFilter filter, int newWidth, int newHeight, byte[] target) {
        reader = newReader;
        width = newWidth;
        height = newHeight;
        for (int slot = 0; slot < LINES; slot++) {
            if (ring[slot].length < width + Unpacker.SLACK_BYTES) {
                ring[slot] = new byte[width + Unpacker.SLACK_BYTES];
            }
        }
        load(0);
        for (int y = 0, at = 0; y < height; y++, at += 3 * width) {
            if (y + 1 < height) {
                load(y + 1);
            }
            boolean redLine = filter.at(0, y) == 'R' || filter.at(1, y) == 'R';
            int firstColour = filter.at(0, y) == 'G' ? 1 : 0;
            byte[] up = ring[Mosaic.mirrored(y - 1, height) % LINES];
            byte[] own = ring[y % LINES];
            byte[] down = ring[Mosaic.mirrored(y + 1, height) % LINES];
            line(up, own, down, width, firstColour, redLine, target, at);
        }
    }

    private void load(int y) {
        reader.bytes(0, y, ring[y % LINES], 0, width);
    }

    /**
     * One line.
     *
     * @param firstColour 0 when the line begins with a pixel that is not green, otherwise 1
     * @param redLine whether red alternates with green in this line, not blue
     */
    private static void line(
            byte[] up, byte[] own, byte[] down, int width, int firstColour, boolean redLine, byte[] target, int at) {
        int first = firstColour == 0 ? 2 : 1;
        int groups = Math.max(0, (width - first - 1) / PIXELS);
        edge(up, own, down, width, firstColour, redLine, target, at, 0, Math.min(first, width));
        for (int i = 0; i < groups; i++) {
            group(up, own, down, first + PIXELS * i, redLine, target, at + 3 * first + 3 * PIXELS * i);
        }
        edge(up, own, down, width, firstColour, redLine, target, at, Math.min(width, first + PIXELS * groups), width);
    }

    /**
     * Eight pixels, the first of which is not green: the four that are not green and the four green ones are each
     * computed at once, in lanes of 16 bits of a word.
     */
    private static void group(byte[] up, byte[] own, byte[] down, int x, boolean redLine, byte[] target, int at) {
        long upHere = (long) Unpacker.LONGS.get(up, x);
        long ownHere = (long) Unpacker.LONGS.get(own, x);
        long downHere = (long) Unpacker.LONGS.get(down, x);
        long upGreens = upHere >>> 8 & LANES;
        long ownGreens = ownHere >>> 8 & LANES;
        long downGreens = downHere >>> 8 & LANES;
        long upColours = upHere & LANES;
        long ownColours = ownHere & LANES;
        long downColours = downHere & LANES;
        long upBefore = (long) Unpacker.LONGS.get(up, x - 1) & LANES;
        long ownBefore = (long) Unpacker.LONGS.get(own, x - 1) & LANES;
        long downBefore = (long) Unpacker.LONGS.get(down, x - 1) & LANES;
        long ownAfter = (long) Unpacker.LONGS.get(own, x + 2) & LANES;

        long green = (ownBefore + ownGreens + upColours + downColours + 2 * ONES) >>> 2 & LANES;
        long third = (upBefore + upGreens + downBefore + downGreens + 2 * ONES) >>> 2 & LANES;
        long alongGreen = (ownColours + ownAfter + ONES) >>> 1 & LANES;
        long acrossGreen = (upGreens + downGreens + ONES) >>> 1 & LANES;

        long redHere = redLine ? ownColours : third;
        long blueHere = redLine ? third : ownColours;
        long redAtGreen = redLine ? alongGreen : acrossGreen;
        long blueAtGreen = redLine ? acrossGreen : alongGreen;
        // The bytes of each two pixels are one lane of the first, one of the second and one of the third.
        long a = redHere | green << 8;
        long b = blueHere | redAtGreen << 8;
        long c = ownGreens | blueAtGreen << 8;
        long one = (a & LANE0) | (b & LANE0) << 16 | (c & LANE0) << 32 | (a & LANE1) << 32;
        long two = (b & LANE1) >>> 16 | (c & LANE1) | (a & LANE2) | (b & LANE2) << 16;
        long three = (c & LANE2) >>> 32 | (a & LANE3) >>> 32 | (b & LANE3) >>> 16 | (c & LANE3);
        Unpacker.LONGS.set(target, at, one);
        Unpacker.LONGS.set(target, at + Long.BYTES, two);
        Unpacker.LONGS.set(target, at + 2 * Long.BYTES, three);
    }

    private static void edge(
            byte[] up,
            byte[] own,
            byte[] down,
            int width,
            int firstColour,
            boolean redLine,
            byte[] target,
            int at,
            int from,
            int to) {
        int placeOfLine = redLine ? 0 : 2;
        int placeOfOther = redLine ? 2 : 0;
        for (int x = from; x < to; x++) {
            int left = Mosaic.mirrored(x - 1, width);
            int right = Mosaic.mirrored(x + 1, width);
            int pixel = at + 3 * x;
            if ((x & 1) == firstColour) {
                target[pixel + placeOfLine] = own[x];
                target[pixel + 1] = (byte) ((sum(own[left], own[right]) + sum(up[x], down[x]) + 2) >> 2);
                target[pixel + placeOfOther] =
                        (byte) ((sum(up[left], up[right]) + sum(down[left], down[right]) + 2) >> 2);
            } else {
                target[pixel + 1] = own[x];
                target[pixel + placeOfLine] = (byte) ((sum(own[left], own[right]) + 1) >> 1);
                target[pixel + placeOfOther] = (byte) ((sum(up[x], down[x]) + 1) >> 1);
            }
        }
    }

    private static int sum(byte one, byte two) {
        return (one & 0xFF) + (two & 0xFF);
    }
}
