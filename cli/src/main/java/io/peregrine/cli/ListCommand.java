package io.peregrine.cli;

import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.Json;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the cameras that answer. */
@Command(
        name = "list",
        description = "Lists the cameras that answer. Exit code 3 when none does.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    private static final String ROW = "%-21s %-24s %-24s %-16s %-16s %-17s %s";

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        List<DiscoveryInformation> found = finder.findAll();
        if (output.json()) {
            output.print(Output.parseArray(Json.of(found)));
        }
        if (found.isEmpty()) {
            output.say(finder.noAnswer());
        } else if (!output.json()) {
            output.print(String.format(
                    Locale.ROOT, ROW, "ADDRESS", "VENDOR", "MODEL", "SERIAL", "USER NAME", "MAC", "INTERFACE"));
            for (DiscoveryInformation device : found) {
                output.print(String.format(
                        Locale.ROOT,
                        ROW,
                        device.address().getHostAddress() + ":" + device.port(),
                        device.vendor(),
                        device.model(),
                        device.serialNumber(),
                        device.userName(),
                        device.macAddress(),
                        device.interfaceName() + (device.foreignSubnet() ? " (foreign subnet)" : "")));
            }
        }
        return found.isEmpty() ? ExitCodes.NOT_FOUND : ExitCodes.OK;
    }
}
