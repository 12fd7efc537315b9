package io.peregrine.device;

import io.peregrine.composite.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.commons.configuration2.Configuration;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.commons.configuration2.XMLConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.apache.commons.configuration2.io.FileHandler;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Settings in layers; a value of an upper layer hides those below it. From top to bottom: values set through this
 * class, system properties, environment variables, a file ({@code peregrine.properties} or {@code peregrine.xml} in the
 * working directory, or the file named by {@code peregrine.config}), built-in defaults.
 *
 * <p>Keys are dotted, such as {@code peregrine.discovery.addresses}. The environment variable of a key is the key in
 * upper case with underscores: {@code PEREGRINE_DISCOVERY_ADDRESSES}. Values count as they are written, without
 * variables, and the XML form has no document type: neither leads to other files or servers. Immutable.
 */
public final class PeregrineSettings {
    /** Names or addresses of the interfaces to search, separated by commas; all but loopback when empty. */
    public static final String DISCOVERY_INTERFACES = "peregrine.discovery.interfaces";
    /** Addresses of devices to ask directly, separated by commas. */
    public static final String DISCOVERY_ADDRESSES = "peregrine.discovery.addresses";
    /** Whether discovery broadcasts on the interfaces: {@code true} or {@code false}. */
    public static final String DISCOVERY_BROADCAST = "peregrine.discovery.broadcast";
    /** How long discovery collects answers, for example {@code 300ms} or {@code 2s}. */
    public static final String DISCOVERY_WINDOW = "peregrine.discovery.window";
    /** UDP port of the devices' control channel. */
    public static final String DISCOVERY_PORT = "peregrine.discovery.port";
    /** Default of the parameter {@code UseRdma}. */
    public static final String USE_RDMA = "peregrine.useRdma";
    /** Default of the parameter {@code FlowSetCount}. */
    public static final String FLOW_SET_COUNT = "peregrine.stream.flowSetCount";
    /** Most memory that the flow sets of one stream may take, in bytes. */
    public static final String MEMORY_LIMIT = "peregrine.stream.memoryLimitBytes";
    /** Default of the parameter {@code ResendEnabled}. */
    public static final String RESEND = "peregrine.stream.resend";
    /** Default of the parameter {@code ResendTries}. */
    public static final String RESEND_TRIES = "peregrine.stream.resendTries";
    /** Default of the parameter {@code FrameRetention}, for example {@code 100ms}. */
    public static final String FRAME_RETENTION = "peregrine.stream.frameRetention";
    /** Default of the parameter {@code MissingBytes}. */
    public static final String MISSING_BYTES = "peregrine.stream.missingBytes";
    /** Default of the parameter {@code InOrderDelivery}. */
    public static final String IN_ORDER = "peregrine.stream.inOrderDelivery";
    /** Default of the parameter {@code ReceiverCpus}. */
    public static final String RECEIVER_CPUS = "peregrine.stream.receiverCpus";
    /** Default of the parameter {@code ReceiverNice}. */
    public static final String RECEIVER_NICE = "peregrine.stream.receiverNice";
    /** Default of the parameter {@code ReceiverRealTimePriority}. */
    public static final String RECEIVER_REAL_TIME_PRIORITY = "peregrine.stream.receiverRealTimePriority";
    /** Default of the parameter {@code ReceiverThread}. */
    public static final String RECEIVER_THREAD = "peregrine.stream.receiverThread";
    /** Default of the parameter {@code ReceiverPauseMicros}. */
    public static final String RECEIVER_PAUSE = "peregrine.stream.receiverPauseMicros";
    /** Default of the parameter {@code ReceiveBufferBytes}. */
    public static final String RECEIVE_BUFFER = "peregrine.stream.receiveBufferBytes";
    /** Default of the parameter {@code ReceiverBusyPollMicros}. */
    public static final String RECEIVER_BUSY_POLL = "peregrine.stream.receiverBusyPollMicros";
    /** Default of the parameter {@code PacketSize}: {@code negotiate}, {@code keep}, or bytes. */
    public static final String PACKET_SIZE = "peregrine.stream.packetSizeBytes";
    /** Default of the parameter {@code PacketReceiver}. */
    public static final String PACKET_RECEIVER = "peregrine.stream.packetReceiver";
    /**
     * Default of the parameter {@code StreamDestination}: a group, with or without a port; this host alone when empty.
     */
    public static final String STREAM_DESTINATION = "peregrine.stream.destination";
    /** Default of the parameter {@code StreamInterface}: the name or address of an interface of this host. */
    public static final String STREAM_INTERFACE = "peregrine.stream.interface";
    /** Default of the parameter {@code StreamHostPort}; 0 takes a free one. */
    public static final String STREAM_HOST_PORT = "peregrine.stream.hostPort";
    /** Default of the parameter {@code MessageHostPort}; 0 takes a free one. */
    public static final String MESSAGE_HOST_PORT = "peregrine.control.messageHostPort";
    /** Default of the parameter {@code AnnouncedAddress}. */
    public static final String ANNOUNCED_ADDRESS = "peregrine.control.announcedAddress";
    /** Default of the parameter {@code MulticastJoin}. */
    public static final String MULTICAST_JOIN = "peregrine.stream.multicastJoin";
    /** Default of the parameter {@code UnconditionalStreaming}. */
    public static final String UNCONDITIONAL_STREAMING = "peregrine.stream.unconditional";
    /** Default of the parameter {@code Payload}. */
    public static final String PAYLOAD = "peregrine.stream.payload";
    /** Default of the parameter {@code AccessMode}. */
    public static final String ACCESS_MODE = "peregrine.control.accessMode";

