package io.peregrine.conformance.genapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What two implementations say of the same nodes: counts for each property, and the differences. Safe for threads. */
final class Agreement {
    /** Formulas may round differently: the reference has registers of 80 bits, and its own library of functions. */
    private static final double TOLERANCE = 1e-9;

    /** What the description gives, by name; links are sets of names. */
    private static final String PROPERTY = "property ";

    private static final String LINKS = PROPERTY + "p";
    private static final String TAB = Pattern.quote(NodeProperties.escaped("\t"));

    /** Properties whose values are sets of names. */
    private static final Set<String> SETS = Set.of("selected", "selecting");

    /** Properties that come from registers with bytes of any kind: Java keeps characters, the other keeps bytes. */
    private static final Set<String> TEXTS = Set.of("string.value", "text");

    private static final class Count {
        int both;
        int agreed;
        int oneOnly;
        int permitted;
        int different;

        double percent() {
            return both == 0 ? 0 : 100.0 * agreed / both;
        }
    }

    /** Values of one property over one content of the registers. */
    private record Share(String property, String content) {}

    private final Permitted permitted;
    private final Map<String, Count> counts = new TreeMap<>();
    private final Map<Share, Count> shares = new HashMap<>();
    private final List<Difference> differences = new ArrayList<>();

    Agreement(Permitted permitted) {
        this.permitted = permitted;
    }

    /** Compares all nodes. */
    void compareNodes(String file, String content, Answer ours, Answer theirs) {
        Set<String> names = new TreeSet<>(ours.nodes().keySet());
        names.addAll(theirs.nodes().keySet());
        for (String name : names) {
            Map<String, String> ourNode = ours.nodes().get(name);
            Map<String, String> theirNode = theirs.nodes().get(name);
            compare("node", file, content, name, known(ourNode), known(theirNode));
            if (ourNode != null && theirNode != null) {
                ourNode.forEach((property, value) -> {
                    String other = theirNode.get(property);
                    // A value that cannot be read may be cached or not.
                    boolean pointless = property.equals("cached")
                            && (ourNode.get("text").startsWith("!")
                                    || theirNode.get("text").startsWith("!"));
                    if (other != null && !pointless) {
                        boolean selected = property.equals("selected");
                        compare(
                                property.equals("text") && outsideLimits(theirNode) ? "text outside limits" : property,
                                file,
                                content,
                                name,
                                selected ? features(value, theirs) : value,
                                selected ? features(other, theirs) : other);
                    }
                });
            }
        }
    }

    /** Whether a rounded value is outside, too: also where there is but one value. */
    private static boolean outsideLimits(Map<String, String> node) {
        String value = node.getOrDefault("float.value", "!");
        String min = node.getOrDefault("float.min", "!");
        String max = node.getOrDefault("float.max", "!");
        boolean known = !value.startsWith("!") && !min.startsWith("!") && !max.startsWith("!");
        return known && (number(min) >= number(max) || number(value) < number(min) || number(value) > number(max));
    }

    /** Those of some nodes that are features: the reference also names the nodes that selected features are made of. */
    private static String features(String names, Answer answer) {
        return NodeProperties.words(names).stream()
                .filter(name -> answer.nodes().get(name).get("feature").equals("1"))
                .collect(Collectors.joining(" "));
    }

    /** Compares what the description gives, of the nodes that the other names. */
    void compareProperties(String file, Answer ours, Answer theirs) {
        theirs.nodes()
                .forEach((name, theirNode) -> ours.nodes()
                        .getOrDefault(name, Map.of())
                        .forEach((property, value) -> {
                            String other = theirNode.get(property);
                            if (other != null) {
                                compare(PROPERTY + property, file, "", name, value, other);
                            }
                        }));
    }

    private static String known(Map<String, String> node) {
        return node == null ? "absent" : "there";
    }

