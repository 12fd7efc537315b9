package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A GigE Vision 2.2 device in software: control, GenICam XML, image and GenDC streams with resend, and faults on
 * demand. Several may run in one process, each at its own address. Any thread may call any method.
 */
public final class VirtualCamera implements AutoCloseable {
    /** The parts of a camera at one address. */
    private record Unit(CameraDevice device, ControlServer server, String rdmaState) implements DeviceHost.Unit {
        @Override
        public void start() {
            server.start();
            device.rdma().ifPresent(RdmaSender::start);
        }

        @Override
        public void stop() {
            server.close();
            device.shutDown();
            device.closeSenders();
            device.events().close();
            device.actions().close();
            device.rdma().ifPresent(RdmaSender::close);
        }
    }

    private final Scenario scenario;
    private final Counters counters = new Counters();
    private final Faults faults;
    private final PersistentMemory memory;
    private final DeviceHost<Unit> host;

    private VirtualCamera(Scenario scenario) {
        this.scenario = scenario;
        this.faults = new Faults(scenario.faults());
        Location location = HostNetwork.locationOf(scenario.bindAddress());
        this.memory = new PersistentMemory(scenario.mac(location), scenario.userName(), location);
        this.host = new DeviceHost<>(scenario.serial(), scenario.networkInterface(), this::assembleAt);
    }

    private Unit assemble(Scenario bound, Location location, RdmaEndpoint endpoint) throws IOException {
        CameraDevice device = new CameraDevice(bound, memory, location, host::move, counters, faults, endpoint);
        try {
            return new Unit(
                    device,
                    new ControlServer(
                            new InetSocketAddress(bound.bindAddress(), bound.port()),
                            bound.listenForBroadcast(),
                            device,
                            counters,
                            faults),
                    endpoint.state());
        } catch (IOException e) {
            device.closeSenders();
            device.events().close();
            device.actions().close();
            throw e;
        }
    }

    private Unit assembleAt(Location location, int port) throws IOException {
        Scenario bound = scenario.toBuilder()
                .bindAddress(location.address())
                .port(port)
                .serial(scenario.serial())
                .listenForBroadcast(scenario.listenForBroadcast() && scenario.port() != 0)
                .build();
        RdmaEndpoint endpoint = RdmaEndpoint.of(bound);
        try {
            return assemble(bound, location, endpoint);
        } catch (IOException e) {
            endpoint.close();
            throw e;
        }
    }

    /**
     * Starts a camera; it answers from now on.
     *
     * @param scenario what it is and how it behaves
     * @return the running camera
     */
    public static VirtualCamera start(Scenario scenario) {
        return start(scenario, RdmaEndpoint.of(scenario));
    }

    /**
     * Starts a camera that streams by RDMA over a given transport, whatever provider the scenario names.
     *
     * @param scenario what it is and how it behaves
     * @param transport the transport, on the address of the camera; the camera closes it
     * @return the running camera
     */
    static VirtualCamera start(Scenario scenario, RdmaTransport transport) {
        return start(scenario, RdmaEndpoint.of(transport, scenario.rdmaPort()));
    }