    /** Default of the parameter {@code Reconnect}. */
    public static final String RECONNECT = "peregrine.control.reconnect";
    /** Default of the parameter {@code Restore}: {@code settings} or {@code none}. */
    public static final String RESTORE = "peregrine.control.restore";
    /** Default of the parameter {@code LargestDescription}, in bytes. */
    public static final String LARGEST_DESCRIPTION = "peregrine.control.largestDescriptionBytes";
    /** Default of the parameter {@code OpenTimeout}, for example {@code 60s}. */
    public static final String OPEN_TIMEOUT = "peregrine.control.openTimeout";
    /** Default of the parameter {@code ReconnectTimeout}, for example {@code 10min}; {@code 0s} for ever. */
    public static final String RECONNECT_TIMEOUT = "peregrine.control.reconnectTimeout";

    /** Default of the parameter {@code HeartbeatTimeout}. */
    public static final String HEARTBEAT_TIMEOUT = "peregrine.control.heartbeatTimeout";
    /** Default of the parameter {@code SwitchoverKey}. */
    public static final String SWITCHOVER_KEY = "peregrine.control.switchoverKey";

    /** Default of the parameter {@code RdmaProvider}. */
    public static final String RDMA_PROVIDER = "peregrine.rdma.provider";
    /** Default of the parameter {@code RdmaInterface}; a value asks for RDMA too, unless {@code UseRdma} is set. */
    public static final String RDMA_INTERFACE = "peregrine.rdma.interface";
    /**
     * Default of the parameter {@code RdmaCompletionVector}; a value asks for RDMA too, unless {@code UseRdma} is set.
     */
    public static final String RDMA_COMPLETION_VECTOR = "peregrine.rdma.comp_vector";
    /** Default of the parameter {@code RdmaMaxPoll}. */
    public static final String RDMA_MAX_POLL = "peregrine.rdma.maxPoll";
    /** Default of the parameter {@code RdmaMode}. */
    public static final String RDMA_MODE = "peregrine.rdma.mode";
    /** Default of the parameter {@code RdmaShared}. */
    public static final String RDMA_SHARED = "peregrine.rdma.shared";

    /** Recordings, and directories with recordings in them, that discovery lists on request, separated by commas. */
    public static final String FILES = "peregrine.files";
    /** Default of the parameter {@code ReplayRate}. */
    public static final String REPLAY_RATE = "peregrine.replay.rate";
    /** Default of the parameter {@code PlaybackMode}. */
    public static final String PLAYBACK_MODE = "peregrine.replay.playbackMode";

