package io.peregrine.export;

import java.util.Objects;

/**
 * How the numbers of a range component become coordinates, axis by axis. A point is invalid as soon as one of its
 * numbers is the invalid value of its axis, or is not finite.
 *
 * @param x coordinate A of the camera
 * @param y coordinate B
 * @param z coordinate C: depth
 */
public record Coordinates(Axis x, Axis y, Axis z) {

    /** Numbers that are coordinates already. */
    public static final Coordinates IDENTITY = new Coordinates(Axis.IDENTITY, Axis.IDENTITY, Axis.IDENTITY);

    /** Checks that nothing is null. */
    public Coordinates {
        Objects.requireNonNull(x, "x");
        Objects.requireNonNull(y, "y");
        Objects.requireNonNull(z, "z");
    }

    /** The same scale on all axes, no offset. */
    public static Coordinates scaled(double scale) {
        Axis axis = Axis.of(scale, 0);
        return new Coordinates(axis, axis, axis);
    }

    /** The same coordinates, where a depth number says that nothing was measured. */
    public Coordinates withInvalidDepth(double value) {
        return new Coordinates(x, y, z.withInvalidValue(value));
    }
}
