package io.peregrine.browser.cameras;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenParameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A camera that was found, open or not. Safe for use by several threads. */
public final class Camera {
    private final String id;
    private final String key;
    /** Held while it is opened or closed, which can take long. */
    private final Object opening = new Object();

    private final Map<String, String> parameters = new LinkedHashMap<>();
    private volatile DiscoveryInformation info;
    private volatile String configured = "";
    private volatile boolean present = true;
    private volatile boolean answersSearches;
    private volatile @Nullable OpenCamera opened;

    Camera(String id, DiscoveryInformation info) {
        this.id = id;
        this.info = info;
        key = key(info);
    }

    /** What a device keeps when its address changes. */
    static String key(DiscoveryInformation info) {
        return info.recording()
                .map(Object::toString)
                .orElseGet(() -> info.macAddress() + "/" + info.serialNumber() + "/" + info.port());
    }

    /** Its id in paths. */
    public String id() {
        return id;
    }

    String key() {
        return key;
    }

    /** It did not answer a search, yet. One that was only ever found by its name is not missed. */
    void missing() {
        present = !answersSearches;
    }

    /** It answered a search. */
    void answered(DiscoveryInformation now) {
        answersSearches = true;
        found(now);
    }

    /** It is where a name led, or was sent to. */
    void found(DiscoveryInformation now) {
        info = now;
        present = true;
    }

    /** Whether it is a recording. */
    boolean isFile() {
        return info.recording().isPresent();
    }

    /** Whether it answered the last search. */
    public boolean present() {
        return present;
    }

    /** What it said of itself. */
    public DiscoveryInformation info() {
        return info;
    }

    /** What to call it where people read. */
    public String label() {
        if (!configured.isEmpty()) {
            return configured;
        }
        return info.userName().isEmpty() ? info.model() + " " + info.serialNumber() : info.userName();
    }

    /** The parameters for opening that were set. */
    public Map<String, String> parameters() {
        synchronized (parameters) {
            return new LinkedHashMap<>(parameters);
        }
    }

    /**
     * Sets a parameter for the next opening.
     *
     * @param value empty text for the default
     * @throws HttpProblem if there is none of that name, or the value is not one
     */
    public void setParameter(String name, String value) {
        OpenParameter parameter = value.isEmpty() ? named(name) : check(name, value);
        synchronized (parameters) {
            if (value.isEmpty()) {
                parameters.remove(parameter.name());
            } else {
                parameters.put(parameter.name(), value);
            }
        }
    }

    /**
     * A parameter for opening whose value is one.
     *
     * @throws HttpProblem if there is none of that name, or the value is not one
     */
    public static OpenParameter check(String name, String value) {
        OpenParameter parameter = named(name);
        try {
            parameter.check(value);
        } catch (DeviceException | IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
        return parameter;
    }

    private static OpenParameter named(String name) {
        try {
            return OpenParameter.named(name);
        } catch (DeviceException | IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** The name that it is configured with, or empty text. */
    public String configured() {
        return configured;
    }

    /** It is configured with a name, and has the parameters of the configuration. */
    void configured(String name, Map<String, String> stored) {
        configured = name;
        synchronized (parameters) {
            parameters.clear();
            parameters.putAll(stored);
        }
    }

    /** It is configured no longer; its parameters stay. */
    void forget() {
        configured = "";
    }

    /** The camera if it is open. */
    public Optional<OpenCamera> opened() {
        return Optional.ofNullable(opened);
    }

    /** Opens it, one caller at a time; the others get what the first opened. */
    OpenCamera open(Supplier<OpenCamera> opener) {
        synchronized (opening) {
            OpenCamera now = opened;
            if (now == null) {
                now = opener.get();
                opened = now;
            }
            return now;
        }
    }

    void close() {
        synchronized (opening) {
            OpenCamera closing = opened;
            opened = null;
            if (closing != null) {
                closing.close();
            }
        }
    }
}
