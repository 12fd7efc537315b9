package io.peregrine.distribution;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How this host takes part in the distribution of frames. From top to bottom: values set through this class, system
 * properties, and the file {@code distribution.properties} in the working directory, or the file named by the system
 * property {@code distribution.config}. Immutable.
 */
public final class DistributionSettings {
    /** Routes on which streams are looked for, separated by commas; none when empty. */
    public static final String ROUTES = "distribution.routes";
    /**
     * Whose media driver: {@code embedded}, {@code external}, or {@code external-runs} for one that was started with
     * Peregrine's {@code RunSenderSupplier}.
     */
    public static final String DRIVER = "distribution.driver";
    /** Directory of the media driver; a new one in /dev/shm for an embedded driver when empty. */
    public static final String DIRECTORY = "distribution.directory";
    /** Local IPv4 address for multicast groups; chosen by the system when empty. */
    public static final String INTERFACE = "distribution.interface";
    /** Largest datagram, 1216 to 65504 bytes; a multiple of 32. */
    public static final String MTU = "distribution.mtu";
    /** Bytes that a publisher keeps to send again: a power of two from 64k to 1g. */
    public static final String TERM = "distribution.term";
    /** Bytes under way to a consumer, and in the buffer of its socket. */
    public static final String WINDOW = "distribution.window";
    /** How long announcements of streams are collected. */
    public static final String DISCOVERY_WINDOW = "distribution.discoveryWindow";
    /** Silence of a publisher after which its stream is lost. */
    public static final String LOST_AFTER = "distribution.lostAfter";
    /** How long a publisher waits for a consumer that must have each frame and does not answer. */
    static final String GONE_AFTER = "distribution.goneAfter";
    /** What a consumer does when it is slow: {@code drop} frames, or have the publisher {@code wait}. */
    public static final String SLOW = "distribution.whenSlow";

