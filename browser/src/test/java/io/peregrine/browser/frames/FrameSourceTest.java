package io.peregrine.browser.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FrameSourceTest {
    private static final int PIXELS = 16;

    @TempDir
    private Path directory;

    private void frame(int id) throws IOException {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(id)
                .component(component -> component
                        .typeId(ComponentType.INTENSITY.id())
                        .format(PfncCodes.MONO8)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(4, 4)))
                .build();
        byte[] header = descriptor.toBytes();
        byte[] container = Arrays.copyOf(header, header.length + PIXELS);
        Files.write(directory.resolve("frame-" + id + ".gendc"), container);
    }

    /** The page would stand still without a word. */
    @Test
    @ExpectedWarning("A frame could not be processed")
    void errorOfOneThatTakesFramesDoesNotEndTheOthers() throws Exception {
        frame(1);
        frame(2);
        List<Long> taken = new ArrayList<>();
        CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();
        try (Device device = DeviceFactory.open("file:" + directory);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            try (FrameSource source = new FrameSource("test-frames", stream, new ViewerList(), end::complete)) {
                source.addTaker(composite -> {
                    throw new OutOfMemoryError("no memory for a copy");
                });
                source.addTaker(composite -> taken.add(composite.id()));
                stream.deviceStart();
                assertEquals(Optional.empty(), end.get());
            }
        }
        assertEquals(List.of(1L, 2L), taken);
    }
}
