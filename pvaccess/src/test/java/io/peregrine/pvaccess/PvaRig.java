package io.peregrine.pvaccess;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.epics.pva.client.ClientChannelState;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.PVAStructureArray;

/** A publisher on loopback, and clients of the library, which are the other implementation here. */
final class PvaRig {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One for each search address; ending a client takes seconds. */
    private static final SharedClients CLIENTS = new SharedClients();

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final PvaPublisher publisher;

    PvaRig(PvaSettings settings) {
        publisher = keep(PvaPublisher.start(settings));
    }

    /** Settings for an address of loopback that no other test uses. */
    static PvaSettings settings(int host) {
        try {
            return PvaSettings.of("CAM")
                    .withAddress(InetAddress.getByName("127.61.7." + host))
                    .withPorts(0, CLIENTS.searchPort());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    PvaPublisher publisher() {
        return publisher;
    }

    <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    PVAChannel channel(String name) throws Exception {
        PVAChannel channel = CLIENTS.get(publisher.searchAddress()).getChannel(name);
        keep(channel);
        channel.connect().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return channel;
    }

    /** As displays do: subscribes again whenever the channel is connected again. */
    void subscribe(String name, Consumer<PVAStructure> values) {
        PVAChannel channel = CLIENTS.get(publisher.searchAddress()).getChannel(name, (one, state) -> {
            if (state == ClientChannelState.CONNECTED) {
                try {
                    one.subscribe("", (monitored, changes, overruns, data) -> values.accept(data.cloneData()));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
        keep(channel);
    }

    static PVAStructure get(PVAChannel channel) throws Exception {
        return channel.read("").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Publishes a frame until it is offered, which may take a second without a client. */
    void offer(Composite frame) {
        offer(frame, Map.of());
    }

    void offer(Composite frame, Map<String, Object> attributes) {
        long before = publisher.statistics().framesOffered();
        Await.until("offered frame", PATIENCE, () -> {
            publisher.publish(frame, attributes);
            return publisher.statistics().framesOffered() > before;
        });
    }

    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    static List<Integer> sizes(PVAStructure value) {
        PVAStructureArray dimensions = value.get("dimension");
        return Arrays.stream(dimensions.get())
                .map(dimension -> ((PVAInt) dimension.get("size")).get())
                .toList();
    }
}