    private static final String CONFIG = "distribution.config";
    private static final String FILE = "distribution.properties";
    private static final String EMBEDDED = "embedded";
    private static final String EXTERNAL = "external";
    private static final Map<String, String> DEFAULTS = DistributionSetting.defaults();
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([kmg]?)");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");
    /** Fits into the smallest packet that any network of IPv6, and so any tunnel, carries. */
    private static final int MIN_MTU = 1216;

    private static final int MAX_MTU = 65504;
    private static final int MIN_TERM = 64 << 10;
    private static final int MAX_TERM = 1 << 30;
    private static final int MIN_WINDOW = 128 << 10;
    private static final int MAX_WINDOW = 256 << 20;
    private static final int MIN_GONE_MILLIS = 500;
    private static final int MAX_GONE_MILLIS = 60_000;

    private final Map<String, String> values;

    private DistributionSettings(Map<String, String> values) {
        this.values = Map.copyOf(values);
        routes();
        embedded();
        mtuBytes();
        termBytes();
        windowBytes();
        discoveryWindow();
        lostAfter();
        goneAfter();
        mustHave();
    }

    /**
     * Reads the settings as they are now.
     *
     * @throws DistributionException if the file cannot be read, a key is unknown, or a value is not possible
     */
    public static DistributionSettings load() {
        Properties system = System.getProperties();
        return load(
                system.stringPropertyNames().contains(CONFIG)
                        ? Optional.of(system.getProperty(CONFIG))
                        : Optional.empty(),
                system::getProperty,
                Path.of(""));
    }

    static DistributionSettings load(Optional<String> named, UnaryOperator<String> above, Path directory) {
        Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
        Path file = directory.resolve(named.orElse(FILE));
        if (named.isPresent() || Files.isReadable(file)) {
            values.putAll(read(file));
        }
        for (String key : DEFAULTS.keySet()) {
            String value = above.apply(key);
            if (value != null) {
                values.put(key, value.strip());
            }
        }
        return new DistributionSettings(values);
    }

    private static Map<String, String> read(Path file) {
        Once properties = new Once();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new DistributionException("The settings " + file + " cannot be read: " + e.getMessage(), e);
        }
        if (!properties.repeated.isEmpty()) {
            throw new DistributionException(properties.repeated.first() + " stands more than once in the settings "
                    + file + ": write it once, with commas between several values");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (!DEFAULTS.containsKey(key)) {
                throw unknown(key);
            }
            values.put(key, properties.getProperty(key).strip());
        }
        return values;
    }

    /** Notes what stands there several times, of which only the last would have an effect. */
    private static final class Once extends Properties {
        private static final long serialVersionUID = 1L;
        private final TreeSet<String> repeated = new TreeSet<>();

        @Override
        public synchronized Object put(Object key, Object value) {
            Object before = super.put(key, value);
            if (before != null) {
                repeated.add(key.toString());
            }
            return before;
        }
    }

    private static DistributionException unknown(String key) {
        return new DistributionException(
                "There is no setting " + key + ": there are " + String.join(", ", new TreeSet<>(DEFAULTS.keySet())));
    }

    /**
     * The same settings with another value.
     *
     * @throws DistributionException if there is no such setting, or the value is not possible
     */
    public DistributionSettings with(String key, String value) {
        if (!DEFAULTS.containsKey(key)) {
            throw unknown(key);
        }
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(key, value.strip());
        return new DistributionSettings(changed);
    }

    /** Value of a setting as text. */
    public String get(String key) {
        String value = values.get(key);
        if (value == null) {
            throw unknown(key);
        }
        return value;
    }

    List<Route> routes() {
        return Arrays.stream(get(ROUTES).split(",", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(Route::parse)
                .toList();
    }

    boolean embedded() {
        return driver().equals(EMBEDDED);
    }

    /** Whether the media driver cuts runs of datagrams. */
    boolean runs() {
        return !driver().equals(EXTERNAL);
    }

    private String driver() {
        return word(DRIVER, EMBEDDED, EXTERNAL, "external-runs");
    }

    Optional<String> directory() {
        return Optional.of(get(DIRECTORY)).filter(text -> !text.isEmpty());
    }

    Optional<String> localAddress() {
        return Optional.of(get(INTERFACE)).filter(text -> !text.isEmpty());
    }

    int mtuBytes() {
        int bytes = size(MTU, MIN_MTU, MAX_MTU);
        if (bytes % 32 != 0) {
            throw new DistributionException(MTU + " is " + bytes + ": give a multiple of 32, such as 1408 or 8928");
        }
        return bytes;
    }

    int termBytes() {
        int bytes = size(TERM, MIN_TERM, MAX_TERM);
        if (Integer.bitCount(bytes) != 1) {
            throw new DistributionException(TERM + " is " + get(TERM) + ": give a power of two, such as 16m");
        }
        return bytes;
    }

    int windowBytes() {
        return size(WINDOW, MIN_WINDOW, MAX_WINDOW);
    }

    Duration discoveryWindow() {
        return time(DISCOVERY_WINDOW);
    }

    Duration lostAfter() {
        return time(LOST_AFTER);
    }

    /** Consumers are heard five times a second at least. */
    Duration goneAfter() {
        Duration time = time(GONE_AFTER);
        if (time.toMillis() < MIN_GONE_MILLIS || time.toMillis() > MAX_GONE_MILLIS) {
            throw new DistributionException(GONE_AFTER + " is '" + get(GONE_AFTER) + "': give " + MIN_GONE_MILLIS
                    + "ms to " + MAX_GONE_MILLIS / 1000 + "s");
        }
        return time;
    }

    boolean mustHave() {
        return word(SLOW, "drop", "wait").equals("wait");
    }

    private String word(String key, String... words) {
        String value = get(key);
        if (!List.of(words).contains(value)) {
            throw new DistributionException(key + " is '" + value + "': give " + String.join(" or ", words));
        }
        return value;
    }

    private int size(String key, int least, int most) {
        Matcher matcher = SIZE.matcher(get(key));
        if (matcher.matches()) {
            int shift = "kmg"
                            .indexOf(
                                    matcher.group(2).isEmpty()
                                            ? '?'
                                            : matcher.group(2).charAt(0))
                    + 1;
            long bytes = Long.parseLong(matcher.group(1)) << (10 * shift);
            if (bytes >= least && bytes <= most) {
                return (int) bytes;
            }
        }
        throw new DistributionException(
                key + " is '" + get(key) + "': give " + least + " to " + most + " bytes, or a number with k, m or g");
    }

    private Duration time(String key) {
        Matcher matcher = TIME.matcher(get(key));
        if (!matcher.matches()) {
            throw new DistributionException(key + " is '" + get(key) + "': give a time such as 500ms or 2s");
        }
        long amount = Long.parseLong(matcher.group(1));
        return matcher.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
    }

    @Override
    public String toString() {
        return "DistributionSettings" + values;
    }
}
