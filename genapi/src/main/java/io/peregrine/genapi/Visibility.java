package io.peregrine.genapi;

/** For whom a feature is meant. */
public enum Visibility {
    /** Everyone. */
    BEGINNER,
    /** Those who know the device. */
    EXPERT,
    /** Those who could break it. */
    GURU,
    /** For programs, not for people. */
    INVISIBLE
}
