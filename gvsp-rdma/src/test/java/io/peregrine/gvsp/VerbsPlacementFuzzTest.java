package io.peregrine.gvsp;

import static io.peregrine.gvsp.PlacedBlocks.FLOW_BYTES;
import static io.peregrine.gvsp.PlacedBlocks.PACKETS;
import static io.peregrine.gvsp.PlacedBlocks.PACKET_BYTES;
import static io.peregrine.gvsp.PlacedBlocks.block;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.gvsp.PlacedBlocks.Kind;
import io.peregrine.nativeio.Libc;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Hostile packets never let an adapter write outside of a flow, and never stop the receiver. */
class VerbsPlacementFuzzTest {
    @BeforeEach
    void needs() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    /** The kind; then each step: what, which block, how many bytes, the bytes. */
    @FuzzTest(maxDuration = "60s")
    void hostilePackets(byte[] script) throws Exception {
        ByteBuffer steps = ByteBuffer.wrap(script);
        Kind kind = Kind.values()[steps.hasRemaining() ? Byte.toUnsignedInt(steps.get()) % Kind.values().length : 0];
        try (VerbsRig rig =
                new VerbsRig(12 + script.length % 30, 6, PACKET_BYTES, set -> {}, FLOW_BYTES[0], FLOW_BYTES[1])) {
            for (long block = 1; block <= 3; block++) {
                block(kind, block).forEach(rig::send);
                rig.receive(1000);
                rig.release();
            }
            while (steps.remaining() >= 3) {
                int what = steps.get() & 7;
                long block = 4L + (steps.get() & 3);
                int value = Byte.toUnsignedInt(steps.get());
                byte[] bytes = new byte[Math.min(value, steps.remaining())];
                List<ByteBuffer> packets = block(kind, block);
                ByteBuffer packet = packets.get(value % packets.size());
                switch (what) {
                    case 0, 1 -> rig.send(packet);
                    case 2 -> {
                        steps.get(bytes);
                        rig.queue.arrive(bytes);
                    }
                    case 3 -> {
                        // Wrong places, sizes and flags in the headers.
                        steps.get(bytes, 0, Math.min(bytes.length, 8));
                        for (int i = 0; i + 1 < Math.min(bytes.length, 8); i += 2) {
                            packet.put(Byte.toUnsignedInt(bytes[i]) % packet.limit(), bytes[i + 1]);
                        }
                        rig.send(packet);
                    }
                    case 4 -> {
                        steps.get(bytes);
                        rig.send(PACKETS.packet(0, 0, value & 15, block, value % 16, bytes));
                    }
                    case 5 -> rig.receive(value * 1_000_000L);
                    case 6 -> rig.release();
                    default -> rig.recall();
                }
            }
            rig.receive(1000);
        }
    }
}
