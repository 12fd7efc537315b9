package io.peregrine.pvaccess;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.PixelConverter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.epics.pva.data.PVAData;
import org.epics.pva.server.ServerPV;

/**
 * The process variables of a stream, named as areaDetector's plugin names them: {@code CAM:Pva1:Image} is the image to
 * show, and {@code CAM:Pva1:Intensity}, {@code CAM:Pva1:Range}... is each component. For one thread.
 */
final class FrameVariables {
    private static final String PLUGIN = ":Pva1:";
    private static final String IMAGE = "Image";
    /** Of a camera that changes its components all the time. */
    private static final int MAX_VARIABLES = 32;

    private static final long NANOS = 1_000_000_000L;

    private final String begin;
    private final Set<String> wanted = new HashSet<>();
    private final PvaEndpoint endpoint;
    private final SendCounters counters;
    private final List<PVAData> type = NdArrayType.fields();
    private final PixelConverter converter = new PixelConverter();
    private final Map<String, ServerPV> variables = new HashMap<>();

    FrameVariables(PvaSettings settings, PvaEndpoint endpoint, SendCounters counters) throws Exception {
        begin = settings.prefix() + PLUGIN;
        settings.components().forEach(name -> wanted.add(name.toLowerCase(Locale.ROOT)));
        this.endpoint = endpoint;
        this.counters = counters;
        // Clients may come before the first frame.
        variable(IMAGE);
    }

    static String name(String prefix, String variable) {
        return prefix + PLUGIN + variable;
    }

    /**
     * Offers what a frame shows.
     *
     * @param chunks further attributes
     * @return whether anything was offered
     */
    boolean update(Composite composite, Map<String, Object> chunks) throws Exception {
        Instant now = Instant.now();
        boolean any = false;
        Optional<Item> image = composite.image();
        Map<String, Integer> seen = new HashMap<>();
        for (Item item : composite.parts()) {
            String component = componentName(item);
            int number = seen.merge(component, 1, Integer::sum);
            String name = number == 1 ? component : component + number;
            if (!wanted.isEmpty() && !wanted.contains(name.toLowerCase(Locale.ROOT))) {
                continue;
            }
            Optional<PixelArray> pixels = PixelArray.of(item, converter);
            if (pixels.isEmpty() || !endpoint.makeRoom(pixels.get().sizeBytes())) {
                continue;
            }
            List<String> names = new ArrayList<>(List.of(name));
            boolean first = !any && (image.isEmpty() || !wanted.isEmpty());
            if (first || (image.isPresent() && wanted.isEmpty() && same(image.get(), item))) {
                names.add(IMAGE);
            }
            Map<String, Object> attributes = new LinkedHashMap<>(pixels.get().attributes());
            attributes.put("PixelFormat", item.format().name());
            attributes.put("Component", component);
            attributes.put("FrameId", composite.id());
            attributes.put("CameraTimestamp", item.timestamp());
            attributes.putAll(chunks);
            byte[] encoded = NdArrayType.encode(
                    pixels.get(),
                    new NdArrayType.Fields(
                            pixels.get().dimensions(),
                            (int) composite.id(),
                            taken(composite, item, now),
                            now,
                            attributes));
            any |= endpoint.makeRoom(encoded.length) && offer(names, encoded);
        }
        return any;
    }

    private boolean offer(List<String> names, byte[] encoded) throws Exception {
        boolean offered = false;
        for (String name : names) {
            Optional<ServerPV> variable = variable(name);
            if (variable.isPresent()) {
                variable.get().update(new NdArray(type, encoded, counters));
                offered = true;
            }
        }
        return offered;
    }

    private Optional<ServerPV> variable(String name) throws Exception {
        ServerPV variable = variables.get(name);
        if (variable == null && variables.size() < MAX_VARIABLES) {
            variable = endpoint.offer(begin + name, new NdArray(type, NdArrayType.encodeNone(), counters));
            variables.put(name, variable);
        }
        return Optional.ofNullable(variable);
    }

    private static boolean same(Item image, Item part) {
        return image.componentIndex() == part.componentIndex() && image.partIndex() == part.partIndex();
    }

    /** As in GenICam: Intensity, Range... */
    private static String componentName(Item item) {
        ComponentType type = item.componentType();
        String name = type.name();
        if (type.id() < 0) {
            return "Component" + Long.toHexString(item.typeId());
        }
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /** Timestamps of GenDC are nanoseconds; others are ticks, of which nothing is known here. */
    private static Instant taken(Composite composite, Item item, Instant now) {
        boolean nanoseconds = composite.descriptor().isPresent();
        long time = item.timestamp();
        return nanoseconds && time > 0 ? Instant.ofEpochSecond(time / NANOS, time % NANOS) : now;
    }
}
