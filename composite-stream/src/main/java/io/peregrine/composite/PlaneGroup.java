package io.peregrine.composite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Planes that belong together, and the one piece of memory that holds them, if it is one. */
final class PlaneGroup {
    private PlaneGroup() {}

    static List<PlaneItem> on(Lease lease, List<PlaneItem> planes) {
        List<PlaneItem> result = new ArrayList<>(planes.size());
        for (PlaneItem plane : planes) {
            result.add(plane.on(lease));
        }
        return List.copyOf(result);
    }

    /** The place of planes that lie one behind the other in one flow, else no place. */
    static Place place(List<PlaneItem> planes) {
        Place first = planes.get(0).place();
        long end = first.offset() + first.lengthBytes();
        for (PlaneItem plane : planes.subList(1, planes.size())) {
            Place place = plane.place();
            if (place.none() || place.flow() != first.flow() || place.offset() != end) {
                return Place.NONE;
            }
            end += place.lengthBytes();
        }
        long length = end - first.offset();
        return first.none() || length > Integer.MAX_VALUE
                ? Place.NONE
                : new Place(first.flow(), first.offset(), (int) length);
    }

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
