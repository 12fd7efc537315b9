package io.peregrine.genapi;

/** A listener in its place. Closing takes it away; closing twice does no harm. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
