package io.peregrine.gvsp;

import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.verbs.VerbsDoubleKnobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Over the double of libibverbs, which writes where receives say. */
@Tag("verbs-double")
class VerbsExternalFlowsTest extends ExternalFlowsContract {
    private VerbsDoubleKnobs knobs;

    @BeforeEach
    void compile() {
        knobs = new VerbsDoubleKnobs();
    }

    @AfterEach
    void close() {
        if (knobs != null) {
            knobs.close();
        }
    }

    @Override
    PacketReceiver open(GvspSettings settings, StreamCounters counters) {
        return VerbsPacketReceiver.open(settings, counters, VerbsDoubleKnobs.provider())
                .waiting(settings.waiting());
    }
}
