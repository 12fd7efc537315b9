package io.peregrine.device;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the text of a setting may be. Says so in words, and reads it. Immutable.
 *
 * @param kind what the text stands for
 * @param expected the texts that are accepted, in words that follow "give"
 * @param accepts whether a text without surrounding blanks is accepted
 * @param words canonical spelling of each accepted word, by the word in lower case; empty for other kinds
 */
record ValueType(Kind kind, String expected, Predicate<String> accepts, Map<String, String> words) {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|min)");
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

    /** Kinds of values. */
    enum Kind {
        /** {@code 0} or {@code 1}, also {@code false} or {@code true}. */
        FLAG,
        /** A whole number. */
        INTEGER,
        /** A number with its unit. */
        DURATION,
        /** One of several words. */
        CHOICE,
        /** Any other text. */
        TEXT;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ValueType flag() {
        return new ValueType(Kind.FLAG, "0 or 1", text -> flagOf(text).isPresent(), Map.of());
    }

    static ValueType integer(long min, long max) {
        return new ValueType(
                Kind.INTEGER,
                min + " to " + max,
                text -> integerOf(text).filter(n -> n >= min && n <= max).isPresent(),
                Map.of());
    }

    /** A whole number of 32 bits. */
    static ValueType integer() {
        return new ValueType(
                Kind.INTEGER,
                "a whole number",
                text -> integerOf(text)
                        .filter(n -> n >= Integer.MIN_VALUE && n <= Integer.MAX_VALUE)
                        .isPresent(),
                Map.of());
    }

    /**
     * A time.
     *
     * @param range the limits in words
     */
    static ValueType duration(Duration min, Duration max, String range) {
        return new ValueType(
                Kind.DURATION,
                range,
                text -> durationOf(text)
                        .filter(time -> time.compareTo(min) >= 0 && time.compareTo(max) <= 0)
                        .isPresent(),
                Map.of());
    }

    /** One of several words, whatever their case. */
    static ValueType choice(String... words) {
        Map<String, String> canonical = new TreeMap<>();
        for (String word : words) {
            canonical.put(word.toLowerCase(Locale.ROOT), word);
        }
        return choice(join(List.of(words)), canonical);
    }

    private static ValueType choice(String expected, Map<String, String> canonical) {
        return new ValueType(
                Kind.CHOICE, expected, text -> canonical.containsKey(text.toLowerCase(Locale.ROOT)), canonical);
    }

    static ValueType text(String expected, Predicate<String> accepts) {
        return new ValueType(Kind.TEXT, expected, accepts, Map.of());
    }

    /** The same with another spelling of a word, which documents do not list. */
    ValueType alias(String alias, String word) {
        Map<String, String> canonical = new TreeMap<>(words);
        canonical.put(alias.toLowerCase(Locale.ROOT), word);
        return choice(expected, canonical);
    }

    /**
     * The same, with words that stand for something special.
     *
     * @param described the accepted texts in words, these included
     */
    ValueType or(String described, String... special) {
        return new ValueType(
                kind,
                described,
                text -> List.of(special).contains(text.toLowerCase(Locale.ROOT)) || accepts.test(text),
                words);
    }

    /** The same, or nothing. */
    ValueType orEmpty() {
        return new ValueType(kind, expected, text -> text.isEmpty() || accepts.test(text), words);
    }

    /** Canonical spelling of an accepted word. */
    String word(String text) {
        return words.getOrDefault(text.toLowerCase(Locale.ROOT), text);
    }

    private static String join(List<String> words) {
        return String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.get(words.size() - 1);
    }

    static Optional<Boolean> flagOf(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> Optional.of(true);
            case "false", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    static Optional<Long> integerOf(String text) {
        return WHOLE.matcher(text).matches() ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    static Optional<Duration> durationOf(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    default -> Duration.ofMinutes(amount);
                });
    }
}
