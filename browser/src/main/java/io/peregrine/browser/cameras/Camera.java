package io.peregrine.browser.cameras;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenParameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A camera that was found, open or not. Safe for use by several threads. */
public final class Camera {
    private final String id;
    private final String key;
    /** Held while it is opened or closed, which can take long. */
    private final Object opening = new Object();

    private final Map<String, String> parameters = new LinkedHashMap<>();
    private volatile DiscoveryInformation info;
    private volatile boolean present = true;
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

    /** It did not answer the search that begins now, yet. */
    void missing() {
        present = false;
    }

    /** It answered. */
    void found(DiscoveryInformation now) {
        info = now;
        present = true;
    }

    /** Whether it answered the last search. */
    public boolean present() {
        return present;
    }

    /** What it said of itself. */
    public DiscoveryInformation info() {
        return info;
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
        OpenParameter parameter;
        try {
            parameter = OpenParameter.named(name);
            if (!value.isEmpty()) {
                parameter.check(value);
            }
        } catch (DeviceException | IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
        synchronized (parameters) {
            if (value.isEmpty()) {
                parameters.remove(parameter.name());
            } else {
                parameters.put(parameter.name(), value);
            }
        }
    }

    /** The camera if it is open. */
    public Optional<OpenCamera> opened() {
        return Optional.ofNullable(opened);
    }

    /** Opens it, one caller at a time; the others get what the first opened. */
    OpenCamera open(Function<Map<String, String>, OpenCamera> opener) {
        synchronized (opening) {
            OpenCamera now = opened;
            if (now == null) {
                now = opener.apply(parameters());
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