    private static final String CONFIG_FILE = "peregrine.config";
    private static final List<String> KEYS = keys();
    private static final UnknownSettings UNKNOWN = new UnknownSettings(KEYS, PeregrineSettings::environmentName);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|min)");

    private final Map<String, String> overrides;
    private final List<Configuration> layers;

    private PeregrineSettings(Map<String, String> overrides, List<Configuration> layers) {
        this.overrides = Map.copyOf(overrides);
        this.layers = List.copyOf(layers);
    }

    /** The constants of this class that others can see, which are all keys, and that of the file. */
    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of(CONFIG_FILE));
        try {
            for (Field field : PeregrineSettings.class.getFields()) {
                keys.add((String) field.get(null));
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return keys;
    }

    /**
     * Reads all layers as they are now. What looks like a setting but is none, because it is misspelt, is logged as a
     * warning, once.
     *
     * @throws DeviceException if the configuration file named by {@code peregrine.config} cannot be read
     */
    public static PeregrineSettings load() {
        return load(
                System.getProperties().stringPropertyNames().stream()
                        .filter(name -> name.startsWith("peregrine."))
                        .collect(
                                LinkedHashMap::new,
                                (map, name) -> map.put(name, System.getProperty(name)),
                                Map::putAll),
                System.getenv(),
                Path.of(""));
    }

    static PeregrineSettings load(
            Map<String, String> systemProperties, Map<String, String> environment, Path directory) {
        List<Configuration> layers = new ArrayList<>();
        layers.add(new MapConfiguration(new LinkedHashMap<String, Object>(systemProperties)));
        Map<String, Object> fromEnvironment = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith("PEREGRINE_")) {
                fromEnvironment.put(name, value);
            }
        });
        layers.add(new MapConfiguration(fromEnvironment));
        file(systemProperties, environment, directory).ifPresent(layers::add);
        UNKNOWN.reportProperties(systemProperties.keySet());
        UNKNOWN.reportVariables(environment.keySet());
        layers.add(defaults());
        // Values count as they are written: ${file:...} would put another file into a setting.
        layers.forEach(layer -> layer.setInterpolator(null));
        return new PeregrineSettings(Map.of(), layers);
    }

    private static Optional<Configuration> file(
            Map<String, String> systemProperties, Map<String, String> environment, Path directory) {
        String named = systemProperties.getOrDefault(CONFIG_FILE, environment.get(environmentName(CONFIG_FILE)));
        if (named != null) {
            Path path = directory.resolve(named);
            if (!Files.isReadable(path)) {
                throw new DeviceException("The configuration file " + path + " named by " + CONFIG_FILE
                        + " cannot be read: correct the name or remove the setting");
            }
            return Optional.of(checked(path));
        }
        for (String name : List.of("peregrine.properties", "peregrine.xml")) {
            Path path = directory.resolve(name);
            if (Files.isReadable(path)) {
                return Optional.of(checked(path));
            }
        }
        return Optional.empty();
    }

    private static Configuration checked(Path path) {
        Configuration file = read(path);
        List<String> keys = new ArrayList<>();
        file.getKeys().forEachRemaining(keys::add);
        UNKNOWN.reportKeys(keys, path.toString());
        return file;
    }

    private static Configuration read(Path path) {
        try (Reader reader = Files.newBufferedReader(path)) {
            if (path.getFileName().toString().endsWith(".xml")) {
                XMLConfiguration xml = new XMLConfiguration();
                xml.setInterpolator(null);
                xml.setDocumentBuilder(parser());
                new FileHandler(xml).load(reader);
                return new PrefixedXml(xml).flat();
            }
            PropertiesConfiguration properties = new PropertiesConfiguration();
            properties.setIncludesAllowed(false);
            properties.read(reader);
            return properties;
        } catch (IOException e) {
            throw new DeviceException(
                    "The configuration file " + path + " cannot be read: " + FileFailure.reason(e), e);
        } catch (ConfigurationException | ParserConfigurationException e) {
            String reason = e.getCause() instanceof SAXParseException parsing
                    ? "line " + parsing.getLineNumber() + ": " + parsing.getMessage()
                    : e.getMessage();
            throw new DeviceException("The configuration file " + path + " cannot be read: " + reason, e);
        }
    }

    /** Whoever can put a file into the working directory must not reach other files or servers through it. */
    private static DocumentBuilder parser() throws ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
        DocumentBuilder parser = factory.newDocumentBuilder();
        // The one that is there prints on the error output.
        parser.setErrorHandler(new DefaultHandler());
        return parser;
    }

    /** The root element of the XML form stands for the first part of the key. */
    private record PrefixedXml(XMLConfiguration xml) {
        Configuration flat() {
            Map<String, Object> values = new LinkedHashMap<>();
            xml.getKeys().forEachRemaining(key -> values.put(xml.getRootElementName() + "." + key, xml.getString(key)));
            return new MapConfiguration(values);
        }
    }

    private static Configuration defaults() {
        try (InputStream in = PeregrineSettings.class.getResourceAsStream("defaults.properties");
                Reader reader = new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8)) {
            PropertiesConfiguration properties = new PropertiesConfiguration();
            properties.read(reader);
            return properties;
        } catch (IOException | ConfigurationException e) {
            throw new DeviceException("The built-in defaults cannot be read", e);
        }
    }

    private static String environmentName(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /**
     * The same settings with one value set in the top layer.
     *
     * @throws DeviceException if there is no setting of this key
     */
    public PeregrineSettings with(String key, String value) {
        if (!KEYS.contains(key)) {
            throw new DeviceException(UNKNOWN.refusal(key));
        }
        Map<String, String> changed = new LinkedHashMap<>(overrides);
        changed.put(key, value);
        return new PeregrineSettings(changed, layers);
    }

    /** Value of a key in the uppermost layer that has it, without surrounding blanks. */
    public Optional<String> value(String key) {
        String value = overrides.get(key);
        for (int i = 0; value == null && i < layers.size(); i++) {
            Configuration layer = layers.get(i);
            value = layer.getString(key, layer.getString(environmentName(key), null));
        }
        return Optional.ofNullable(value).map(String::strip);
    }

    /** Parts of a comma separated value, without empty ones. */
    public List<String> list(String key) {
        return value(key).stream()
                .flatMap(text -> Pattern.compile(",").splitAsStream(text))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Value that must be {@code true}, {@code false}, {@code 1} or {@code 0}. */
    public boolean flag(String key) {
        return parse(
                        key,
                        text -> switch (text.toLowerCase(Locale.ROOT)) {
                            case "true", "1" -> "true";
                            case "false", "0" -> "false";
                            default -> null;
                        },
                        "true or false")
                .equals("true");
    }

    /** Value that must be a whole number, not negative. */
    public long number(String key) {
        return Long.parseLong(parse(key, text -> text.matches("\\d{1,18}") ? text : null, "a whole number"));
    }

    /** Value that must be a whole number of 32 bits, with or without a sign. */
    int integer(String key) {
        try {
            return Integer.parseInt(value(key).orElse(""));
        } catch (NumberFormatException e) {
            throw new DeviceException(
                    "The setting " + key + " is '" + value(key).orElse("") + "': give a whole number", e);
        }
    }

    /** Value that must be a time with its unit: {@code ms}, {@code s} or {@code min}. */
    public Duration duration(String key) {
        String text = parse(key, t -> DURATION.matcher(t).matches() ? t : null, "a time such as 300ms or 2s");
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalStateException(text);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    private String parse(String key, UnaryOperator<String> accept, String expected) {
        String text = value(key)
                .orElseThrow(() -> new DeviceException("The setting " + key + " has no value: give " + expected));
        String accepted = accept.apply(text);
        if (accepted == null) {
            throw new DeviceException("The setting " + key + " is '" + text + "': give " + expected);
        }
        return accepted;
    }
}
