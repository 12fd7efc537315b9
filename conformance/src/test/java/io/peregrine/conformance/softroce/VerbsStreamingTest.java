package io.peregrine.conformance.softroce;

import io.peregrine.conformance.RdmaStreamingContract;
import java.util.List;

/** The kernel's Soft-RoCE at both ends, on two devices of the machine. */
@InsideSoftRoce
class VerbsStreamingTest extends RdmaStreamingContract {
    @Override
    protected End camera() {
        return new End(List.of(), "10.10.0.1", "verbs");
    }

    @Override
    protected End host() {
        return new End(List.of(), "10.20.0.1", "verbs");
    }

    @Override
    protected int rate() {
        return 20;
    }
}
