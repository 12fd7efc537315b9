package io.peregrine.composite;

import java.util.List;
import java.util.Optional;

/** What items of planes have in common. */
final class PlaneGroup {
    private PlaneGroup() {}

    static long sizeBytes(List<PlaneItem> planes) {
        long size = 0;
        for (PlaneItem plane : planes) {
            size += plane.sizeBytes();
        }
        return size;
    }

    static Optional<PlaneItem> find(List<PlaneItem> planes, PlaneRole role) {
        return planes.stream().filter(plane -> plane.role() == role).findFirst();
    }

    static String details(List<PlaneItem> planes) {
        StringBuilder text = new StringBuilder(", planes");
        for (PlaneItem plane : planes) {
            text.append(' ').append(plane.role());
        }
        return text.toString();
    }
}
