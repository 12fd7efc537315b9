package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.peregrine.device.Action;
import io.peregrine.device.Actions;
import io.peregrine.device.Device;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends an action to cameras. */
@Command(
        name = "action",
        description =
                "Sends an action once, to cameras that are named or by broadcast to interfaces that are named, and"
                        + " prints who answered and how. Cameras that it is not meant for, and those without a"
                        + " controller unless they act unconditionally, keep silent. Numbers may be hexadecimal"
                        + " (0x...). Exit code 1 when no camera answered, or a camera will not act.",
        mixinStandardHelpOptions = true)
final class ActionCommand implements Callable<Integer> {
    private static final Duration MAX_WINDOW = Duration.ofHours(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Parameters(
            arity = "0..*",
            paramLabel = "CAMERA",
            description = "Address, serial number, user-defined name, MAC address or token")
    private List<String> cameras = new ArrayList<>();

    @Option(
            names = "--broadcast",
            paramLabel = "IF",
            split = ",",
            description = "Send to the subnet of this interface of the host, by name or address")
    private List<String> broadcast = new ArrayList<>();

    @Option(names = "--device-key", paramLabel = "KEY", defaultValue = "0", description = "Device key; 0 by default")
    private String deviceKey;

    @Option(names = "--group-key", paramLabel = "KEY", defaultValue = "0", description = "Group key; 0 by default")
    private String groupKey;

    @Option(
            names = "--group-mask",
            paramLabel = "MASK",
            defaultValue = "0xFFFFFFFF",
            description = "Group mask; all bits by default")
    private String groupMask;

    @Option(
            names = "--at",
            paramLabel = "TICKS",
            description = "Act when the clocks of the cameras have this time, in ticks (ns by IEEE 1588)")
    private Optional<String> at = Optional.empty();

    @Option(
            names = "--in",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description =
                    "Act that much later than now, by the clock of the first CAMERA, which no application may control"
                            + " and which must act unconditionally")
    private Optional<Duration> in = Optional.empty();

    @Option(
            names = "--window",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "0.5",
            description = "How long to wait for answers, 0.5 s by default; 0 asks for none")
    private Duration window;

    @Override
    public Integer call() {
        if (cameras.isEmpty() == broadcast.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Name either cameras or, with --broadcast, interfaces");
        }
        if (at.isPresent() && in.isPresent()) {
            throw new ParameterException(spec.commandLine(), "Give one of --at and --in");
        }
        if (in.isPresent() && cameras.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--in needs a camera to ask for its time");
        }
        if (window.compareTo(MAX_WINDOW) > 0) {
            throw new ParameterException(spec.commandLine(), "--window is 0 to 3600 seconds");
        }
        Devices factory = finder.factory();
        List<DiscoveryInformation> targets = cameras.stream().map(factory::find).toList();
        Action action = Action.of(word(deviceKey), word(groupKey), word(groupMask));
        if (at.isPresent()) {
            action = action.at(number(at.get()));
        } else if (in.isPresent()) {
            action = action.at(timeOf(factory, targets.get(0), in.get()));
        }
        List<Actions.Answer> answers = targets.isEmpty()
                ? factory.actions().broadcast(action, broadcast, window, 0)
                : factory.actions().send(action, targets, window);
        print(answers);
        boolean done =
                window.isZero() || (!answers.isEmpty() && answers.stream().allMatch(Actions.Answer::accepted));
        return done ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static long timeOf(Devices factory, DiscoveryInformation info, Duration later) {
        try (Device device = factory.open(info)) {
            return device.clock().latch() + device.clock().rate().toTicks(later.toNanos());
        }
    }

    private long number(String text) {
        try {
            return text.startsWith("0x") || text.startsWith("0X")
                    ? Long.parseUnsignedLong(text.substring(2), 16)
                    : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), "'" + text + "' is not a number", e);
        }
    }

    private int word(String text) {
        long number = number(text);
        if (number >>> 32 != 0) {
            throw new ParameterException(spec.commandLine(), "'" + text + "' has more than 32 bits");
        }
        return (int) number;
    }

    private void print(List<Actions.Answer> answers) {
        if (output.json()) {
            ArrayNode array = Output.array();
            for (Actions.Answer answer : answers) {
                array.addObject()
                        .put("camera", name(answer))
                        .put("status", answer.status())
                        .put("accepted", answer.accepted())
                        .put("late", answer.late());
            }
            output.print(array);
        } else {
            for (Actions.Answer answer : answers) {
                output.print(name(answer) + "  " + answer.status() + ", " + answer.description());
            }
        }
        if (answers.isEmpty() && !window.isZero()) {
            output.say("no camera answered");
        }
    }

    private static String name(Actions.Answer answer) {
        return answer.camera().getAddress().getHostAddress() + ":"
                + answer.camera().getPort();
    }
}
