package io.peregrine.device;

import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;

/** A device that is only read: what is written stays here, and is read back from here. */
final class WithheldWrites implements Port {
    private final Port device;
    private final RegisterImage written = new RegisterImage();

    WithheldWrites(Port device) {
        this.device = device;
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        ByteBuffer read = destination.duplicate();
        device.read(address, destination);
        written.patch(address, read);
    }

    @Override
    public void write(long address, ByteBuffer source) {
        written.write(address, source);
    }
}
