package io.peregrine.genapi;

import java.nio.ByteBuffer;

/** An event port: its registers lie in the data of the last event of its id (R24). */
final class EventPortNode extends AbstractPort {
    private ByteBuffer data = ByteBuffer.allocate(0);
    private boolean delivered;

    EventPortNode(NodeContext context, Element element, String name) {
        super(context, element, name);
    }

    void deliver(ByteBuffer event) {
        data = ByteBuffer.allocate(event.remaining()).put(event.duplicate()).flip();
        delivered = true;
    }

    /** Until its first event there is nothing behind the port, as behind one that is not connected. */
    @Override
    AccessMode ownAccess() {
        return delivered ? AccessMode.RO : AccessMode.NI;
    }

    @Override
    boolean awaitsEvent() {
        return !delivered;
    }

    @Override
    void readBytes(long address, ByteBuffer destination) {
        int length = destination.remaining();
        long first = address < 0 ? address + data.limit() : address;
        if (first < 0 || first > (long) data.limit() - length) {
            throw new GenApiAccessException("The event of port " + name + " has " + data.limit()
                    + " bytes: there are no " + length + " bytes at " + address);
        }
        destination.put(data.array(), (int) first, length);
    }

    @Override
    void writeBytes(long address, ByteBuffer source) {
        throw new GenApiAccessException("The event of port " + name + " is past: it cannot be written");
    }

    @Override
    boolean caches() {
        return false;
    }
}
