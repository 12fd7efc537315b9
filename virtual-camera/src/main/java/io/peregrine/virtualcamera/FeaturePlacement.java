package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Gives the declared features of a device their registers, and checks that all names of nodes differ. */
final class FeaturePlacement {
    /** What every device has. */
    private static final Set<String> TAKEN = Set.of(
            "Root",
            "Device",
            "DeviceControl",
            "DeviceVendorName",
            "DeviceModelName",
            "DeviceManufacturerInfo",
            "DeviceVersion",
            "DeviceSerialNumber",
            "DeviceUserID");

    private FeaturePlacement() {}

    /** Gives every feature its registers, one after the other. */
    static List<PlacedFeature> place(
            Map<String, List<DeviceFeature<?>>> categories, Optional<CustomEvents> events, boolean streams) {
        Map<String, DeviceFeature<?>> byName = new HashMap<>();
        Set<String> names = new HashSet<>(TAKEN);
        categories.keySet().forEach(name -> claim(name, names));
        for (List<DeviceFeature<?>> features : categories.values()) {
            for (DeviceFeature<?> feature : features) {
                claim(feature.name(), names);
                claim(NodeWriter.register(feature.name()), names);
                byName.put(feature.name(), feature);
            }
        }
        if (streams) {
            DescriptionWriter.streamNodes().forEach(name -> claim(name, names));
        }
        events.ifPresent(own -> own.all().forEach(event -> {
            claim(event.category(), names);
            claim(event.port(), names);
            event.features().forEach(feature -> claim(feature, names));
        }));
        List<PlacedFeature> placed = new ArrayList<>();
        int next = Reg.FEATURES;
        for (List<DeviceFeature<?>> features : categories.values()) {
            for (DeviceFeature<?> feature : features) {
                int instances = instances(feature, byName);
                placed.add(new PlacedFeature(feature, next, instances));
                long end = next + (long) instances * feature.bytes();
                if (end > Reg.LOW_SPACE_BYTES) {
                    throw new VirtualCameraException("The device has too many features: there is no room for "
                            + feature.name() + " in " + (Reg.LOW_SPACE_BYTES - Reg.FEATURES)
                            + " bytes of registers");
                }
                next = (int) end;
            }
        }
        return placed;
    }

    private static void claim(String name, Set<String> names) {
        if (!names.add(name)) {
            throw new VirtualCameraException("The device has two nodes with the name " + name);
        }
    }

    private static int instances(DeviceFeature<?> feature, Map<String, DeviceFeature<?>> byName) {
        if (feature.selector().isEmpty()) {
            return 1;
        }
        if (byName.get(feature.selector()) instanceof EnumerationFeature selector
                && selector.selector().isEmpty()) {
            return selector.entries().size();
        }
        throw new VirtualCameraException(feature.name() + " is selected by " + feature.selector()
                + ", which must be an enumeration of this device that is not selected itself");
    }

    /** The registers of all features at start. */
    static ByteBuffer initialValues(List<PlacedFeature> features) {
        ByteBuffer values = ByteBuffer.allocate(Reg.LOW_SPACE_BYTES - Reg.FEATURES);
        for (PlacedFeature placed : features) {
            ByteBuffer value = ByteBuffer.allocate(placed.feature().bytes());
            placed.feature().initial(value);
            for (int i = 0; i < placed.instances(); i++) {
                values.put(placed.address(i) - Reg.FEATURES, value, 0, value.capacity());
            }
        }
        return values;
    }
}
