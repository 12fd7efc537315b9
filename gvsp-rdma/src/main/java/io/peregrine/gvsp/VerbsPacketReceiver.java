package io.peregrine.gvsp;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives raw packets from an adapter past the kernel: the adapter writes the headers of each packet to one place and
 * the payload to where it belongs in a flow set, if nothing is lost. After a loss, packets land where those before them
 * belong; they are moved, and receives that are posted from then on name the right places again. A UDP socket holds the
 * port and the groups, and keeps none of the packets.
 *
 * <p>Placed so is payload whose packets belong to the same places in each block; other packets are copied from where
 * they landed. UDP checksums are not verified.
 */
final class VerbsPacketReceiver extends GatheringReceiver implements DirectPlacement {
    private static final System.Logger LOGGER = System.getLogger(VerbsPacketReceiver.class.getName());
    private static final int BATCH_PACKETS = 32768;
    private static final int MIN_SOCKET_BYTES = 4096;
    private static final long RECALL_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NO_SLOT = -1;

    private final int deviceAddress;
    private final StreamCounters statistics;
    private final PacketSource source;
    private final List<MmsgSocket> ports;
    private final RawPacketQueue queue;
    private final int maxPacketBytes;
    private final int maxPoll;
    private final ReceiveSlots slots;
    private final PlaceForecast forecast = new PlaceForecast(this::target);
    private final DeferredWrites writes;
    private final ExpectedPackets expected = ExpectedPackets.withShortLast();
    /** By the index of the flow set. */
    private TargetedSet[] targets = new TargetedSet[0];

    /** Why payload is not placed; empty if it is. */
    private String noPlacement = "";

    /** Where the data lies of a packet that is handed over. */
    private final PlacedData placed = new PlacedData();
    /** Slot of the packet that is handed over. */
    private int current = NO_SLOT;

    private final ReceiveReserve reserve;
    /** Whether receives are not posted that lack a flow set. */
    private boolean withheld;
    /** Bytes of the packets taken last, on average. */
    private int packetBytes;

    private int share = BlockNumber.ALL;
    private long shed;

    /** Completions that were polled and not handed over. */
    private int batch;

    private volatile boolean woken;

    private VerbsPacketReceiver(
            int deviceAddress,
            StreamCounters statistics,
            List<MmsgSocket> ports,
            RawPacketQueue queue,
            VerbsSettings settings) {
        this.deviceAddress = deviceAddress;
        this.statistics = statistics;
        source = new PacketSource(statistics);
        this.ports = ports;
        this.queue = queue;
        maxPacketBytes = settings.maxPacketBytes();
        maxPoll = settings.maxPoll();
        slots = new ReceiveSlots(queue, queue.depth(), maxPacketBytes);
        writes = new DeferredWrites(slots::release);
        reserve = new ReceiveReserve(queue.depth());
        packetBytes = maxPacketBytes;
        begin();
    }

    /**
     * Opens a receiver.
     *
     * @param stream addresses, port, group
     * @param statistics takes the counts of strangers, of packets that are too long, and of drops of the adapter
     * @param provider opens the queue
     * @throws NativeUnavailableException if this host has no such adapter or this process may not use it, with what is
     *     missing
     * @throws StreamException if an address is not IPv4
     */
    static VerbsPacketReceiver open(GvspSettings stream, StreamCounters statistics, RawPacketProvider provider) {
        VerbsSettings settings = stream.verbs();
        InetAddress local = stream.localAddress();
        int device = MmsgPacketReceiver.number(stream.deviceAddress());
        List<MmsgSocket> ports = new ArrayList<>();
        RawPacketQueue queue = null;
        try {
            List<InetSocketAddress> endpoints = new ArrayList<>();
            MmsgSocket main = stream.group()
                    .map(group -> MmsgPacketReceiver.socket(local, stream.deviceAddress(), group, MIN_SOCKET_BYTES))
                    .orElseGet(() ->
                            MmsgSocket.open(MmsgPacketReceiver.number(local), stream.localPort(), MIN_SOCKET_BYTES));
            ports.add(main);
            endpoints.add(new InetSocketAddress(
                    stream.group().<InetAddress>map(MulticastGroup::address).orElse(local), main.localPort()));
            for (InetSocketAddress more : settings.endpoints()) {
                ports.add(port(more, local));
                endpoints.add(more);
            }
            for (MmsgSocket port : ports) {
                port.keepNothing();
                port.joinNothing();
            }
            queue = provider.open(new RawPacketProvider.Request(
                    (Inet4Address) local, endpoints, settings.depth(), settings.completionVector()));
            if (queue.depth() < settings.depth()) {
                LOGGER.log(
                        Level.INFO,
                        "The adapter receives {0} packets at a time, not {1}: the rest of the buffer is not used",
                        queue.depth(),
                        settings.depth());
            }
            return new VerbsPacketReceiver(device, statistics, ports, queue, settings);
        } catch (RuntimeException e) {
            if (queue != null) {
                queue.close();
            }
            ports.forEach(MmsgSocket::close);
            throw e;
        }
    }

