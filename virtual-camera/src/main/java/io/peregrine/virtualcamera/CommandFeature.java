package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Something that the device does. */
final class CommandFeature extends DeviceFeature<CommandFeature> {
    CommandFeature(String name, Runnable action) {
        super(name);
        Objects.requireNonNull(action, "action");
        sets((index, value) -> {
            if (value.getInt(0) == 1) {
                value.putInt(0, 0);
                action.run();
            }
        });
    }

    @Override
    CommandFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return Integer.BYTES;
    }

    @Override
    void initial(ByteBuffer value) {}

    @Override
    void check(ByteBuffer value) throws RegisterException {
        require(value.getInt(0) == 0 || value.getInt(0) == 1);
    }

    @Override
    boolean live() {
        return true;
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("Command", name(), toolTip())
                .element("pValue", NodeWriter.register(name()))
                .element("CommandValue", "1")
                .end("Command");
        integerRegister(writer, address, "Unsigned");
    }
}
