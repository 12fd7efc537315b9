package io.peregrine.device;

import io.peregrine.gvcp.MacAddress;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an open device holds of its camera and of this host: the control channel, receivers, threads. It knows nothing
 * of the device, so that it can release all of that when the device is no longer reachable and was never closed.
 *
 * <p>That works only as long as nothing here, and no thread of the library, leads back to the device: threads know it
 * by weak references, and for no longer than a turn.
 */
final class Holdings {
    private static final System.Logger LOGGER = System.getLogger(Holdings.class.getName());
    private static final Cleaner CLEANER = Cleaner.create();

    private final String name;
    private final MacAddress mac;
    private final boolean control;
    private final OpenedAt openedAt;
    private final Map<String, AutoCloseable> held = new LinkedHashMap<>();
    private boolean released;

    /**
     * Holds nothing yet.
     *
     * @param control whether the device is under control, and not only read
     */
    Holdings(DiscoveryInformation info, boolean control, OpenedAt openedAt) {
        name = (info.vendor() + " " + info.model() + " " + info.serialNumber()).strip() + " at "
                + info.address().getHostAddress();
        mac = info.device().mac();
        this.control = control;
        this.openedAt = openedAt;
    }

    /**
     * Releases everything as soon as something cannot be reached any longer.
     *
     * @param owner what every object leads to that users may have of the device
     */
    void releaseAfter(Object owner) {
        CLEANER.register(owner, this::forgotten);
    }

    /**
     * Holds something until it is released, instead of what was held in its place. What is held first is released last.
     */
    synchronized <T extends AutoCloseable> T put(String place, T resource) {
        held.put(place, resource);
        return resource;
    }

    /** The owner has closed everything by itself. */
    synchronized void settled() {
        released = true;
        held.clear();
    }

    /** Fails if everything was released before the device was open, which only the end of the program does. */
    synchronized void requireHeld() {
        if (released) {
            throw new DeviceException("The program ends while the device is being opened");
        }
    }

    private void forgotten() {
        if (release()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} was opened at {1}, then forgotten and never closed; it is released now: close devices, best by"
                            + " try-with-resources",
                    name,
                    openedAt);
        }
        OpenDevices.closed(this);
    }

    /** Closes everything that is held. False if that was done before. */
    boolean release() {
        List<AutoCloseable> closing;
        synchronized (this) {
            if (released) {
                return false;
            }
            closing = new ArrayList<>(held.values());
            settled();
        }
        Collections.reverse(closing);
        for (AutoCloseable resource : closing) {
            try {
                resource.close();
            } catch (Exception e) {
                LOGGER.log(System.Logger.Level.DEBUG, name + " could not be released in order", e);
            }
        }
        return true;
    }

    /** Whether this is what controls the device with a MAC address. */
    boolean controls(MacAddress device) {
        return control && mac.equals(device);
    }

    OpenedAt openedAt() {
        return openedAt;
    }

    @Override
    public String toString() {
        return name;
    }
}
