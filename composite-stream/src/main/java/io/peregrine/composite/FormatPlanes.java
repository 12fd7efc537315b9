package io.peregrine.composite;

import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What the name of a pixel format says about planes (PFNC 2.4: names of planar, semi-planar and coordinate formats). */
final class FormatPlanes {

    /** How the values of a pixel lie. */
    enum Layout {
        /** All components of a pixel together. */
        TOGETHER,
        /** Coordinates of a point together. */
        COORDINATES,
        /** A plane for each component. */
        PLANAR,
        /** A plane for luma and one for both chroma components. */
        SEMI_PLANAR
    }

    /**
     * One plane.
     *
     * @param role what it holds
     * @param format format of its values
     * @param columns pixels of the image for one value in a line
     * @param rows lines of the image for one of the plane
     */
    record Plane(PlaneRole role, PixelFormat format, int columns, int rows) {}

    private static final String COORDINATE = "Coord3D_";
    private static final String PLANAR = "_Planar";
    private static final String SEMI_PLANAR = "_Semiplanar";
    private static final Map<Integer, FormatPlanes> KNOWN = new ConcurrentHashMap<>();

    private final Layout layout;
    private final PlaneRole role;
    private final List<Plane> planes;
    private final boolean wholeBytes;

    private FormatPlanes(PixelFormat format, Layout layout, PlaneRole role, List<Plane> planes) {
        this.layout = layout;
        this.role = role;
        this.planes = List.copyOf(planes);
        // Eight pixels of twelve bits have whole bytes, too; one has not.
        wholeBytes = format.known()
                && format.packing() == Packing.UNPACKED
                && 8 * format.lineSizeBytes(1) == format.lineSizeBytes(8);
    }

    /** The planes of a format; those of formats outside of the list have none. */
    static FormatPlanes of(PixelFormat format) {
        if (!format.known()) {
            return new FormatPlanes(format, Layout.TOGETHER, PlaneRole.UNDEFINED, List.of());
        }
        FormatPlanes known = KNOWN.get(format.code());
        if (known == null) {
            known = read(format);
            KNOWN.put(format.code(), known);
        }
        return known;
    }

    private static FormatPlanes read(PixelFormat format) {
        String name = format.name();
        if (name.endsWith(PLANAR)) {
            String together = name.substring(0, name.length() - PLANAR.length());
            return split(format, Layout.PLANAR, together);
        }
        if (name.endsWith(SEMI_PLANAR)) {
            int rows = name.startsWith("YCbCr420") ? 2 : 1;
            return new FormatPlanes(
                    format,
                    Layout.SEMI_PLANAR,
                    PlaneRole.UNDEFINED,
                    List.of(
                            new Plane(PlaneRole.LUMA, PixelFormat.of(PfncCodes.MONO8), 1, 1),
                            new Plane(PlaneRole.CHROMA, PixelFormat.of(PfncCodes.DATA16), 2, rows)));
        }
        if (name.startsWith(COORDINATE) && letters(name).length() > 1) {
            return split(format, Layout.COORDINATES, name);
        }
        return new FormatPlanes(format, Layout.TOGETHER, roleOf(name), List.of());
    }

    /** One plane for each letter of the name, with the format that the letter makes with the rest of it. */
    private static FormatPlanes split(PixelFormat format, Layout layout, String name) {
        String prefix = name.startsWith(COORDINATE) ? COORDINATE : "";
        String letters = letters(name);
        String depth = name.substring(prefix.length() + letters.length());
        List<Plane> planes = new ArrayList<>();
        for (int i = 0; i < letters.length(); i++) {
            String plane = prefix + letters.charAt(i) + depth;
            Optional<PixelFormat> listed = PixelFormat.byName(plane);
            if (listed.isEmpty()) {
                return new FormatPlanes(format, Layout.TOGETHER, PlaneRole.UNDEFINED, List.of());
            }
            planes.add(new Plane(roleOf(plane), listed.get(), 1, 1));
        }
        return new FormatPlanes(format, layout, PlaneRole.UNDEFINED, planes);
    }

    private static String letters(String name) {
        String rest = name.startsWith(COORDINATE) ? name.substring(COORDINATE.length()) : name;
        int end = 0;
        while (end < rest.length() && Character.isUpperCase(rest.charAt(end))) {
            end++;
        }
        return rest.substring(0, end);
    }

    private static PlaneRole roleOf(String name) {
        String letters = letters(name);
        if (name.startsWith(COORDINATE)) {
            return switch (letters) {
                case "A" -> PlaneRole.X;
                case "B" -> PlaneRole.Y;
                case "C" -> PlaneRole.Z;
                default -> PlaneRole.UNDEFINED;
            };
        }
        if (name.startsWith("Confidence")) {
            return PlaneRole.CONFIDENCE;
        }
        if (name.startsWith("Mono")) {
            return PlaneRole.MONO;
        }
        boolean alone = name.length() > letters.length() && Character.isDigit(name.charAt(letters.length()));
        return switch (alone ? letters : "") {
            case "R" -> PlaneRole.RED;
            case "G" -> PlaneRole.GREEN;
            case "B" -> PlaneRole.BLUE;
            case "RGB", "BGR" -> PlaneRole.RGB;
            default -> PlaneRole.UNDEFINED;
        };
    }

    Layout layout() {
        return layout;
    }

    /** What a plane of this format holds. */
    PlaneRole role() {
        return role;
    }

    /** The planes that the format splits into; empty when it does not. */
    List<Plane> planes() {
        return planes;
    }

    /** Whether each pixel and each of its components is a whole number of bytes. */
    boolean wholeBytes() {
        return wholeBytes;
    }

    /** Whether the values are points with three coordinates. */
    boolean points() {
        return planes.size() == 3 && planes.get(0).role() == PlaneRole.X;
    }

    /** Whether the values are coordinates, one or several. */
    boolean coordinates() {
        PlaneRole first = planes.isEmpty() ? role : planes.get(0).role();
        return first == PlaneRole.X || first == PlaneRole.Y || first == PlaneRole.Z;
    }
}
