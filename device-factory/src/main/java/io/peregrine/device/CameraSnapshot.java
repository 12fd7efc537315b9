package io.peregrine.device;

import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.Settings;
import io.peregrine.recording.Camera;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a recording keeps of a device: its description, its settings, and the registers that were read to know the
 * values of all features, so that the same description over these registers gives the same values.
 */
final class CameraSnapshot {
    private static final System.Logger LOGGER = System.getLogger(CameraSnapshot.class.getName());

    private CameraSnapshot() {}

    static Camera of(DeviceContext device, byte[] xml, Port port) {
        RegisterImage registers = new RegisterImage();
        NodeMap nodes = device.nodes().description().nodeMap(new Tap(port, registers));
        Settings settings = Settings.save(nodes);
        nodes.invalidateAll();
        for (Node node : nodes.nodes()) {
            look(node);
        }
        byte[] known = registers.toBytes();
        return new Camera(
                device.info().properties(),
                settings.toText(),
                known.length == 0 ? Optional.empty() : Optional.of(known),
                Optional.of(xml.clone()));
    }

    private static void look(Node node) {
        try {
            if (!(node instanceof CategoryNode) && !(node instanceof CommandNode) && node.readable()) {
                node.valueAsText();
            }
        } catch (GenApiException | DeviceAccessDeniedException | DeviceTimeoutException e) {
            // A feature that cannot be read now cannot be read from the recording either.
            LOGGER.log(System.Logger.Level.DEBUG, "Not recorded: " + node.name(), e);
        }
    }

    /** Notes what passes. */
    private record Tap(Port device, RegisterImage registers) implements Port {
        @Override
        public void read(long address, ByteBuffer destination) {
            ByteBuffer read = destination.duplicate();
            device.read(address, destination);
            registers.write(address, read);
        }

        @Override
        public void write(long address, ByteBuffer source) {
            ByteBuffer written = source.duplicate();
            device.write(address, source);
            registers.write(address, written);
        }

        @Override
        public RuntimeException failure(String message, RuntimeException cause) {
            return device.failure(message, cause);
        }

        @Override
        public AccessMode accessMode() {
            return device.accessMode();
        }
    }
}
