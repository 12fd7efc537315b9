package io.peregrine.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceEvent;
import io.peregrine.device.DeviceEvents;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the events of a camera. */
@Command(
        name = "events",
        description = "Prints the events of a camera with the values of their features, one in a line. Exit code 1 when"
                + " fewer come than asked for.",
        mixinStandardHelpOptions = true)
final class EventsCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec;

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Reconnection reconnection;

    @Mixin
    private Output output;

    @Parameters(
            index = "1..*",
            paramLabel = "EVENT",
            description = "Events to print, entries of EventSelector, for example ExposureEnd; all by default. They are"
                    + " switched on meanwhile")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many events to wait for; 0 (the default) until ended")
    private long count;

    @Option(
            names = "--event-timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "5",
            description = "Longest wait for one event when --count is given; 5 s by default. The time without a lost"
                    + " camera does not count")
    private Duration timeout;

    @Option(names = "--stream", description = "Receive frames meanwhile, and drop them, so that the camera has events")
    private boolean withStream;

    @Option(
            names = "--execute",
            paramLabel = "COMMAND",
            description = "Command feature to execute once events are listened for, for example TestEventGenerate")
    private List<String> commands = new ArrayList<>();

    private record Told(DeviceEvent event, Map<String, JsonNode> values) {}

    @Override
    public Integer call() {
        if (count < 0) {
            throw new ParameterException(spec.commandLine(), "--count cannot be negative");
        }
        DiscoveryInformation info = camera.find();
        reconnection.prepare(info);
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = camera.open(info)) {
            reconnection.watch(device, output);
            DeviceEvents events = device.events();
            BlockingQueue<Told> heard = new LinkedBlockingQueue<>();
            Consumer<DeviceEvent> listener = event -> heard.add(new Told(event, values(event)));
            if (names.isEmpty()) {
                events.onEvent(listener);
            }
            names.stream().distinct().forEach(name -> events.onEvent(name, listener));
            List<Registration> enabled = new ArrayList<>();
            long come;
            try {
                for (String name : names.isEmpty() ? events.names() : names) {
                    enabled.add(events.enable(name));
                }
                come = listen(device, heard, untilEnded);
            } finally {
                putBack(device, enabled);
            }
            if (lost(device)) {
                throw new CliException(ExitCodes.CONNECTION, "the camera is lost");
            }
            DeviceEvents.Statistics statistics = events.statistics();
            if (!output.json()) {
                output.print(come + " events, " + statistics.repetitions() + " repeated, " + statistics.dropped()
                        + " dropped");
            }
            if (come < count && !untilEnded.ended()) {
                throw new CliException(ExitCodes.FAILED, "no event came for " + Seconds.text(timeout));
            }
            return come < count ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    /** Leaves the camera as it was found, unless it is gone: it then forgets its settings by itself. */
    private void putBack(Device device, List<Registration> enabled) {
        Collections.reverse(enabled);
        for (Registration one : enabled) {
            try {
                one.close();
            } catch (RuntimeException e) {
                if (device.connection().state() == Connection.State.CONNECTED) {
                    output.say("EventNotification is not as it was: " + Messages.of(e));
                }
            }
        }
    }

    private long listen(Device device, BlockingQueue<Told> heard, UntilEnded untilEnded) {
        if (!withStream) {
            return listen(device, heard, untilEnded, Optional.empty());
        }
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            return listen(device, heard, untilEnded, Optional.of(stream));
        }
    }

    /** Executes the commands, prints what comes, and keeps the stream flowing; gives how many came. */
    private long listen(
            Device device, BlockingQueue<Told> heard, UntilEnded untilEnded, Optional<CompositeStream> stream) {
        commands.forEach(command -> device.nodes().command(command).execute());
        long come = 0;
        long last = System.nanoTime();
        while (!untilEnded.ended() && (count == 0 || come < count)) {
            Optional<Told> told = next(heard, stream);
            if (told.isPresent()) {
                print(told.get());
                come++;
                last = System.nanoTime();
            } else if (device.connection().state() == Connection.State.RECONNECTING) {
                last = System.nanoTime();
            } else if ((count > 0 || lost(device)) && System.nanoTime() - last > timeout.toNanos()) {
                break;
            }
        }
        return come;
    }

    /** Lost for good, unless it stays so for a moment only. */
    private static boolean lost(Device device) {
        return device.connection().state() == Connection.State.LOST;
    }

    private static Optional<Told> next(BlockingQueue<Told> heard, Optional<CompositeStream> stream) {
        if (stream.isPresent()) {
            Told told = heard.poll();
            if (told == null && stream.get().waitFor(POLL) instanceof WaitResult.Ok ok) {
                ok.composite().close();
            }
            return Optional.ofNullable(told);
        }
        try {
            return Optional.ofNullable(heard.poll(POLL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Map<String, JsonNode> values(DeviceEvent event) {
        Map<String, JsonNode> values = new LinkedHashMap<>();
        for (Node feature : event.features()) {
            try {
                values.put(
                        feature.name(),
                        output.json() ? FeatureValue.of(feature) : TextNode.valueOf(feature.valueAsText()));
            } catch (GenApiException | DeviceException e) {
                values.put(feature.name(), TextNode.valueOf("error: " + e.getMessage()));
            }
        }
        return values;
    }

    private void print(Told told) {
        DeviceEvent event = told.event;
        String name = event.name().orElse(String.format(Locale.ROOT, "0x%04X", event.id()));
        byte[] data = new byte[event.data().remaining()];
        event.data().duplicate().get(data);
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("event", name).put("id", event.id());
            event.streamChannel().ifPresent(channel -> object.put("streamChannel", channel));
            object.set("blockId", Output.unsigned(event.blockId()));
            object.set("timestampTicks", Output.unsigned(event.timestampTicks()));
            object.put("data", HexFormat.of().formatHex(data));
            object.putObject("features").setAll(told.values);
            output.printLine(object);
        } else {
            StringBuilder line = new StringBuilder(name)
                    .append("  block ")
                    .append(Long.toUnsignedString(event.blockId()))
                    .append("  at ")
                    .append(event.timestampTicks());
            told.values.forEach((feature, value) ->
                    line.append("  ").append(feature).append('=').append(value.asText()));
            output.print(line.toString());
        }
    }
}
