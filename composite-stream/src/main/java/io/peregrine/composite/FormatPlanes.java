package io.peregrine.composite;

import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelComponent;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PlaneArrangement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Into which planes a pixel format splits, and what they hold. */
final class FormatPlanes {

    /**
     * One plane.
     *
     * @param role what it holds
     * @param format format of its values
     * @param columns pixels of the image for one value in a line
     * @param rows lines of the image for one of the plane
     */
    record Plane(PlaneRole role, PixelFormat format, int columns, int rows) {}

    private static final FormatPlanes NOT_LISTED = new FormatPlanes(PlaneRole.UNDEFINED, List.of(), false, false);
    private static final Map<PixelFormat, FormatPlanes> LISTED = new ConcurrentHashMap<>();

    private final PlaneRole role;
    private final List<Plane> planes;
    private final boolean interleaved;
    private final boolean wholeBytes;

    private FormatPlanes(PlaneRole role, List<Plane> planes, boolean interleaved, boolean wholeBytes) {
        this.role = role;
        this.planes = List.copyOf(planes);
        this.interleaved = interleaved;
        this.wholeBytes = wholeBytes;
    }

    /** The planes of a format; those of formats outside of the list have none. */
    static FormatPlanes of(PixelFormat format) {
        if (!format.known()) {
            return NOT_LISTED;
        }
        FormatPlanes found = LISTED.get(format);
        return found == null ? LISTED.computeIfAbsent(format, FormatPlanes::read) : found;
    }

    private static FormatPlanes read(PixelFormat format) {
        // Eight pixels of twelve bits have whole bytes, too; one has not.
        boolean wholeBytes =
                format.packing() == Packing.UNPACKED && 8 * format.lineSizeBytes(1) == format.lineSizeBytes(8);
        List<PixelComponent> components = format.components();
        boolean interleaved = format.arrangement() == PlaneArrangement.INTERLEAVED;
        boolean points = format.family() == ColourFamily.COORDINATES && components.size() > 1;
        List<Plane> planes = List.of();
        if (format.arrangement() == PlaneArrangement.SEMI_PLANAR) {
            planes = List.of(
                    new Plane(PlaneRole.LUMA, PixelFormat.of(PfncCodes.MONO8), 1, 1),
                    new Plane(
                            PlaneRole.CHROMA,
                            PixelFormat.of(PfncCodes.DATA16),
                            format.subsampling().columns(),
                            format.subsampling().lines()));
        } else if (points || format.arrangement() == PlaneArrangement.PLANAR) {
            planes = split(format);
        }
        return new FormatPlanes(roleOf(format), planes, interleaved, wholeBytes);
    }

    private static List<Plane> split(PixelFormat format) {
        List<Plane> planes = new ArrayList<>();
        for (PixelComponent component : format.components()) {
            Optional<PixelFormat> alone = PixelFormat.all().stream()
                    .filter(other -> other.components().equals(List.of(component))
                            && other.family() == format.family()
                            && other.significantBits() == format.significantBits()
                            && other.packing() == format.packing()
                            && other.valueType() == format.valueType()
                            && !other.deprecated())
                    .findFirst();
            if (alone.isEmpty()) {
                return List.of();
            }
            planes.add(new Plane(roleOf(component), alone.get(), 1, 1));
        }
        return planes;
    }

    private static PlaneRole roleOf(PixelFormat format) {
        List<PixelComponent> components = format.components();
        if (components.size() == 1) {
            return roleOf(components.get(0));
        }
        return format.family() == ColourFamily.RGB ? PlaneRole.RGB : PlaneRole.UNDEFINED;
    }

    private static PlaneRole roleOf(PixelComponent component) {
        return switch (component) {
            case MONO -> PlaneRole.MONO;
            case RED -> PlaneRole.RED;
            case GREEN -> PlaneRole.GREEN;
            case BLUE -> PlaneRole.BLUE;
            case LUMA -> PlaneRole.LUMA;
            case CB -> PlaneRole.CHROMA_BLUE;
            case CR -> PlaneRole.CHROMA_RED;
            case COORDINATE_A -> PlaneRole.X;
            case COORDINATE_B -> PlaneRole.Y;
            case COORDINATE_C -> PlaneRole.Z;
            case CONFIDENCE -> PlaneRole.CONFIDENCE;
            case MOSAIC, ALPHA, DATA -> PlaneRole.UNDEFINED;
        };
    }

    /** What a plane of this format holds. */
    PlaneRole role() {
        return role;
    }

    /** The planes that the format splits into; empty when it does not. */
    List<Plane> planes() {
        return planes;
    }

    /** Whether the values of those planes lie pixel by pixel, not plane by plane. */
    boolean interleaved() {
        return interleaved;
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
