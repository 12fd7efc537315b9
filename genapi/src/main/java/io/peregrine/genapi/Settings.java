package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a device, as they are saved and loaded: values of its streamable features, each with the selection it
 * belongs to. {@link #save} reads them from a node map, {@link #load} writes them to one.
 *
 * @param device what they were saved from, for people; empty text when unknown
 * @param settings values in the order in which they are to be loaded
 * @param failures features that could not be saved, with the reason
 */
public record Settings(String device, List<Setting> settings, List<Failure> failures) {
    private static final String IDENTIFICATION = "# {05D8C294-F295-4dfb-9D01-096BD04049F4}";
    private static final int MAX_LINES = 1_000_000;

    /** Makes settings. */
    public Settings {
        settings = List.copyOf(settings);
        failures = List.copyOf(failures);
    }

    /**
     * One value.
     *
     * @param feature name of the feature
     * @param selection values of the selectors that it belongs to, outermost first; empty for a feature without
     * @param value the value as text
     */
    public record Setting(String feature, List<Map.Entry<String, String>> selection, String value) {
        /** Makes a setting. */
        public Setting {
            selection = selection.stream()
                    .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                    .toList();
        }

        /**
         * A feature as it is set now.
         *
         * @throws GenApiException if it, or a selector of it, cannot be read
         */
        public static Setting of(Node feature) {
            return new Setting(feature.name(), selectionOf(feature), FeatureStream.text(feature));
        }

        /**
         * What the selectors of a feature are set to now, outermost first.
         *
         * @throws GenApiException if one of them cannot be read
         */
        public static List<Map.Entry<String, String>> selectionOf(Node feature) {
            return FeatureStream.allSelectors(feature).stream()
                    .map(selector -> Map.entry(selector.name(), selector.valueAsText()))
                    .toList();
        }

        @Override
        public String toString() {
            return feature + (selection.isEmpty() ? "" : " " + selection) + " = " + value;
        }
    }

    /**
     * Something that could not be saved or loaded.
     *
     * @param feature name of the feature
     * @param reason why
     */
    public record Failure(String feature, String reason) {
        @Override
        public String toString() {
            return feature + ": " + reason;
        }
    }

    /**
     * Reads the settings of a device: all features that the description marks as streamable, through all selections
     * that reach them, in an order in which what depends on others comes after them. Selectors are moved on the way and
     * put back.
     *
     * @param nodes the device's features
     * @return the settings; what could not be read is listed in them
     */
    public static Settings save(NodeMap nodes) {
        return FeatureStream.save(nodes);
    }

    /**
     * Reads the settings of a device that another application controls. What a selector selects can be read where its
     * registers have separate addresses for each selection; where the device itself would have to switch, the present
     * selection is read alone, and the feature is listed as a failure.
     *
     * @param nodes the device's features over a port that keeps to itself what is written, and reads it back
     * @return the settings; what could not be read is listed in them
     */
    public static Settings saveWithoutControl(NodeMap nodes) {
        return FeatureStream.saveWithoutControl(nodes);
    }

    /**
     * Writes the settings to a device. Everything is tried; what fails is tried again after the rest, as long as that
     * helps, since the range of one feature can hang on the value of another. A command is not executed, but for those
     * that a device has to begin and end a load.
     *
     * @param nodes the device's features
     * @param verify whether to read everything back and compare
     * @return what could not be written, or was not what was written when it was read back; empty when all went well
     */
    public List<Failure> load(NodeMap nodes, boolean verify) {
        return FeatureStream.load(nodes, this, verify);
    }

    /**
     * The settings as text, in the form that GenICam tools exchange: comment lines, then for each value its feature,
     * the selection in braces where it has one, and the value, with tabs between them.
     */
    public String toText() {
        StringBuilder text = new StringBuilder(IDENTIFICATION)
                .append("\n# GenApi persistence file (version 3.1.0)\n# Device = ")
                .append(oneLine(device))
                .append('\n');
        for (Setting setting : settings) {
            text.append(setting.feature()).append('\t');
            if (!setting.selection().isEmpty()) {
                String separator = "{";
                for (Map.Entry<String, String> selected : setting.selection()) {
                    text.append(separator).append(selected.getKey()).append('=').append(selected.getValue());
                    separator = "\t";
                }
                text.append("}\t");
            }
            text.append(setting.value()).append('\n');
        }
        return text.toString();
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\r\\n\\t]+", " ");
    }

    /**
     * Reads settings from text.
     *
     * @param text as {@link #toText} gives it; lines that start with # are comments
     * @throws GenApiException if a line cannot be understood
     */
    public static Settings parse(String text) {
        List<Setting> settings = new ArrayList<>();
        String device = "";
        int number = 0;
        for (String line : text.split("\\r?\\n", -1)) {
            if (++number > MAX_LINES) {
                throw new GenApiException("The settings have more than " + MAX_LINES + " lines");
            }
            if (line.startsWith("# Device = ")) {
                device = line.substring("# Device = ".length());
            }
            if (!line.isBlank() && !line.startsWith("#")) {
                settings.add(parseLine(line, number));
            }
        }
        return new Settings(device, settings, List.of());
    }

    private static Setting parseLine(String line, int number) {
        int tab = line.indexOf('\t');
        if (tab <= 0) {
            throw wrong(number, "a tab is expected between feature and value");
        }
        String feature = line.substring(0, tab);
        String rest = line.substring(tab + 1);
        List<Map.Entry<String, String>> selection = new ArrayList<>();
        Optional<String> braces = braces(rest);
        if (braces.isPresent()) {
            for (String selected : braces.get().split("\\t", -1)) {
                int equals = selected.indexOf('=');
                if (equals <= 0) {
                    throw wrong(number, "a selector is expected as Name=value in braces");
                }
                selection.add(Map.entry(selected.substring(0, equals).strip(), selected.substring(equals + 1)));
            }
            rest = rest.substring(braces.get().length() + 3);
        }
        return new Setting(feature, selection, rest);
    }

    /** What stands in braces in front of the value; braces that are the value itself have no tab behind them. */
    private static Optional<String> braces(String rest) {
        int end = rest.indexOf("}\t");
        return rest.startsWith("{") && end > 0 && rest.indexOf('=') > 0 && rest.indexOf('=') < end
                ? Optional.of(rest.substring(1, end))
                : Optional.empty();
    }

    private static GenApiException wrong(int line, String what) {
        return new GenApiException("Line " + line + " of the settings cannot be understood: " + what);
    }
}
