package io.peregrine.device;

import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.engine.Failures;

/** Starts and ends the acquisition of a device by its features. */
final class AcquisitionCommands {
    private final DeviceContext device;
    private final CameraConnection connection;

    AcquisitionCommands(DeviceContext device, CameraConnection connection) {
        this.device = device;
        this.connection = connection;
    }

    /**
     * Starts it.
     *
     * @param locked what is done when the device no longer takes changes, before it starts
     */
    void begin(Runnable locked) {
        NodeMap nodes = device.nodes();
        if (NodeAccess.writable(nodes, "TLParamsLocked")) {
            nodes.integer("TLParamsLocked").set(1);
        }
        locked.run();
        nodes.command("AcquisitionStart").execute();
    }

    /** Ends it at once where the device supports that. */
    void abort() {
        end(NodeAccess.writable(device.nodes(), "AcquisitionAbort") ? "AcquisitionAbort" : "AcquisitionStop");
    }

    /** Ends it by a command, if this application controls a device that is there. */
    void end(String command) {
        if (!connection.alive() || device.parameters().monitors()) {
            return;
        }
        NodeMap nodes = device.nodes();
        Failures failures = new Failures();
        failures.attempt(() -> nodes.command(command).execute());
        if (NodeAccess.writable(nodes, "TLParamsLocked")) {
            failures.attempt(() -> nodes.integer("TLParamsLocked").set(0));
        }
        failures.throwIfAny();
    }
}
