package io.peregrine.genapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Descriptions that are part of the project. */
final class OwnDescriptions {
    private static final String[] RESOURCES = {
        // Those of the virtual camera; see the test resources in the pom.
        "/io/peregrine/virtualcamera/peregrine.xml",
        "/io/peregrine/virtualcamera/chunks.xml",
        // What the virtual camera has no use for.
        "scanner.xml"
    };

    private OwnDescriptions() {}

    /** All of them by name. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (String resource : RESOURCES) {
            try (InputStream in = OwnDescriptions.class.getResourceAsStream(resource)) {
                all.put(resource, in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }
}
