package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The memory of a stream that is registered with the transport: its flow sets, and the message that announces each. */
final class AnnouncedMemory implements AutoCloseable {
    private final RdmaTransport transport;
    private final FlowSetPool pool;
    private final FlowSet[] sets;
    private final MemoryRegion[][] regions;
    private final int announcementBytes;
    private final List<MemoryRegion> registered = new ArrayList<>();
    private MemoryRegion announcements;

    AnnouncedMemory(RdmaTransport transport, FlowSetPool pool, int announcementBytes) {
        this.transport = transport;
        this.pool = pool;
        this.announcementBytes = announcementBytes;
        sets = pool.flowSets().toArray(new FlowSet[0]);
        regions = new MemoryRegion[sets.length][pool.flowSizesBytes().length];
    }

    /** Registers all memory and writes all announcements, which never change. */
    void register(GvrspMapping mapping, RdmaMode mode) {
        if (mode == RdmaMode.SEND) {
            for (long size : pool.flowSizesBytes()) {
                if (size > Integer.MAX_VALUE) {
                    throw new RdmaException("A flow of " + size + " bytes does not fit one message, which has at most "
                            + Integer.MAX_VALUE + ": set RdmaMode=write");
                }
            }
        }
        RemoteAccess access = mode == RdmaMode.WRITE ? RemoteAccess.WRITE : RemoteAccess.NONE;
        for (int i = 0; i < sets.length; i++) {
            for (int flow = 0; flow < regions[i].length; flow++) {
                regions[i][flow] = register(RdmaMemory.of(sets[i].segment(flow)), access);
            }
        }
        ByteBuffer messages = ByteBuffer.allocateDirect(Math.multiplyExact(announcementBytes, sets.length));
        for (int i = 0; i < sets.length; i++) {
            mapping.announcement(messages.position(i * announcementBytes), mode, i, regions[i]);
        }
        announcements = register(RdmaMemory.of(messages.clear()), RemoteAccess.NONE);
    }

    private MemoryRegion register(RdmaMemory memory, RemoteAccess access) {
        MemoryRegion region = transport.register(memory, access);
        registered.add(region);
        return region;
    }

    int flowCount() {
        return regions[0].length;
    }

    int setCount() {
        return sets.length;
    }

    /** Posts a receive into a flow. */
    void postReceive(RdmaConnection connection, long workId, int setId, int flow) throws RdmaException {
        connection.postReceive(workId, regions[setId][flow], 0, (int) sets[setId].flowSizeBytes(flow));
    }

    /** Posts the message that announces a flow set. */
    void postAnnouncement(RdmaConnection connection, long workId, int setId) throws RdmaException {
        connection.postSend(workId, announcements, (long) setId * announcementBytes, announcementBytes);
    }

    @Override
    public void close() {
        RuntimeException problem = null;
        for (MemoryRegion region : registered) {
            try {
                region.close();
            } catch (RuntimeException e) {
                problem = problem == null ? e : problem;
            }
        }
        registered.clear();
        if (problem != null) {
            throw problem;
        }
    }
}
