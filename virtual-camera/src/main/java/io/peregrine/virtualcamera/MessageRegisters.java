package io.peregrine.virtualcamera;

import java.net.InetSocketAddress;
import java.util.Optional;

/** The registers of the message channel: where events are sent, and how. Used by the holder of the device's monitor. */
final class MessageRegisters {
    /** MCSP. */
    private static final int CAPABILITY = 0x80000000;

    private static final int DEFAULT_TIMEOUT_MS = 300;
    private static final int DEFAULT_RETRIES = 3;
    private static final int MAX_TIMEOUT_MS = 60_000;
    private static final int MAX_RETRIES = 100;

    private final GevDevice device;
    private final RegisterSpace space;
    private final EventSender events;

    MessageRegisters(GevDevice device, EventSender events) {
        this.device = device;
        this.space = device.space;
        this.events = events;
        space.constant(Reg.MESSAGE_CHANNEL_COUNT, 1);
        space.constant(Reg.MESSAGE_CAPABILITY, CAPABILITY);
        space.map(Reg.MCP, Reg.MCSP + 4 - Reg.MCP);
        device.register(Reg.MCP, v -> v & 0xFFFF, this::changed);
        device.register(Reg.MCDA, v -> v, this::changed);
        device.register(Reg.MCTT, v -> GevDevice.within(v, 0, MAX_TIMEOUT_MS), this::changed);
        device.register(Reg.MCRC, v -> GevDevice.within(v, 0, MAX_RETRIES), this::changed);
        space.set(Reg.MCTT, DEFAULT_TIMEOUT_MS);
        space.set(Reg.MCRC, DEFAULT_RETRIES);
        space.constant(Reg.MCSP, events.sourcePort());
    }

    /** Forgets where events go. */
    void release() {
        space.set(Reg.MCP, 0);
        space.set(Reg.MCDA, 0);
        changed();
    }

    /** Follows the registers, and the width of block ids. */
    void changed() {
        int port = space.get(Reg.MCP) & 0xFFFF;
        int ip = space.get(Reg.MCDA);
        events.channel(
                port == 0 || ip == 0
                        ? Optional.empty()
                        : Optional.of(new EventSender.Channel(
                                new InetSocketAddress(Location.address(ip), port),
                                space.get(Reg.MCTT),
                                space.get(Reg.MCRC),
                                device.extendedIds())));
    }
}