    /** Holds a port, and joins its group for all who send to it. */
    private static MmsgSocket port(InetSocketAddress endpoint, InetAddress local) {
        int address = MmsgPacketReceiver.number(endpoint.getAddress());
        if (!endpoint.getAddress().isMulticastAddress()) {
            return MmsgSocket.open(address, endpoint.getPort(), MIN_SOCKET_BYTES);
        }
        MmsgSocket port = MmsgSocket.openShared(address, endpoint.getPort(), MIN_SOCKET_BYTES);
        try {
            port.join(address, MmsgPacketReceiver.number(local));
            return port;
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
    }

    /** Waits for packets in another way than by being woken for each. */
    VerbsPacketReceiver waiting(ReceiverWaiting how) {
        waitAs(how);
        return this;
    }

    private void begin() {
        withheld = false;
        while (slots.free() > 0) {
            slots.post();
        }
        queue.start();
    }

    // ---- receiving

    @Override
    int drain(PacketSink into) {
        int count = 0;
        boolean more = true;
        if (withheld) {
            // The user may have given back flow sets.
            repost(into);
        }
        long before = drainedBytes();
        // When as much was taken as the receives hold, nothing is left of what waited.
        long end = drainedBytes() + slots.sizeBytes();
        while (more && count < BATCH_PACKETS && drainedBytes() < end && !into.enough()) {
            more = mayHavePackets();
            if (more) {
                handOver(into, System.nanoTime());
                count += batch;
                batch = 0;
                repost(into);
            }
        }
        if (count > 0) {
            packetBytes = (int) ((drainedBytes() - before) / count);
            reserve.arrived(count, System.nanoTime());
        }
        emptied(!more);
        statistics.set(Counter.KERNEL_DROPS, queue.drops() + shed);
        return count;
    }

    @Override
    boolean mayHavePackets() {
        if (batch == 0) {
            batch = queue.poll();
        }
        return batch > 0;
    }

    @Override
    void await(long nanos) {
        long end = System.nanoTime() + nanos;
        for (int polls = 1; !woken && (polls < maxPoll || queue.busy()); polls++) {
            if (mayHavePackets() || end - System.nanoTime() <= 0) {
                return;
            }
            Thread.onSpinWait();
        }
        // What has arrived before the interrupt is armed wakes nobody.
        queue.arm();
        if (!mayHavePackets() && !woken) {
            queue.await(end - System.nanoTime());
        }
        woken = false;
    }

    @Override
    void pause(long nanos) {
        if (!queue.busy()) {
            queue.pause(nanos);
        }
    }

    @Override
    void wake() {
        woken = true;
        queue.wakeUp();
    }

    private void repost(PacketSink into) {
        writes.settle();
        if (share < BlockNumber.ALL || !noPlacement.isEmpty()) {
            forecast.lost();
        } else {
            forecast.follow(into, slots.posted());
        }
        withheld = false;
        while (slots.free() > 0 && !withheld) {
            switch (forecast.next(into)) {
                case PLACED ->
                    slots.post(
                            forecast.target(),
                            forecast.headBytes(),
                            forecast.flow(),
                            forecast.offset(),
                            forecast.lengthBytes());
                case WHOLE -> slots.post();
                case NO_FLOW_SET -> {
                    // Behind whole packets, data would be placed too late: its flow set would be taken by then.
                    withheld = slots.posted() >= reserve.leastPosted();
                    if (!withheld) {
                        forecast.skip();
                        slots.post();
                    }
                }
            }
        }
        queue.flush();
    }

    private void handOver(PacketSink into, long now) {
        int at = 0;
        while (at < batch) {
            int run = run(at, into, now);
            if (run == 0) {
                single(at, into, now);
                run = 1;
            }
            at += run;
        }
    }

    /**
     * Hands over packets from one on whose data is where it belongs.
     *
     * @return how many; 0 if that one is different
     */
    private int run(int first, PacketSink into, long now) {
        int slot = queue.id(first);
        if (!slots.hasPlace(slot) || share < BlockNumber.ALL || !into.expect(expected)) {
            return 0;
        }
        int head = RawUdp.HEADER_BYTES + expected.headBytes();
        int full = head + expected.dataBytes();
        long place = expected.address() + expected.offset();
        ByteBuffer heads = slots.heads();
        int at = slot * ReceiveSlots.HEAD_STRIDE;
        int count = 0;
        int bytes = 0;
        boolean whole = true;
        while (whole
                && first + count < batch
                && queue.id(first + count) == slot + count
                && slots.placed(slot + count, place, expected.headBytes())) {
            int length = queue.lengthBytes(first + count);
            int headAt = at + count * ReceiveSlots.HEAD_STRIDE;
            if (length <= head
                    || length > head + slots.placeBytes(slot + count)
                    || RawUdp.dataBytes(heads, headAt, length) != length - RawUdp.HEADER_BYTES
                    || RawUdp.sourceAddress(heads, headAt) != deviceAddress
                    || RawUdp.sourcePort(heads, headAt) != RawUdp.sourcePort(heads, at)) {
                break;
            }
            whole = length == full;
            place += expected.dataBytes();
            bytes += length - RawUdp.HEADER_BYTES;
            count++;
        }
        if (count == 0
                || !source.isStream(
                        true,
                        RawUdp.sourcePort(heads, at),
                        0,
                        heads,
                        at + RawUdp.HEADER_BYTES,
                        expected.headBytes(),
                        now)) {
            return 0;
        }
        int taken = into.onRunInPlace(
                heads,
                at + RawUdp.HEADER_BYTES,
                ReceiveSlots.HEAD_STRIDE,
                count,
                bytes,
                full - RawUdp.HEADER_BYTES,
                now);
        for (int i = 0; i < taken; i++) {
            slots.ended(slot + i);
            slots.release(slot + i);
        }
        took(taken * full, 1);
        return taken;
    }

    private void single(int index, PacketSink into, long now) {
        int slot = queue.id(index);
        int length = queue.lengthBytes(index);
        boolean apart = length > 0 && slots.separate(slot, length, placed);
        if (length > 0 && !apart) {
            slots.gather(slot, length);
        }
        slots.ended(slot);
        ByteBuffer packet = slots.slots();
        int at = slots.at(slot);
        int bytes = RawUdp.dataBytes(packet, at, length);
        int data = at + RawUdp.HEADER_BYTES;
        took(Math.max(0, length), 1);
        if (bytes < 0 || bytes > maxPacketBytes) {
            statistics.increment(Counter.PACKETS_MALFORMED);
        } else if (source.isStream(
                        RawUdp.sourceAddress(packet, at) == deviceAddress,
                        RawUdp.sourcePort(packet, at),
                        1,
                        packet,
                        data,
                        bytes,
                        now)
                && admitted(packet, data, bytes)) {
            current = slot;
            if (apart) {
                into.onPacket(packet, data, bytes, placed, now);
            } else {
                into.onPacket(packet, data, bytes, now);
            }
            current = NO_SLOT;
        }
        slots.release(slot);
    }

    /** Adapters cannot tell the packets of some blocks from others. */
    private boolean admitted(ByteBuffer packet, int offset, int lengthBytes) {
        if (share == BlockNumber.ALL
                || !GvspHeader.fits(packet, offset, lengthBytes)
                || BlockNumber.isIn(GvspHeader.blockId(packet, offset), share)) {
            return true;
        }
        shed++;
        return false;
    }

    // ---- placing

    private @Nullable TargetedSet target(FlowSet set) {
        if (targets.length == 0) {
            targets = new TargetedSet[set.pool().count()];
        }
        TargetedSet known = targets[set.index()];
        if (known == null && noPlacement.isEmpty()) {
            try {
                long[] addresses = new long[set.flowCount()];
                int[] keys = new int[addresses.length];
                for (int flow = 0; flow < keys.length; flow++) {
                    addresses[flow] = set.nativeAddress(flow).orElseThrow();
                    keys[flow] = queue.register(addresses[flow], set.flowSizeBytes(flow));
                }
                known = new TargetedSet(set, addresses, keys);
                targets[set.index()] = known;
            } catch (NativeUnavailableException e) {
                noPlacement = e.getMessage();
                LOGGER.log(
                        Level.WARNING,
                        "Payload is copied instead of being written to its place by the adapter: {0}",
                        noPlacement);
            }
        }
        return known;
    }

    private @Nullable TargetedSet of(FlowSet set) {
        return set.index() < targets.length ? targets[set.index()] : null;
    }

    // Whether it is this very buffer.
    @SuppressWarnings("ReferenceEquality")
    @Override
    public boolean defer(FlowSet set, int flow, long destination, ByteBuffer packet, int data, int size) {
        TargetedSet target = of(set);
        if (target == null || !(target.hasDeferred() || target.writes(flow, destination, size))) {
            return false;
        }
        if (packet == slots.slots() && current != NO_SLOT) {
            slots.keep(current);
            writes.add(target, flow, destination, packet, data, size, current);
        } else {
            // It had waited for its place elsewhere, which others need.
            writes.add(
                    target, flow, destination, ByteBuffer.allocate(size).put(0, packet, data, size), 0, size, NO_SLOT);
        }
        return true;
    }

    @Override
    public boolean writesInto(FlowSet set) {
        TargetedSet target = of(set);
        return target != null && target.busy();
    }

    @Override
    public void recall(PacketSink into) {
        whileOpen(() -> {
            queue.stop();
            long limit = System.nanoTime() + RECALL_LIMIT_NANOS;
            while (slots.posted() > 0) {
                if (mayHavePackets()) {
                    recalled(into, System.nanoTime());
                    batch = 0;
                } else if (System.nanoTime() - limit > 0) {
                    throw new StreamException("The adapter does not give back the memory of " + slots.posted()
                            + " receives: close the stream, and restart the adapter's driver");
                }
            }
            writes.settle();
            forecast.lost();
            queue.prepare();
            begin();
        });
    }

    private void recalled(PacketSink into, long now) {
        for (int i = 0; i < batch; i++) {
            if (queue.lengthBytes(i) >= 0) {
                single(i, into, now);
            } else {
                slots.ended(queue.id(i));
                slots.release(queue.id(i));
            }
        }
    }

    @Override
    public void forget() {
        forecast.forget();
    }

    // ---- the rest

    @Override
    public boolean admit(int wantedShare) {
        share = wantedShare;
        return true;
    }

    @Override
    public void expectFrom(int port) {
        source.expect(port);
    }

    @Override
    public PacketReceiverKind kind() {
        return PacketReceiverKind.VERBS;
    }

    @Override
    public int localPort() {
        return ports.get(0).localPort();
    }

    @Override
    long roomBytes() {
        return (long) slots.posted() * packetBytes;
    }

    @Override
    public int receiveBufferBytes() {
        return slots.sizeBytes();
    }

    @Override
    void closeSource() {
        queue.close();
        ports.forEach(MmsgSocket::close);
    }
}
