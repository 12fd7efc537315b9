package io.peregrine.cli;

import io.peregrine.distribution.DistributionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Receives frames that another program publishes. */
@Command(
        name = "subscribe",
        description =
                "Receives frames that another program publishes: 'peregrine stream aeron:NAME', on a route that is"
                        + " given here. Takes the options of 'peregrine stream' after --.",
        mixinStandardHelpOptions = true)
final class SubscribeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the stream")
    private String name;

    @Parameters(
            index = "1..*",
            paramLabel = "OPTION",
            description = "Options of 'peregrine stream', after --: -- --frames 0 --save DIR")
    private List<String> options = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "ROUTE",
            description = "Route that the publisher was given; those of distribution.properties by default")
    private Optional<String> route = Optional.empty();

    @Option(
            names = "--must-have",
            description = "Let the publisher wait for this consumer, instead of dropping frames here when it is slow")
    private boolean mustHave;

    @Override
    public Integer call() {
        route.ifPresent(text -> System.setProperty(DistributionSettings.ROUTES, text));
        if (mustHave) {
            System.setProperty(DistributionSettings.SLOW, "wait");
        }
        List<String> arguments = new ArrayList<>(List.of("stream", "aeron:" + name));
        if (output.json()) {
            arguments.add("--json");
        }
        arguments.addAll(options);
        return ((PeregrineMain) spec.root().userObject()).runInstead(arguments.toArray(String[]::new));
    }
}
