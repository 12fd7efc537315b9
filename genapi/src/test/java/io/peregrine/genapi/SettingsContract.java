package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Settings of any device: saved from registers that were set up, written to a file, and loaded into another of the same
 * model.
 */
@Timeout(600)
abstract class SettingsContract {
    /** Descriptions by name. */
    abstract Map<String, byte[]> descriptions();

    /** How many settings must be taken: fewer prove little. */
    abstract int least();

    /** One value, without what it is. */
    private record Place(String feature, List<Map.Entry<String, String>> selection) {}

    /** Registers without a device hold values that the description itself rules out, such as a width of 0. */
    private static final Pattern NO_VALUE_HERE = Pattern.compile("does not take|is not available at present");

    private int same;
    private int told;
    private final List<String> silent = new ArrayList<>();
    private final List<String> odd = new ArrayList<>();

    /** Gives streamable features values that their device could have. */
    private static void setUp(NodeMap nodes) {
        for (Node feature : nodes.nodes()) {
            try {
                if (feature.streamable() && feature.selected().isEmpty() && feature.writable()) {
                    List<String> values = DescriptionsContract.values(feature);
                    if (!values.isEmpty()) {
                        feature.setFromText(values.get(values.size() - 1));
                    }
                }
            } catch (GenApiException e) {
                assertFalse(e.getMessage().isEmpty());
            }
        }
    }

    /** A device as it comes. */
    NodeMap device(byte[] xml) {
        return NodeMap.load(xml, new SyntheticRegisters(false, 0));
    }

    private void round(String file, byte[] xml) {
        NodeMap first = device(xml);
        setUp(first);
        Settings saved = Settings.save(first);
        Settings read = Settings.parse(saved.toText());
        assertEquals(saved.settings(), read.settings(), file + ": the file says what was saved");

        NodeMap second = device(xml);
        Set<String> refused = new HashSet<>();
        Set<String> withoutStep = new HashSet<>();
        for (Settings.Failure failure : read.load(second, true)) {
            refused.add(failure.feature());
            // Registers of zero give steps of zero, with which a device takes nothing.
            if (failure.reason().contains("a step of 0")) {
                withoutStep.add(failure.feature());
            }
            if (!NO_VALUE_HERE.matcher(failure.reason()).find()) {
                odd.add(file + " " + failure);
            }
        }
        Map<Place, String> there = new HashMap<>();
        Settings.save(second)
                .settings()
                .forEach(setting -> there.put(new Place(setting.feature(), setting.selection()), setting.value()));
        for (Settings.Setting setting : saved.settings()) {
            String value = there.get(new Place(setting.feature(), setting.selection()));
            if (withoutStep.contains(setting.feature())) {
                continue;
            }
            if (refused.contains(setting.feature())) {
                told++;
            } else if (value != null
                    && DescriptionsContract.same(second.node(setting.feature()), setting.value(), value)) {
                same++;
            } else {
                silent.add(file + " " + setting + " is " + value);
            }
        }
    }

    @Test
    void settingsOfEveryDescriptionAreTheSameOnAnotherDevice() {
        descriptions().forEach(this::round);
        assertEquals(List.of(), silent, "what is not the same is told");
        assertEquals(List.of(), odd, "only what the description rules out is not taken");
        assertTrue(same > least(), "settings are taken: " + same);
        assertTrue(same > 8 * told, "settings are taken: " + same + ", and " + told + " are not");
    }
}