    /** Compares one value; those that both do not have do not count. */
    synchronized void compare(String property, String file, String content, String node, String ours, String theirs) {
        boolean weHave = !ours.startsWith("!");
        boolean theyHave = !theirs.startsWith("!");
        if (!weHave && !theyHave && !ours.startsWith("!!")) {
            return;
        }
        Count count = counts.computeIfAbsent(property, key -> new Count());
        Count share = shares.computeIfAbsent(new Share(property, content), key -> new Count());
        if (weHave && theyHave) {
            count.both++;
            share.both++;
        } else {
            count.oneOnly++;
        }
        Difference difference = new Difference(property, file, content, node, ours, theirs);
        if (weHave && theyHave && same(property, ours, theirs)) {
            count.agreed++;
            share.agreed++;
        } else if (permitted.permits(difference)) {
            count.permitted++;
        } else {
            count.different++;
            differences.add(difference);
        }
    }

    private static boolean same(String property, String ours, String theirs) {
        if (ours.equals(theirs)) {
            return true;
        }
        if (SETS.contains(property)) {
            return new HashSet<>(NodeProperties.words(ours)).equals(new HashSet<>(NodeProperties.words(theirs)));
        }
        if (TEXTS.contains(property)) {
            return ours.equals(asRead(theirs));
        }
        if (property.equals("eventId")) {
            return !ours.isEmpty() && !theirs.isEmpty() && Long.parseLong(ours, 16) == Long.parseLong(theirs, 16);
        }
        if (property.startsWith(LINKS)) {
            return new HashSet<>(List.of(ours.split(TAB, -1))).equals(new HashSet<>(List.of(theirs.split(TAB, -1))));
        }
        if (property.startsWith(PROPERTY)) {
            return sameNumber(ours, theirs);
        }
        if (!ours.startsWith("0x") || !theirs.startsWith("0x")) {
            return false;
        }
        List<String> ourNumbers = NodeProperties.words(ours);
        List<String> theirNumbers = NodeProperties.words(theirs);
        if (ourNumbers.size() != theirNumbers.size()) {
            return false;
        }
        for (int i = 0; i < ourNumbers.size(); i++) {
            double a = number(ourNumbers.get(i));
            double b = number(theirNumbers.get(i));
            boolean equal = a == b || (Double.isNaN(a) && Double.isNaN(b));
            if (!equal && !(Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)))) {
                return false;
            }
        }
        return true;
    }

    /** Bytes as the characters that they are in UTF-8, where they are any. */
    private static String asRead(String escaped) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.startsWith("\\x", i)) {
                bytes.write(HexFormat.fromHexDigits(escaped, i + 2, i + 4));
                i += 3;
            } else {
                bytes.write(escaped.charAt(i));
            }
        }
        return NodeProperties.escaped(bytes.toString(StandardCharsets.UTF_8));
    }

    /** Numbers as descriptions write them. */
    private static boolean sameNumber(String ours, String theirs) {
        try {
            return ours.contains("x")
                    ? Long.decode(ours).equals(Long.decode(theirs))
                    : Double.parseDouble(ours) == Double.parseDouble(theirs);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static double number(String bits) {
        return Double.longBitsToDouble(Long.parseUnsignedLong(bits.substring(2), 16));
    }

    synchronized List<Difference> differences() {
        return List.copyOf(differences);
    }

    /** The share of the values that both give which are the same, permitted or not, in percent. */
    synchronized double percent(String property, String content) {
        return shares.getOrDefault(new Share(property, content), new Count()).percent();
    }

    /** How many values both give. */
    synchronized int compared(String property, String content) {
        return shares.getOrDefault(new Share(property, content), new Count()).both;
    }

    /** A line for each property: values that both give, those that are the same, values of one only. */
    synchronized List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-28s %9s %9s %9s %9s %9s %9s",
                "property",
                "both",
                "same",
                "percent",
                "one only",
                "permitted",
                "different"));
        counts.forEach((property, count) -> lines.add(String.format(
                Locale.ROOT,
                "%-28s %9d %9d %9.4f %9d %9d %9d",
                property,
                count.both,
                count.agreed,
                count.percent(),
                count.oneOnly,
                count.permitted,
                count.different)));
        return lines;
    }
}
