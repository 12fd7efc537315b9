package io.peregrine.cli;

import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The camera that a command is about, and the options that say where it is looked for. */
final class NamedCamera {
    @Mixin
    private CameraFinder finder;

    @Parameters(
            index = "0",
            paramLabel = "CAMERA",
            description = "Address, serial number, user-defined name, MAC address or token")
    private String name;

    String name() {
        return name;
    }

    CameraFinder finder() {
        return finder;
    }

    DiscoveryInformation find() {
        return finder.find(name);
    }

    Device open(DiscoveryInformation info) {
        return finder.factory().open(info);
    }

    /** Opens it without preparing for frames. */
    Device open() {
        return open(find().setParameter("WarmUpFrames", "0"));
    }

    /** The same, beside the application that controls it. */
    Device openReadOnly() {
        return open(find().setParameter("AccessMode", "ReadOnly").setParameter("WarmUpFrames", "0"));
    }
}
