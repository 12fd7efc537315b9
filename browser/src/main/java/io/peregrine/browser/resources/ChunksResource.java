package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.device.ChunkNodes;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The features that came with the next frame as chunks. */
public final class ChunksResource {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** These switch chunks on and off. */
    private static final Set<String> CONTROLS =
            Set.of("ChunkModeActive", "ChunkXMLEnable", "ChunkSelector", "ChunkEnable");

    private final Cameras cameras;

    /** Creates the resource. */
    public ChunksResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/cameras/{camera}/stream/chunks", this::read));
    }

    /** Block id, timestamp, and the values by name, which are texts since they can have 64 bits. */
    private Reply read(Call call) {
        OpenCamera camera = cameras.open(call.path("camera"));
        try (Composite frame = camera.acquisition().next(LIMIT)) {
            ObjectNode answer = Reply.object()
                    .put("block", Long.toUnsignedString(frame.blockId()))
                    .put("timestamp", Long.toUnsignedString(frame.timestamp()));
            ObjectNode values = answer.putObject("values");
            for (ChunkItem item : frame.chunks()) {
                try (ChunkNodes chunks = camera.device().chunks(frame, item)) {
                    read(chunks.nodes(), values);
                }
            }
            return Reply.of(answer);
        }
    }

    private static void read(NodeMap nodes, ObjectNode values) {
        for (Node feature : nodes.features()) {
            if (feature.name().startsWith("Chunk")
                    && !CONTROLS.contains(feature.name())
                    && feature.accessMode().readable()) {
                ObjectNode json = values.putObject(feature.name()).put("value", feature.valueAsText());
                feature.unit().ifPresent(unit -> json.put("unit", unit));
            }
        }
    }
}
