package io.peregrine.conformance;

import java.util.List;

/** RoCEv2 in software at both ends, over loopback. */
class SoftwareRdmaStreamingTest extends RdmaStreamingContract {
    @Override
    protected End camera() {
        return new End(List.of(), "127.183.1.1", "software");
    }

    @Override
    protected End host() {
        return new End(List.of(), "127.183.1.2", "software");
    }

    @Override
    protected End intruder() {
        return new End(List.of(), "127.183.1.3", "software");
    }

    @Override
    protected int frames() {
        return 1000;
    }
}
