package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads features. */
@Command(name = "get", description = "Reads features of a camera, in the order given.", mixinStandardHelpOptions = true)
final class GetCommand implements Runnable {
    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Option(names = "--node-map", defaultValue = "Device", description = "Device (default), TLDevice or TLDatastream")
    private String nodeMap;

    @Parameters(index = "0", paramLabel = "CAMERA", description = "Address, serial number, user name or token")
    private String camera;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FEATURE", description = "Names of features")
    private List<String> features;

    @Override
    public void run() {
        DiscoveryInformation info = finder.find(camera).setParameter("AccessMode", "ReadOnly");
        try (Device device = finder.factory().openDevice(info)) {
            ObjectNode object = Output.object();
            for (String feature : features) {
                String value = device.nodeMap(nodeMap).node(feature).valueAsText();
                object.put(feature, value);
                if (!output.json()) {
                    output.print(features.size() == 1 ? value : feature + "=" + value);
                }
            }
            if (output.json()) {
                output.print(object);
            }
        }
    }
}
