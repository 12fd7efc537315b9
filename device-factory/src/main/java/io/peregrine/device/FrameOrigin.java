package io.peregrine.device;

import io.peregrine.device.spi.PublishedStream;
import io.peregrine.recording.Camera;
import io.peregrine.recording.Recording;
import io.peregrine.recording.internal.ReplayRate;
import io.peregrine.recording.internal.ReplaySettings;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamSource;

/** Where the frames of a device come from that is no camera in reach. */
interface FrameOrigin extends AutoCloseable {

    /** The camera as it was. */
    Camera camera();

    /** Features where those of the camera are not known. */
    TransportNodeMaps.Host features(DiscoveryInformation info);

    /** A source of the frames, not begun. */
    StreamSource source();

    /** How filled flow sets get to the threads that wait for them. */
    HandOff handOff(OpenParameters parameters);

    /** How frames travel. */
    StreamingMode mode();

    /** Why a feature cannot be set. */
    String refusal();

    @Override
    void close();

    /** A recording. */
    record Recorded(Recording recording, ReplaySettings settings) implements FrameOrigin {
        @Override
        public Camera camera() {
            return recording.camera();
        }

        @Override
        public TransportNodeMaps.Host features(DiscoveryInformation info) {
            return TransportNodeMaps.recording(info, recording);
        }

        @Override
        public StreamSource source() {
            return recording.source(settings);
        }

        @Override
        public HandOff handOff(OpenParameters parameters) {
            // Frames that come as fast as they are taken are never too old.
            return settings.rate().kind() == ReplayRate.Kind.AS_CONSUMED
                    ? parameters.handOff().withNewestOnly(false)
                    : parameters.handOff();
        }

        @Override
        public StreamingMode mode() {
            return StreamingMode.file();
        }

        @Override
        public String refusal() {
            return "this is a recording, whose frames and settings are what they were; open the camera itself to change"
                    + " it";
        }

        @Override
        public void close() {
            recording.close();
        }
    }

    /** A stream that another program publishes. */
    record Published(PublishedStream stream, Camera camera, int flowSetCount, long memoryLimitBytes)
            implements FrameOrigin {
        @Override
        public TransportNodeMaps.Host features(DiscoveryInformation info) {
            return TransportNodeMaps.published(info);
        }

        @Override
        public StreamSource source() {
            return stream.source(flowSetCount, memoryLimitBytes);
        }

        @Override
        public HandOff handOff(OpenParameters parameters) {
            return parameters.handOff();
        }

        @Override
        public StreamingMode mode() {
            return StreamingMode.published();
        }

        @Override
        public String refusal() {
            return "another program controls the camera and publishes its frames, so that features show what they were"
                    + " when publishing began; to set it, have the publisher forward features (--features-key) and"
                    + " name the file with its key by " + OpenParameter.FEATURES_KEY_FILE.name()
                    + ", or open the camera itself";
        }

        @Override
        public void close() {
            // What it holds belongs to its sources.
        }
    }
}
