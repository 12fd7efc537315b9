package io.peregrine.cli;

import io.peregrine.device.DeviceException;
import io.peregrine.device.OpenOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads values of the command line, and says in words what is wrong with them. */
final class Converters {
    private static final Pattern TIME = Pattern.compile("\\d{1,9}\\s*(ms|s|min)");

    private Converters() {}

    static void register(CommandLine commandLine) {
        ITypeConverter<Integer> integer = text -> number(text, Integer::valueOf, "a whole number");
        ITypeConverter<Long> whole = text -> number(text, Long::valueOf, "a whole number");
        ITypeConverter<Double> real = text -> number(text, Double::valueOf, "a number");
        commandLine.registerConverter(Integer.class, integer);
        commandLine.registerConverter(int.class, integer);
        commandLine.registerConverter(Long.class, whole);
        commandLine.registerConverter(long.class, whole);
        commandLine.registerConverter(Double.class, real);
        commandLine.registerConverter(double.class, real);
        commandLine.registerConverter(Path.class, Converters::path);
    }

    private static <T> T number(String text, ITypeConverter<T> parser, String wanted) {
        try {
            return parser.convert(text.strip());
        } catch (Exception e) {
            throw new TypeConversionException("'" + text + "' is not " + wanted + ", or too large");
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is no path: " + e.getReason());
        }
    }

    /** The value of a parameter for opening, checked. */
    private static OpenOptions parameter(String name, String value) {
        try {
            return new OpenOptions(Map.of(name, value));
        } catch (DeviceException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** A parameter for opening with its value. */
    static final class Parameter implements ITypeConverter<OpenOptions> {
        @Override
        public OpenOptions convert(String text) {
            int equals = text.indexOf('=');
            if (equals < 0) {
                throw new TypeConversionException("'" + text + "' sets nothing: write NAME=VALUE");
            }
            return parameter(text.substring(0, equals), text.substring(equals + 1));
        }
    }

    /** What the parameter PacketSize takes. */
    static final class PacketSize implements ITypeConverter<OpenOptions> {
        @Override
        public OpenOptions convert(String text) {
            return parameter("PacketSize", text);
        }
    }

    /** A time with its unit, such as {@code 300ms}, as the settings have it. */
    static final class Time implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (!TIME.matcher(text).matches()) {
                throw new TypeConversionException("'" + text + "' is no time: give for example 300ms, 2s or 10min");
            }
            return text;
        }
    }
}
