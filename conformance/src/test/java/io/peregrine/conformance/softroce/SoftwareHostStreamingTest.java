package io.peregrine.conformance.softroce;

import io.peregrine.conformance.RdmaFramesContract;
import java.util.List;

/** A camera with the kernel's Soft-RoCE streams to a host with RoCEv2 in software. */
@InsideSoftRoce
class SoftwareHostStreamingTest extends RdmaFramesContract {
    @Override
    protected End camera() {
        return new End(List.of(), "10.40.0.1", "verbs");
    }

    @Override
    protected End host() {
        return new End(List.of("ip", "netns", "exec", "cam"), "10.40.0.2", "software");
    }

    @Override
    protected int rate() {
        return 20;
    }
}
