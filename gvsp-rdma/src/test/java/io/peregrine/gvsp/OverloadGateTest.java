package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadGateTest {
    @Test
    void gateClosesWithTheFirstDropAndOpensWhenTheSocketIsEmpty() {
        OverloadGate gate = new OverloadGate();
        gate.emptied(7);
        assertTrue(gate.look(7));
        assertFalse(gate.look(8));
        assertFalse(gate.look(50));
        gate.emptied(100);
        assertTrue(gate.look(100));
    }

    @Test
    void overflowOfASocketThatIsEmptyNowClosesNothing() {
        OverloadGate gate = new OverloadGate();
        gate.emptied(0);
        gate.emptied(10);
        assertTrue(gate.look(10));
    }

    /** A kernel's buffer between a device that sends frames without a break and a host that handles one packet a tick. */
    private static final class Host {
        private static final int FRAME_PACKETS = 500;
        private static final int LOOK_EVERY = 64;

        private final ArrayDeque<Integer> buffer = new ArrayDeque<>();
        private final OverloadGate gate = new OverloadGate();
        private final boolean gated;
        private final int bufferPackets;
        private long drops;
        private int sent;
        private int handled;
        private int frame = -1;
        private int frameBegin;
        private int next;
        int wholeFrames;

        Host(boolean gated, int bufferPackets) {
            this.gated = gated;
            this.bufferPackets = bufferPackets;
        }

        void run(int ticks, int packetsPerTick) {
            for (int tick = 0; tick < ticks; tick++) {
                for (int i = 0; i < packetsPerTick; i++) {
                    if (gate.admitting() && buffer.size() < bufferPackets) {
                        buffer.add(sent);
                    } else {
                        drops++;
                    }
                    sent++;
                }
                handle();
            }
        }

        private void handle() {
            if (buffer.isEmpty()) {
                gate.emptied(drops);
                return;
            }
            int packet = buffer.remove();
            if (packet / FRAME_PACKETS != frame) {
                frame = packet / FRAME_PACKETS;
                frameBegin = frame * FRAME_PACKETS;
                next = frameBegin;
            }
            next = packet == next ? next + 1 : -1;
            if (next == frameBegin + FRAME_PACKETS) {
                wholeFrames++;
            }
            if (gated && ++handled % LOOK_EVERY == 0) {
                gate.look(drops);
            }
        }

        /** Packets of whole frames for each packet that could have been handled. */
        double goodput(int ticks) {
            return wholeFrames * (double) FRAME_PACKETS / ticks;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void goodputStaysNearCapacityWhateverIsOffered(int timesCapacity) {
        int ticks = 1_000_000;
        Host host = new Host(true, 4 * Host.FRAME_PACKETS);
        host.run(ticks, timesCapacity);
        assertTrue(host.goodput(ticks) > 0.8, "goodput " + host.goodput(ticks));
        Host without = new Host(false, 4 * Host.FRAME_PACKETS);
        without.run(ticks, timesCapacity);
        assertTrue(without.goodput(ticks) < 0.05, "without the gate " + without.goodput(ticks));
    }
}
