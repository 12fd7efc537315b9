package io.peregrine.gvsp;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.testing.Needs;

class MmsgExternalFlowsTest extends ExternalFlowsContract {
    @Override
    PacketReceiver open(GvspSettings settings, StreamCounters counters) {
        try {
            return PacketReceivers.open(PacketReceiverKind.MMSG, settings, counters);
        } catch (StreamException e) {
            throw Needs.missing("the receiver MMSG: " + e.getMessage());
        }
    }
}
