package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;

/** Data of a packet that lies elsewhere than after its headers. */
public interface SeparateData {
    /** Lies where it belongs, wherever that is. */
    SeparateData IN_PLACE = new SeparateData() {
        @Override
        public boolean liesIn(FlowSet set, int flow, long offset, int lengthBytes) {
            return true;
        }

        @Override
        public void join() {
            // It need not move.
        }
    };

    /**
     * Whether it lies there.
     *
     * @param set flow set
     * @param flow flow of it
     * @param offset where the data begins
     * @param lengthBytes bytes of data
     */
    boolean liesIn(FlowSet set, int flow, long offset, int lengthBytes);

    /** Puts it after the headers, unless that was done. */
    void join();
}
