package io.peregrine.browser.cameras;

import io.peregrine.genapi.IntegerNode;

/**
 * A range of columns or lines of the sensor.
 *
 * @param offset the first, pixels
 * @param size how many
 */
public record Span(long offset, long size) {
    /**
     * What a camera accepts along one axis, while its offset is the smallest.
     *
     * @param offsetMin smallest offset, pixels
     * @param offsetStep increment of the offset
     * @param sizeMin smallest size, pixels
     * @param sizeMax largest size
     * @param sizeStep increment of the size
     */
    public record Limits(long offsetMin, long offsetStep, long sizeMin, long sizeMax, long sizeStep) {
        /** The limits of a camera whose image always begins at the first pixel. */
        static Limits of(IntegerNode size) {
            return new Limits(0, 1, size.min(), size.max(), Math.max(1, size.increment()));
        }

        static Limits of(IntegerNode offset, IntegerNode size) {
            return new Limits(
                    offset.min(),
                    Math.max(1, offset.increment()),
                    size.min(),
                    size.max(),
                    Math.max(1, size.increment()));
        }

        /** The smallest range that the camera accepts and that holds the wanted one, as far as the sensor goes. */
        public Span around(Span wanted) {
            long end = offsetMin + sizeMax;
            long first = Math.max(offsetMin, Math.min(wanted.offset(), end - sizeMin));
            long last = Math.max(first + 1, Math.min(wanted.offset() + wanted.size(), end));
            long offset = down(first, offsetMin, offsetStep);
            long size = Math.max(sizeMin, up(last - offset, sizeMin, sizeStep));
            return new Span(offset, Math.max(sizeMin, down(Math.min(size, end - offset), sizeMin, sizeStep)));
        }

        private static long down(long value, long from, long step) {
            return from + Math.floorDiv(value - from, step) * step;
        }

        private static long up(long value, long from, long step) {
            return from + -Math.floorDiv(from - value, step) * step;
        }
    }
}
