import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes the class Features from the table of standard features; run by the build: FeaturesGenerator TABLE DIRECTORY.
 */
final class FeaturesGenerator {
    private static final Map<String, String> TYPES = Map.of(
            "integer", "IntegerNode",
            "floating", "FloatNode",
            "bool", "BooleanNode",
            "enumeration", "EnumerationNode",
            "command", "CommandNode",
            "string", "StringNode",
            "register", "RegisterNode");

    private static final String HEAD = """
            package io.peregrine.genapi;

            /**
             * The common features of the standard features naming convention, by name and type. A feature that the
             * device does not have throws a {@link GenApiException} when it is asked for; {@link NodeMap#find} says
             * whether it is there. Generated from {@code src/main/features/features.csv}.
             */
            public final class Features {
                private final NodeMap nodes;

                /**
                 * Names the features of a node map.
                 *
                 * @param nodes the device's node map
                 */
                public Features(NodeMap nodes) {
                    this.nodes = nodes;
                }
            """;

    private FeaturesGenerator() {}

    private static String generate(List<String> table) {
        StringBuilder java = new StringBuilder(HEAD);
        for (String row : table.subList(1, table.size())) {
            String[] cells = row.split(",", 3);
            java.append("\n    /** {@code ")
                    .append(cells[0])
                    .append("}: ")
                    .append(Character.toLowerCase(cells[2].charAt(0)))
                    .append(cells[2].substring(1))
                    .append(". */\n    public ")
                    .append(TYPES.get(cells[1]))
                    .append(' ')
                    .append(method(cells[0]))
                    .append("() {\n        return nodes.")
                    .append(cells[1])
                    .append("(\"")
                    .append(cells[0])
                    .append("\");\n    }\n");
        }
        return java.append("}\n").toString();
    }

    /** ExposureTime becomes exposureTime, GenDCDescriptor genDcDescriptor, TLParamsLocked tlParamsLocked. */
    private static String method(String feature) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < feature.length(); i++) {
            char c = feature.charAt(i);
            boolean afterCapital = i > 0 && Character.isUpperCase(feature.charAt(i - 1));
            boolean beforeSmall = i + 1 < feature.length() && Character.isLowerCase(feature.charAt(i + 1));
            boolean keeps = i > 0 && (!afterCapital || beforeSmall);
            name.append(keeps ? String.valueOf(c) : String.valueOf(c).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[1], "io", "peregrine", "genapi"));
        Path target = directory.resolve("Features.java");
        String java = generate(Files.readAllLines(Path.of(args[0])));
        // What has not changed is not compiled again.
        if (!Files.exists(target) || !Files.readString(target).equals(java)) {
            Files.writeString(target, java);
        }
    }
}
