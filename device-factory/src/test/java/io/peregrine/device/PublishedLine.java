package io.peregrine.device;

import io.peregrine.device.spi.PublishedStream;
import io.peregrine.recording.Camera;
import io.peregrine.stream.engine.StreamSource;
import java.util.Map;

/** A stream as if another program published it. */
abstract class PublishedLine implements PublishedStream {
    @Override
    public String accessToken() {
        return "made-up:line";
    }

    @Override
    public String name() {
        return "line";
    }

    @Override
    public String route() {
        return "";
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public Camera camera() {
        return Camera.UNKNOWN;
    }

    @Override
    public StreamSource source(int flowSetCount, long memoryLimitBytes) {
        throw new AssertionError("no frames are wanted");
    }
}
