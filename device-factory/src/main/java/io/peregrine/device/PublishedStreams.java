package io.peregrine.device;

import io.peregrine.device.spi.PublishedStream;
import io.peregrine.device.spi.StreamProvider;
import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.gvcp.MacAddress;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds streams that other programs publish, as discovery finds devices in the network. */
final class PublishedStreams {
    private static final System.Logger LOGGER = System.getLogger(PublishedStreams.class.getName());

    private PublishedStreams() {}

    private static Iterable<StreamProvider> providers() {
        return ServiceLoader.load(StreamProvider.class, PublishedStreams.class.getClassLoader());
    }

    /** All that is published where the settings of the providers look. A provider that cannot look is skipped. */
    static List<DiscoveryInformation> find() {
        List<DiscoveryInformation> found = new ArrayList<>();
        for (StreamProvider provider : providers()) {
            try {
                provider.discover().stream().map(PublishedStreams::information).forEach(found::add);
            } catch (RuntimeException e) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "No streams are looked for by " + provider.scheme() + ": " + e.getMessage(),
                        e);
            }
        }
        return found;
    }

    /**
     * The stream that an access token means.
     *
     * @return empty when the token is of no provider
     * @throws DeviceNotFoundException if nothing of this name is published
     */
    static Optional<DiscoveryInformation> ofToken(String token) {
        int colon = token.indexOf(':');
        for (StreamProvider provider : providers()) {
            if (colon > 0 && provider.scheme().equals(token.substring(0, colon))) {
                return Optional.of(named(provider, token.substring(colon + 1)));
            }
        }
        return Optional.empty();
    }

    private static DiscoveryInformation named(StreamProvider provider, String name) {
        List<PublishedStream> found;
        try {
            found = provider.find(name);
        } catch (RuntimeException e) {
            throw new DeviceException("The stream '" + name + "' cannot be looked for: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new DeviceNotFoundException("No stream '" + name + "' is published where this host looks: check its"
                    + " name, that its publisher runs, and that a firewall lets UDP pass");
        }
        if (found.size() > 1) {
            throw new DeviceException("Several streams are named '" + name + "': open one of "
                    + found.stream().map(PublishedStream::accessToken).toList());
        }
        return information(found.get(0));
    }

    static DiscoveryInformation information(PublishedStream stream) {
        InetAddress none = LocalInterface.ipv4("0.0.0.0");
        String userName = property(stream, "DeviceUsername", "");
        DiscoveredDevice device = new DiscoveredDevice(
                none,
                0,
                new MacAddress(0),
                none,
                none,
                property(stream, "DeviceVendor", ""),
                property(stream, "DeviceModel", "Stream"),
                property(stream, "DeviceVersion", ""),
                property(stream, "DeviceManufacturerInfo", ""),
                property(stream, "DeviceSerialNumber", ""),
                userName.isEmpty() ? stream.name() : userName,
                0,
                0,
                stream.route(),
                none,
                false);
        return new DiscoveryInformation(device, stream);
    }

    private static String property(PublishedStream stream, String name, String otherwise) {
        String value = stream.properties().getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
