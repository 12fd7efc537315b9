package io.peregrine.conformance;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts cameras as programs of their own. */
final class CameraProcess {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    /** The program of the virtual camera; a class that only the launcher sees. */
    static final String VIRTUAL_CAMERA = "io.peregrine.virtualcamera.VirtualCameraMain";

    private CameraProcess() {}

    /** Starts a virtual camera in a namespace and waits until it answers. */
    static ChildProcess virtual(NetworkNamespace namespace, String address, String... arguments) {
        ChildProcess camera = namespace.start(virtualCommand(address, arguments));
        camera.awaitLine("address of the virtual camera", START_LIMIT, line -> line.contains(address + ":"));
        return camera;
    }

    /** The command line of a virtual camera. */
    static List<String> virtualCommand(String address, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--bind", address));
        all.addAll(List.of(arguments));
        return ChildProcess.java(List.of(), VIRTUAL_CAMERA, all);
    }

    /** The command line of the project's own command. */
    static List<String> command(String... arguments) {
        return ChildProcess.java(List.of(), PeregrineMain.class.getName(), List.of(arguments));
    }

    /** Writes a scenario for {@code --scenario}. */
    static Path scenario(Path directory, String json) {
        try {
            return Files.writeString(directory.resolve("scenario.json"), json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts Aravis' fake camera in a namespace and waits until it answers. */
    static ChildProcess aravis(NetworkNamespace namespace, String address, String serial) {
        ChildProcess camera = namespace.start("arv-fake-gv-camera-0.8", "-i", address, "-s", serial);
        Await.until(
                "control port of the fake camera",
                START_LIMIT,
                () -> namespace.run(Duration.ofSeconds(5), "ss", "-Hlun").contains(address + ":3956"),
                camera::output);
        return camera;
    }
}
