package io.peregrine.device;

import io.peregrine.discovery.internal.ActionSender;
import io.peregrine.discovery.internal.DiscoverySettings;
import io.peregrine.gvcp.ActionCommand;
import io.peregrine.gvcp.GvcpStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends actions, from any application, to cameras that are controlled or accept actions unconditionally. An action goes
 * out once and is not repeated, since a camera that heard it twice would act twice; the answers show who heard it. A
 * camera that the action is not meant for keeps silent.
 *
 * <p>Methods may be called from any thread.
 */
public final class Actions {
    private static final int MAX_REQUEST_ID = 0xFFFF;

    private final int port;
    private final AtomicInteger requestIds = new AtomicInteger();

    Actions(int port) {
        this.port = port;
    }

    /**
     * Sends an action to cameras one after the other, and waits until all have answered.
     *
     * @param action what to send
     * @param cameras to whom; one that is among them twice gets it once
     * @param window how long to wait for answers; zero asks for none
     * @return the answers in the order in which they came
     * @throws DeviceException if there are no cameras, or no way to one
     */
    public List<Answer> send(Action action, Collection<DiscoveryInformation> cameras, Duration window) {
        List<InetSocketAddress> addresses = cameras.stream()
                .map(camera -> new InetSocketAddress(camera.address(), camera.port()))
                .distinct()
                .toList();
        return send(action, DiscoverySettings.defaults().withBroadcast(false).withUnicast(addresses), window, 0);
    }

    /**
     * Sends an action by broadcast to the subnets of the given interfaces, and to no other.
     *
     * @param action what to send
     * @param interfaces names or IPv4 addresses of interfaces of this host
     * @param window how long to wait for answers; zero asks for none
     * @param expectedAnswers after how many answers not to wait any longer; 0 for the whole window
     * @return the answers in the order in which they came
     * @throws DeviceException if no interface is given, or one does not exist
     */
    public List<Answer> broadcast(Action action, Collection<String> interfaces, Duration window, int expectedAnswers) {
        DiscoverySettings there = DiscoverySettings.defaults()
                .withInterfaces(List.copyOf(interfaces))
                .withPort(port);
        return send(action, there, window, expectedAnswers);
    }

    private List<Answer> send(Action action, DiscoverySettings there, Duration window, int expectedAnswers) {
        ActionCommand command = new ActionCommand(
                requestIds.updateAndGet(id -> id >= MAX_REQUEST_ID ? 1 : id + 1),
                !window.isZero(),
                action.deviceKey(),
                action.groupKey(),
                action.groupMask(),
                action.timeTicks());
        return Search.asked(() -> ActionSender.create(there).send(command, window, expectedAnswers)).stream()
                .map(answer -> Answer.of(answer.device(), answer.status()))
                .toList();
    }

    /**
     * What a camera answered to an action that it was meant for.
     *
     * @param camera its address and port
     * @param statusCode status of the acknowledge (GigE Vision)
     * @param status the standard's name of the status: SUCCESS; ACTION_LATE when the time had passed and the camera
     *     acted at once; NO_REF_TIME when its clock is not synchronised, and OVERFLOW when too many actions were
     *     waiting, so that it will not act. A camera whose extended status codes are off answers ERROR instead of the
     *     last three
     * @param description what the status means, in words
     */
    public record Answer(InetSocketAddress camera, int statusCode, String status, String description) {
        static Answer of(InetSocketAddress camera, GvcpStatus status) {
            return new Answer(camera, status.code(), status.name(), status.description());
        }

        /** Whether the camera acted, or will when the time has come. */
        public boolean accepted() {
            return statusCode == GvcpStatus.SUCCESS.code() || late();
        }

        /** Whether the camera acted at once because the time had passed. */
        public boolean late() {
            return statusCode == GvcpStatus.ACTION_LATE.code();
        }
    }
}
