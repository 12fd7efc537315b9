package io.peregrine.genapi;

/** Limits that a program set on top of those of the description. Immutable. */
record ImposedRange(long minLong, long maxLong, double minDouble, double maxDouble) {
    static final ImposedRange NONE =
            new ImposedRange(Long.MIN_VALUE, Long.MAX_VALUE, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    boolean none() {
        return equals(NONE);
    }

    ImposedRange withMin(long min) {
        return new ImposedRange(min, maxLong, minDouble, maxDouble);
    }

    ImposedRange withMax(long max) {
        return new ImposedRange(minLong, max, minDouble, maxDouble);
    }

    ImposedRange withMin(double min) {
        return new ImposedRange(minLong, maxLong, min, maxDouble);
    }

    ImposedRange withMax(double max) {
        return new ImposedRange(minLong, maxLong, minDouble, max);
    }
}
