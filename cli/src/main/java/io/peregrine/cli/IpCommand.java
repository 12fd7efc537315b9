package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.AddressSettings;
import io.peregrine.device.AddressSettings.Method;
import io.peregrine.device.Device;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.discovery.AddressConfiguration;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Shows and changes the address of a camera. */
@Command(
        name = "ip",
        description = "Shows and changes the address of a camera, also of one on a foreign subnet."
                + " ADDRESS is written as 192.168.1.20/24, with a gateway as 192.168.1.20/24,192.168.1.1.",
        mixinStandardHelpOptions = true)
final class IpCommand implements Runnable {
    private static final Duration MOVE_LIMIT = Duration.ofSeconds(10);

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @ArgGroup
    private Move move = new Move();

    /** One way at most. */
    private static final class Move {
        @Option(names = "--suggest", description = "Print a free address that fits the interface, and change nothing")
        private boolean suggest;

        @Option(names = "--auto", description = "Give a camera on a foreign subnet a free address until it restarts")
        private boolean auto;

        @Option(
                names = "--force",
                paramLabel = "ADDRESS",
                converter = AddressConverter.class,
                description = "Give the camera this address until it restarts")
        private Optional<AddressConfiguration> force = Optional.empty();
    }

    @Option(
            names = "--persistent",
            paramLabel = "ADDRESS",
            converter = AddressConverter.class,
            description = "Let the camera keep this address, and use it")
    private Optional<AddressConfiguration> persistent = Optional.empty();

    @Option(
            names = "--methods",
            paramLabel = "METHOD",
            split = ",",
            description = "How the camera comes to its address: PERSISTENT, DHCP, LINK_LOCAL; those not named are off,"
                    + " but LINK_LOCAL")
    private List<Method> methods = List.of();

    @Option(names = "--name", paramLabel = "NAME", description = "Give the camera a name of up to 15 bytes")
    private Optional<String> name = Optional.empty();

    /** Reads {@link AddressConfiguration#parse}. */
    static final class AddressConverter implements ITypeConverter<AddressConfiguration> {
        @Override
        public AddressConfiguration convert(String value) {
            try {
                return AddressConfiguration.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    @Override
    public void run() {
        Devices factory = camera.finder().factory();
        DiscoveryInformation info = camera.finder().findAnywhere(camera.name());
        if (move.suggest) {
            print("suggested", factory.suggestAddress(info).toString());
            return;
        }
        if (move.force.isPresent()) {
            info = factory.forceAddress(info, move.force.get(), MOVE_LIMIT);
        } else if (move.auto) {
            info = factory.makeReachable(info);
        }
        if (info.foreignSubnet()) {
            print(
                    "state",
                    info.address().getHostAddress() + " is on a foreign subnet behind " + info.interfaceName()
                            + ": --auto gives it an address of the right one");
            return;
        }
        if (persistent.isEmpty() && methods.isEmpty() && name.isEmpty()) {
            info.setParameter("AccessMode", "ReadOnly");
        }
        try (Device device = factory.open(info)) {
            AddressSettings settings = device.network().addressSettings();
            name.ifPresent(settings::userName);
            persistent.ifPresent(settings::persistent);
            if (!methods.isEmpty()) {
                settings.enable(EnumSet.copyOf(methods));
            } else if (persistent.isPresent()) {
                Set<Method> enabled = EnumSet.of(Method.PERSISTENT);
                enabled.addAll(settings.enabled());
                settings.enable(enabled);
            }
            show(settings);
        }
    }

    private void print(String key, String value) {
        if (output.json()) {
            output.print(Output.object().put(key, value));
        } else {
            output.print(value);
        }
    }

    private void show(AddressSettings settings) {
        ObjectNode object = Output.object();
        object.put("current", settings.current().toString());
        object.put("persistent", settings.persistent().toString());
        ArrayNode enabled = object.putArray("enabled");
        settings.enabled().forEach(method -> enabled.add(method.name()));
        ArrayNode supported = object.putArray("supported");
        settings.supported().forEach(method -> supported.add(method.name()));
        object.put("userName", settings.userName());
        if (output.json()) {
            output.print(object);
        } else {
            object.properties()
                    .forEach(field -> output.print(String.format(
                            Locale.ROOT,
                            "%-10s  %s",
                            field.getKey(),
                            field.getValue().isArray()
                                    ? field.getValue().toString().replaceAll("[\\[\\]\"]", "")
                                    : field.getValue().asText())));
        }
    }
}
