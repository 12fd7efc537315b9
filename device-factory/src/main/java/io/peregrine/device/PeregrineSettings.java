package io.peregrine.device;

import io.peregrine.composite.internal.FileFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
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
    /** Maximum memory of the flow sets of one stream, in bytes. */
    public static final String MEMORY_LIMIT = "peregrine.stream.memoryLimitBytes";
    /** Recordings, and directories with recordings in them, that discovery lists on request, separated by commas. */
    public static final String FILES = "peregrine.files";
    /** File of the devices that the user configured, which are opened by the names that they have there. */
    public static final String DEVICES = "peregrine.devices";

    private static final String XML_ROOT = "peregrine";

    private static final List<String> KEYS =
            Setting.all().stream().map(Setting::key).toList();
    private static final UnknownSettings UNKNOWN = new UnknownSettings(KEYS, Setting::environmentName);

    private final Map<String, String> overrides;
    private final List<Configuration> layers;

    private PeregrineSettings(Map<String, String> overrides, List<Configuration> layers) {
        this.overrides = Map.copyOf(overrides);
        this.layers = List.copyOf(layers);
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
        return linked(() -> layered(systemProperties, environment, directory));
    }

    /** A project may force an older library on Commons Configuration, which shows at the first use of what it lacks. */
    static <T> T linked(Supplier<T> use) {
        try {
            return use.get();
        } catch (NoSuchMethodError | NoClassDefFoundError e) {
            if (!String.valueOf(e.getMessage()).replace('/', '.').contains("org.apache.commons.")) {
                throw e;
            }
            throw new DeviceException(
                    "The settings cannot be read, since Apache Commons Configuration misses what it calls ("
                            + e.getMessage() + "): give it Commons Lang 3.20.0 or newer. Where a parent such as"
                            + " spring-boot-starter-parent manages an older one, set"
                            + " <commons-lang3.version>3.20.0</commons-lang3.version> in the properties of the project",
                    e);
        }
    }

    private static PeregrineSettings layered(
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
        String named = systemProperties.getOrDefault(
                Setting.CONFIG_FILE, environment.get(Setting.environmentName(Setting.CONFIG_FILE)));
        if (named != null) {
            Path path = directory.resolve(named);
            if (!Files.isReadable(path)) {
                throw new DeviceException("The configuration file " + path + " named by " + Setting.CONFIG_FILE
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
                if (!xml.getRootElementName().equals(XML_ROOT)) {
                    throw new DeviceException("The configuration file " + path + " has the root element "
                            + xml.getRootElementName() + ": it must be " + XML_ROOT
                            + ", as in <peregrine><discovery><port>3956</port></discovery></peregrine>");
                }
                requireOnce(xml, XML_ROOT + ".", path);
                return flat(xml);
            }
            PropertiesConfiguration properties = new PropertiesConfiguration();
            properties.setIncludesAllowed(false);
            properties.read(reader);
            requireOnce(properties, "", path);
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

    /** Of several values only the first would have an effect. */
    private static void requireOnce(Configuration file, String prefix, Path path) {
        for (Iterator<String> keys = file.getKeys(); keys.hasNext(); ) {
            String key = keys.next();
            int times = file.getList(String.class, key).size();
            if (times > 1) {
                throw new DeviceException(prefix + key + " stands " + times + " times in the configuration file " + path
                        + ": write it once, with commas between several values");
            }
        }
    }

    /** A file that others can put into the working directory must not lead to other files or servers. */
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
    private static Configuration flat(XMLConfiguration xml) {
        Map<String, Object> values = new LinkedHashMap<>();
        xml.getKeys().forEachRemaining(key -> values.put(XML_ROOT + "." + key, xml.getString(key)));
        return new MapConfiguration(values);
    }

    private static Configuration defaults() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Setting setting : Setting.all()) {
            if (!setting.defaultValue().isEmpty()) {
                values.put(setting.key(), setting.defaultValue());
            }
        }
        return new MapConfiguration(values);
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
        return Optional.ofNullable(overrides.get(key))
                .or(() -> linked(() -> fromLayers(key)))
                .map(String::strip);
    }

    private Optional<String> fromLayers(String key) {
        String value = null;
        for (int i = 0; value == null && i < layers.size(); i++) {
            Configuration layer = layers.get(i);
            value = layer.getString(key, layer.getString(Setting.environmentName(key), null));
        }
        return Optional.ofNullable(value);
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
        return parse(key, ValueType::flagOf, "true or false");
    }

    /** Value that must be a whole number, not negative. */
    public long number(String key) {
        return parse(key, text -> ValueType.integerOf(text).filter(number -> number >= 0), "a whole number");
    }

    /** Value that must be a time with its unit: {@code ms}, {@code s} or {@code min}. */
    public Duration duration(String key) {
        return parse(key, ValueType::durationOf, "a time such as 300ms or 2s");
    }

    private <T> T parse(String key, Function<String, Optional<T>> parser, String expected) {
        String text = value(key)
                .orElseThrow(() -> new DeviceException("The setting " + key + " has no value: give " + expected));
        return parser.apply(text)
                .orElseThrow(() -> new DeviceException("The setting " + key + " is '" + text + "': give " + expected));
    }
}
