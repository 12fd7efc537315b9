package io.peregrine.cli;

import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the cameras that answer. */
@Command(
        name = "list",
        description = "Lists the cameras that answer. Exit code 3 when none does.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    private static final String ROW = "%-21s %-24s %-24s %-16s %-16s %-17s %s%n";

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        List<DiscoveryInformation> found = finder.findAll();
        if (output.json()) {
            output.print(Json.of(found));
        }
        if (found.isEmpty()) {
            output.say("no camera answered");
        } else if (!output.json()) {
            output.out().printf(ROW, "ADDRESS", "VENDOR", "MODEL", "SERIAL", "USER NAME", "MAC", "INTERFACE");
            for (DiscoveryInformation device : found) {
                output.out()
                        .printf(
                                ROW,
                                device.address().getHostAddress() + ":" + device.port(),
                                device.vendor(),
                                device.model(),
                                device.serialNumber(),
                                device.userName(),
                                device.macAddress(),
                                device.interfaceName() + (device.foreignSubnet() ? " (foreign subnet)" : ""));
            }
        }
        output.out().flush();
        return found.isEmpty() ? ExitCodes.NOT_FOUND : ExitCodes.OK;
    }
}
