package io.peregrine.export;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * How the numbers of one coordinate become lengths (SFNC 2.7.1, Scan3dCoordinateScale, Scan3dCoordinateOffset,
 * Scan3dInvalidDataValue): {@code coordinate = number * scale + offset}. Neither GenDC nor the pixel format carries
 * these; read them from the features of the camera.
 *
 * @param scale length of one step, in the unit of the camera
 * @param offset coordinate of the number 0
 * @param invalidValue number that says that nothing was measured, compared before scale and offset; empty when there is
 *     none
 */
public record Axis(double scale, double offset, OptionalDouble invalidValue) {

    /** Numbers that are coordinates already. */
    public static final Axis IDENTITY = new Axis(1, 0, OptionalDouble.empty());

    /** Checks that scale and offset are numbers. */
    public Axis {
        if (!Double.isFinite(scale) || !Double.isFinite(offset)) {
            throw new IllegalArgumentException("Scale " + scale + " and offset " + offset + " must be finite");
        }
        Objects.requireNonNull(invalidValue, "invalidValue");
    }

    /** A scale and an offset, and no invalid value. */
    public static Axis of(double scale, double offset) {
        return new Axis(scale, offset, OptionalDouble.empty());
    }

    /** The same axis on which a number says that nothing was measured. */
    public Axis withInvalidValue(double value) {
        return new Axis(scale, offset, OptionalDouble.of(value));
    }

    boolean measured(float number) {
        return Float.isFinite(number) && (invalidValue.isEmpty() || number != (float) invalidValue.getAsDouble());
    }

    float coordinate(float number) {
        return (float) (number * scale + offset);
    }
}
