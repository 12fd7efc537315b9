package io.peregrine.gendc;

import io.peregrine.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;

/** Containers of cameras, of the optional test data. */
final class Samples {
    private Samples() {}

    static ByteBuffer read(String file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(TestData.file("gendc/" + file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