    private static VirtualCamera start(Scenario scenario, RdmaEndpoint endpoint) {
        try {
            VirtualCamera camera = new VirtualCamera(scenario);
            camera.host.begin(camera.assemble(scenario, camera.memory.location, endpoint));
            return camera;
        } catch (IOException e) {
            endpoint.close();
            throw new VirtualCameraException(
                    "Cannot start a camera on " + scenario.bindAddress().getHostAddress() + ":" + scenario.port() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * The GVCP address. It changes when an application assigns another one.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return host.unit().server().localAddress();
    }

    /**
     * Gives the scenario the camera was started with.
     *
     * @return the scenario
     */
    public Scenario scenario() {
        return scenario;
    }

    /**
     * Gives the faults, which may be changed at any time.
     *
     * @return the faults in force
     */
    public Faults faults() {
        return faults;
    }

    /**
     * Gives the counters.
     *
     * @return a snapshot
     */
    public Statistics statistics() {
        return Statistics.of(counters);
    }

    /**
     * Says where and how the camera streams by RDMA, or why it does not.
     *
     * @return a phrase for people to read, such as {@code off} or {@code on port 4791 by verbs (rxe0)}
     */
    public String rdmaState() {
        return host.unit().rdmaState();
    }

    /**
     * Says how the camera sends stream packets by GVSP, and what is the reason where that is not as
     * {@link Scenario#sending} asks.
     *
     * @return a phrase for people to read, such as {@code by a socket} or {@code by verbs (mlx5_0)}
     */
    public String sendState() {
        return host.unit().device().sendState();
    }

    /**
     * Gives the port where the camera awaits RDMA connections.
     *
     * @return the port; empty while there is none
     */
    public OptionalInt rdmaPort() {
        int port = host.unit().device().rdma().map(RdmaSender::port).orElse(0);
        return port == 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /**
     * Gives the application that controls the camera.
     *
     * @return its address, or empty
     */
    public Optional<InetSocketAddress> controller() {
        return host.unit().device().controller();
    }

    /**
     * Pulls an input line up or down. TriggerActivation says which edge of the line that TriggerSource names is a
     * trigger.
     *
     * @param line 0 or 1
     * @param high its new level
     */
    public void setLine(int line, boolean high) {
        host.unit().device().setLine(line, high);
    }

    /**
     * Describes a block as the camera would send it with its present settings, for tests that compare every byte.
     *
     * @param blockId id of the block
     * @param timestamp time of the block, from its leader or descriptor
     * @return the block
     */
    public SentBlock sentBlock(long blockId, long timestamp) {
        return host.unit().device().sentBlock(blockId, timestamp);
    }

    /**
     * Says whether the camera is sending blocks or waiting for a trigger.
     *
     * @return true while an acquisition runs and the stream channel is open
     */
    public boolean streaming() {
        return host.unit().device().streaming();
    }

    /**
     * Waits for the stream to start or to end.
     *
     * @param streaming what to wait for
     * @param timeout how long at most
     * @return false when the time was over first
     * @throws InterruptedException when the thread was interrupted
     */
    public boolean awaitStreaming(boolean streaming, Duration timeout) throws InterruptedException {
        return host.unit().device().awaitStreaming(streaming, timeout.toNanos());
    }

    @Override
    public void close() {
        host.close();
    }

    /** Waits for the end of a change of address, if there is one. */
    void awaitMove() {
        host.awaitMove();
    }

    /**
     * The counters of a virtual camera since its start. Immutable.
     *
     * @param controlPackets GVCP packets received
     * @param malformedControlPackets GVCP packets dropped or refused for their form
     * @param refusedCommands acknowledges with an error status
     * @param heartbeatTimeouts how often the heartbeat ended the control
     * @param blocksSent blocks finished, by GVSP and by RDMA
     * @param packetsSent stream packets sent, resent ones included
     * @param packetsSentByVerbs those of them that an adapter sent past the kernel
     * @param bytesSent bytes of packetsSent, GVSP header included
     * @param packetsLostByFault stream packets dropped by the loss fault
     * @param resendRequests PACKETRESEND commands accepted
     * @param packetsResent stream packets sent again
     * @param packetsUnavailable status packets sent for packets that are no longer or not yet available
     * @param sendFailures stream packets that the network refused
     * @param eventsSent events that were acknowledged, or sent without asking for an acknowledge
     * @param eventsRepeated how often an event was sent again, because no acknowledge arrived
     * @param eventsLost events that were not acknowledged, that the network refused, or for which there was no room to
     *     wait
     * @param rdmaConnections RDMA connections established
     * @param rdmaRefusals RDMA connections refused
     * @param rdmaBlocksSent blocks whose every RDMA message and write succeeded
     * @param rdmaBlocksDropped blocks dropped because no flow set was announced for them
     * @param rdmaBlocksBrokenOff blocks begun whose RDMA connection ended before they were whole
     */
    public record Statistics(
            long controlPackets,
            long malformedControlPackets,
            long refusedCommands,
            long heartbeatTimeouts,
            long blocksSent,
            long packetsSent,
            long packetsSentByVerbs,
            long bytesSent,
            long packetsLostByFault,
            long resendRequests,
            long packetsResent,
            long packetsUnavailable,
            long sendFailures,
            long eventsSent,
            long eventsRepeated,
            long eventsLost,
            long rdmaConnections,
            long rdmaRefusals,
            long rdmaBlocksSent,
            long rdmaBlocksDropped,
            long rdmaBlocksBrokenOff) {
        private static Statistics of(Counters counters) {
            return new Statistics(
                    counters.controlPackets.sum(),
                    counters.malformedControlPackets.sum(),
                    counters.refusedCommands.sum(),
                    counters.heartbeatTimeouts.sum(),
                    counters.blocksSent.sum(),
                    counters.packetsSent.sum(),
                    counters.packetsSentByVerbs.sum(),
                    counters.bytesSent.sum(),
                    counters.packetsLostByFault.sum(),
                    counters.resendRequests.sum(),
                    counters.packetsResent.sum(),
                    counters.packetsUnavailable.sum(),
                    counters.sendFailures.sum(),
                    counters.eventsSent.sum(),
                    counters.eventsRepeated.sum(),
                    counters.eventsLost.sum(),
                    counters.rdmaConnections.sum(),
                    counters.rdmaRefusals.sum(),
                    counters.rdmaBlocksSent.sum(),
                    counters.rdmaBlocksDropped.sum(),
                    counters.rdmaBlocksBrokenOff.sum());
        }
    }
}
