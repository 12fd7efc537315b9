package io.peregrine.device;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Values of the parameters of one opening: each as the user gave it, else as the settings have it; checked when read.
 */
final class ParameterValues {
    private final PeregrineSettings settings;
    private final Set<OpenParameter> given;

    private ParameterValues(PeregrineSettings settings, Set<OpenParameter> given) {
        this.settings = settings;
        this.given = given;
    }

    /**
     * Puts parameters on top of settings.
     *
     * @throws DeviceException if there is no parameter of a name
     */
    static ParameterValues of(PeregrineSettings defaults, Map<String, String> parameters) {
        PeregrineSettings settings = defaults;
        Set<OpenParameter> given = new LinkedHashSet<>();
        for (Map.Entry<String, String> entry : parameters.entrySet()) {
            OpenParameter parameter = OpenParameter.named(entry.getKey());
            settings = settings.with(parameter.settingsKey(), entry.getValue());
            given.add(parameter);
        }
        return new ParameterValues(settings, given);
    }

    /** Whether the user gave it for this opening. */
    boolean given(OpenParameter parameter) {
        return given.contains(parameter);
    }

    /** Text of a value, which may be empty. */
    String text(OpenParameter parameter) {
        String text = settings.value(parameter.settingsKey()).orElse("");
        parameter.check(text);
        return text;
    }

    Optional<String> nonEmpty(OpenParameter parameter) {
        return Optional.of(text(parameter)).filter(text -> !text.isEmpty());
    }

    /** A word in the spelling of the registry. */
    String word(OpenParameter parameter) {
        return parameter.type().word(text(parameter));
    }

    boolean flag(OpenParameter parameter) {
        return ValueType.flagOf(text(parameter)).orElseThrow();
    }

    boolean flag(OpenParameter parameter, boolean otherwise) {
        return text(parameter).isEmpty() ? otherwise : flag(parameter);
    }

    int integer(OpenParameter parameter) {
        return Math.toIntExact(ValueType.integerOf(text(parameter)).orElseThrow());
    }

    OptionalInt optionalInteger(OpenParameter parameter) {
        return text(parameter).isEmpty() ? OptionalInt.empty() : OptionalInt.of(integer(parameter));
    }

    Duration duration(OpenParameter parameter) {
        return ValueType.durationOf(text(parameter)).orElseThrow();
    }

    /** Parts of a text with commas, without empty ones. */
    List<String> list(OpenParameter parameter) {
        return Arrays.stream(text(parameter).split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
