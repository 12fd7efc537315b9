package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;

/** Streams some frames of each scenario for a capture. Prints {@code SCENARIO=port frames}. */
final class CapturedScenariosMain {
    static final int WIDTH = 160;
    static final int HEIGHT = 96;
    static final int FRAMES = 4;
    static final int PACKET_SIZE_BYTES = 1500;

    /** What is streamed; each from an address of its own. */
    enum Captured {
        REGIONS(Content.REGIONS, StreamPayload.AUTOMATIC),
        PLANAR(Content.PLANAR, StreamPayload.AUTOMATIC),
        PACKED(Content.PACKED, StreamPayload.AUTOMATIC),
        POINT_CLOUD(Content.POINT_CLOUD, StreamPayload.AUTOMATIC),
        PADDED(Content.PADDED, StreamPayload.AUTOMATIC),
        MULTISPECTRAL(Content.MULTISPECTRAL, StreamPayload.AUTOMATIC),
        JPEG(Content.JPEG, StreamPayload.AUTOMATIC),
        JPEG_2000(Content.JPEG_2000, StreamPayload.AUTOMATIC),
        H_264(Content.H_264, StreamPayload.AUTOMATIC),
        CUSTOM(Content.CUSTOM, StreamPayload.AUTOMATIC),
        METADATA(Content.METADATA, StreamPayload.AUTOMATIC),
        INVALID(Content.INVALID, StreamPayload.AUTOMATIC),
        VARIABLE_HEIGHT(Content.VARIABLE_HEIGHT, StreamPayload.AUTOMATIC),
        VARIABLE_COMPONENTS(Content.VARIABLE_COMPONENTS, StreamPayload.AUTOMATIC),
        DESCRIPTOR_WITH_DATA(Content.PLANAR, StreamPayload.AUTOMATIC),
        TWO_FLOWS(Content.TWO_FLOWS, StreamPayload.AUTOMATIC),
        PARTS(Content.COORDINATES, StreamPayload.MULTI_PART),
        PARTS_PLANAR(Content.PLANAR, StreamPayload.MULTI_PART),
        PARTS_SOURCES(Content.SOURCES, StreamPayload.MULTI_PART),
        PARTS_JPEG(Content.JPEG, StreamPayload.MULTI_PART),
        PARTS_JPEG_2000(Content.JPEG_2000, StreamPayload.MULTI_PART),
        PARTS_METADATA(Content.METADATA, StreamPayload.MULTI_PART),
        PARTS_VARIABLE_HEIGHT(Content.VARIABLE_HEIGHT, StreamPayload.MULTI_PART),
        PARTS_VARIABLE_COMPONENTS(Content.VARIABLE_COMPONENTS, StreamPayload.MULTI_PART),
        IMAGE_VARIABLE_HEIGHT(Content.VARIABLE_HEIGHT, StreamPayload.IMAGE),
        IMAGE_WITH_CHUNKS(Content.COMPONENTS, StreamPayload.IMAGE_WITH_CHUNKS),
        CHUNK(Content.COMPONENTS, StreamPayload.CHUNK),
        EXTENDED_CHUNK(Content.COMPONENTS, StreamPayload.EXTENDED_CHUNK),
        RAW(Content.COMPONENTS, StreamPayload.RAW),
        FILE(Content.COMPONENTS, StreamPayload.FILE),
        MULTI_ZONE(Content.COMPONENTS, StreamPayload.MULTI_ZONE),
        JPEG_ALONE(Content.JPEG, StreamPayload.IMAGE),
        JPEG_2000_ALONE(Content.JPEG_2000, StreamPayload.IMAGE),
        H_264_ALONE(Content.H_264, StreamPayload.IMAGE),
        ALL_IN(Content.COMPONENTS, StreamPayload.ALL_IN);

        private final Content content;
        private final StreamPayload payload;

        Captured(Content content, StreamPayload payload) {
            this.content = content;
            this.payload = payload;
        }

        String address() {
            return "127.0.1." + (ordinal() + 1);
        }
    }

    private CapturedScenariosMain() {}

    public static void main(String[] arguments) {
        for (Captured captured : Captured.values()) {
            boolean small = captured == Captured.ALL_IN;
            Scenario scenario = Scenario.builder()
                    .bindAddress(captured.address())
                    .port(0)
                    .size(small ? 32 : WIDTH, small ? 32 : HEIGHT)
                    .frameRate(100)
                    .content(captured.content)
                    .payload(captured.payload)
                    .flows(Scenario.Flows.SINGLE)
                    .descriptorWithData(captured == Captured.DESCRIPTOR_WITH_DATA)
                    .build();
            try (VirtualCamera camera = VirtualCamera.start(scenario);
                    Device device = Loopback.open(camera, "PacketSize", Integer.toString(PACKET_SIZE_BYTES));
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                device.nodes().enumeration("AcquisitionMode").set("MultiFrame");
                device.nodes().integer("AcquisitionFrameCount").set(FRAMES);
                stream.start();
                long port = device.nodes().integer("GevSCPHostPort").value();
                int whole = 0;
                for (int frame = 0; frame < FRAMES; frame++) {
                    if (stream.waitFor(Duration.ofSeconds(5)) instanceof WaitResult.Ok ok) {
                        try (Composite composite = ok.composite()) {
                            whole += composite.complete() ? 1 : 0;
                        }
                    }
                }
                stream.stop();
                System.out.println(captured + "=" + port + " " + whole);
            }
        }
    }
}
