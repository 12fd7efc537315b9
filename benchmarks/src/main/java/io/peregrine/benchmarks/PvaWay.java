package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pvaccess.PvaPublisher;
import io.peregrine.pvaccess.PvaSettings;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.epics.pva.PVASettings;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.client.PVAClient;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAUnion;

/**
 * Frames through pvAccess, for {@link DistributionPeerMain}: one client, and a frame as soon as the one before is sent,
 * since clients get the newest alone.
 */
final class PvaWay {
    private static final String PREFIX = "bench";
    private static final String IMAGE = PREFIX + ":Pva1:Image";
    private static final int WIDTH = 2000;
    private static final long PARK_NANOS = 100_000;
    private static final long LIMIT_SECONDS = 60;
    /** What clients may take: one with frames of 64 MB. */
    private static final long MEMORY_BYTES = 256L << 20;

    private PvaWay() {}

    /** Puts a number on each page of a frame. */
    interface Stamp {
        void put(ByteBuffer frame, int at, long number);
    }

    /** Looks at a frame that arrived. */
    interface Check {
        void look(ByteBuffer frame);
    }

    static void offer(InetSocketAddress address, int bytes, Stamp stamp, Runnable counted) {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(1)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .timestamp(1)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(WIDTH, bytes / WIDTH)))
                .build()
                .toBytes();
        ByteBuffer memory = ByteBuffer.allocateDirect(descriptor.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
        memory.put(descriptor).rewind();
        PvaSettings settings = PvaSettings.of(PREFIX)
                .withAddress(address.getAddress())
                .withPorts(address.getPort(), 0)
                // One variable and one value for each frame.
                .withComponents(List.of("Intensity"))
                .withLimits(2, MEMORY_BYTES);
        try (Composite composite = Composite.of(memory);
                PvaPublisher publisher = PvaPublisher.start(settings)) {
            for (long number = 1; publisher.failure().isEmpty(); number++) {
                long before = publisher.statistics().framesSent();
                stamp.put(memory, descriptor.length, number);
                publisher.publish(composite);
                while (publisher.statistics().framesOffered()
                                + publisher.statistics().framesDropped()
                        < number) {
                    LockSupport.parkNanos(PARK_NANOS);
                }
                long begin = System.nanoTime();
                while (publisher.statistics().framesSent() == before
                        && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(1)) {
                    LockSupport.parkNanos(PARK_NANOS);
                }
                counted.run();
            }
            throw new IllegalStateException(publisher.diagnosis().toString());
        }
    }

    static void monitor(InetSocketAddress address, Check check) throws Exception {
        PVASettings.EPICS_PVA_NAME_SERVERS = address.getAddress().getHostAddress() + ":" + address.getPort();
        PVASettings.EPICS_PVA_AUTO_ADDR_LIST = false;
        PVASettings.EPICS_PVA_ENABLE_IPV6 = false;
        PVAClient client = new PVAClient();
        PVAChannel channel = client.getChannel(IMAGE);
        channel.connect().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        channel.subscribe("", (monitored, changes, overruns, data) -> {
            PVAUnion union = data.get("value");
            PVAByteArray pixels = union.get();
            if (pixels != null) {
                check.look(ByteBuffer.wrap(pixels.get()).order(ByteOrder.LITTLE_ENDIAN));
            }
        });
    }
}
