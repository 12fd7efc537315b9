package io.peregrine.genapi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The example of the README; {@link ReadmeTest} holds them to each other. */
final class ReadmeExample {
    private ReadmeExample() {}

    @SuppressWarnings("try")
    static void run() throws IOException {
        // begin
        Port port = Port.memory(0x10000); // or yours: read(address, bytes), write(address, bytes)
        NodeMap nodes = NodeMap.load(Files.readAllBytes(Path.of("camera.xml")), port);

        nodes.integer("Width").set(640);
        nodes.enumeration("PixelFormat").set("Mono8");
        FloatNode exposure = new Features(nodes).exposureTime(); // common features by name and type
        exposure.set(Math.min(exposure.max(), 20_000));

        try (Registration told = exposure.onChange(node -> System.out.println(node + " changed"))) {
            nodes.command("UserSetLoad").execute();
        }
        nodes.problems().forEach(System.out::println); // what the description has wrong, and what was skipped
        // end
    }
}
