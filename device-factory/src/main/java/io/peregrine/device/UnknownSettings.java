package io.peregrine.device;

import io.peregrine.genapi.internal.NearNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Reports settings that nothing reads, mostly because they are misspelt: each once in the life of the program. */
final class UnknownSettings {
    private static final System.Logger LOGGER = System.getLogger(PeregrineSettings.class.getName());
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    /** All settings, by their key without prefix, separators, and case. */
    private final Map<String, String> keys = new LinkedHashMap<>();

    private final UnaryOperator<String> environmentName;

    /**
     * Knows all settings.
     *
     * @param known their keys
     * @param environmentName the environment variable of a key
     */
    UnknownSettings(Collection<String> known, UnaryOperator<String> environmentName) {
        known.forEach(key -> keys.put(plain(key), key));
        this.environmentName = environmentName;
    }

    /**
     * Environment variables and system properties with the prefix may belong to something else: those near a setting do
     * not.
     */
    void reportVariables(Collection<String> names) {
        names.stream()
                .filter(name -> name.toUpperCase(Locale.ROOT).startsWith("PEREGRINE_"))
                .filter(this::meansSetting)
                .forEach(name -> report("environment variable " + name, name, environmentName));
    }

    void reportProperties(Collection<String> names) {
        names.stream()
                .filter(this::meansSetting)
                .forEach(name -> report("system property " + name, name, UnaryOperator.identity()));
    }

    void reportKeys(Collection<String> names, String file) {
        names.forEach(name -> report("key " + name + " in " + file, name, UnaryOperator.identity()));
    }

    /** Adds what is near to a key that does not exist. */
    String refusal(String key) {
        String question = question(key, UnaryOperator.identity());
        return "There is no setting " + key + (question.isEmpty() ? "" : "." + question);
    }

    private boolean isSetting(String name) {
        return keys.values().stream()
                .anyMatch(key -> key.equals(name) || environmentName.apply(key).equals(name));
    }

    private boolean meansSetting(String name) {
        return !NearNames.of(plain(name), keys.keySet()).isEmpty() || groups().contains(group(name));
    }

    /** What stands between the first and the second separator: discovery, stream, and so on. */
    private static String group(String name) {
        String[] parts = name.toLowerCase(Locale.ROOT).split("[._]", -1);
        return parts.length > 2 ? parts[1] : "";
    }

    private Set<String> groups() {
        Set<String> groups = new TreeSet<>();
        keys.values().forEach(key -> groups.add(group(key)));
        groups.remove("");
        return groups;
    }

    private static String plain(String name) {
        String letters = name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
        return letters.startsWith("peregrine") ? letters.substring("peregrine".length()) : letters;
    }

    private void report(String what, String name, UnaryOperator<String> form) {
        if (!isSetting(name) && REPORTED.add(what)) {
            String question = question(name, form);
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The " + what + " is no setting and has no effect."
                            + (question.isEmpty() ? " Remove it or correct its name" : question));
        }
    }

    private String question(String name, UnaryOperator<String> form) {
        List<String> near = new ArrayList<>();
        NearNames.of(plain(name), keys.keySet()).forEach(plain -> near.add(form.apply(keys.get(plain))));
        return near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?";
    }
}
