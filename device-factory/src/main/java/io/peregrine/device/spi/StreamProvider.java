package io.peregrine.device.spi;

import java.util.List;

/** Finds streams that are published; found itself by {@link java.util.ServiceLoader}. Thread-safe. */
public interface StreamProvider {

    /** What access tokens of its streams begin with, without the colon. */
    String scheme();

    /**
     * Looks for all streams; waits for a while, unless the settings name no place to look.
     *
     * @throws RuntimeException if it cannot look; the message says what to do
     */
    List<PublishedStream> discover();

    /**
     * Looks for a stream; returns as soon as it is found.
     *
     * @param name the access token without scheme and colon
     * @return the streams of this name, empty when none was found in time
     * @throws RuntimeException if it cannot look; the message says what to do
     */
    List<PublishedStream> find(String name);
}
