package io.peregrine.conformance;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network.Ipam;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** A bridge network with hosts on it; this host is one of them, at its gateway. */
final class CameraNetwork implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** Logs of Aeron are there, and need more than the 64 MiB that containers have. */
    private static final long SHARED_MEMORY_BYTES = 512L << 20;

    private static final AtomicInteger NETWORKS = new AtomicInteger();

    private final DockerClient docker = DockerClientFactory.instance().client();
    /** Only in a network whose addresses are given can a host be. */
    private final int number = NETWORKS.incrementAndGet();

    private final Network network = Network.builder()
            .createNetworkCmdModifier(command -> command.withIpam(new Ipam()
                    .withConfig(new Ipam.Config().withSubnet(address(0) + "/24").withGateway(gateway()))))
            .build();
    private final List<GenericContainer<?>> hosts = new ArrayList<>();

    /** Starts a virtual camera and waits until it answers. */
    GenericContainer<?> virtualCamera(String serial, String... options) {
        return answering(start(
                ContainerImages.peregrine(),
                Stream.concat(Stream.of("camera", "--serial", serial), Stream.of(options))
                        .toArray(String[]::new)));
    }

    /** Starts the fake camera of Aravis and waits until it answers. */
    GenericContainer<?> aravisCamera(String serial) {
        return answering(start(ContainerImages.aravis(), "arv-fake-gv-camera-0.8", "-i", "eth0", "-s", serial));
    }

    /** Starts a program. */
    GenericContainer<?> start(ImageFromDockerfile image, String... command) {
        return start(new GenericContainer<>(image), command);
    }

    /** Starts a program at an address of this network. */
    GenericContainer<?> startAt(String address, ImageFromDockerfile image, String... command) {
        return start(
                new GenericContainer<>(image).withCreateContainerCmdModifier(create -> create.withIpv4Address(address)),
                command);
    }

    private GenericContainer<?> start(GenericContainer<?> host, String... command) {
        hosts.add(host.withNetwork(network).withCommand(command).withSharedMemorySize(SHARED_MEMORY_BYTES));
        host.start();
        return host;
    }

    private GenericContainer<?> answering(GenericContainer<?> camera) {
        try {
            factory().await(address(camera), LIMIT);
        } catch (RuntimeException e) {
            throw new AssertionError("The camera does not answer. " + camera.getLogs(), e);
        }
        return camera;
    }

    /** A host's address in this network. */
    String address(GenericContainer<?> host) {
        ContainerNetwork place = docker.inspectContainerCmd(host.getContainerId())
                .exec()
                .getNetworkSettings()
                .getNetworks()
                .values()
                .iterator()
                .next();
        return place.getIpAddress();
    }

    /** Finds cameras in this network alone. */
    Devices factory() {
        return DeviceFactory.create(PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_INTERFACES, gateway())
                .with(PeregrineSettings.DISCOVERY_WINDOW, "1s"));
    }

    private String gateway() {
        return address(1);
    }

    /** Serial numbers of all that answer a broadcast, sorted. */
    List<String> serialNumbers() {
        return factory().discover(DiscoverFlags.FIND_ALL, Duration.ofSeconds(1)).stream()
                .map(DiscoveryInformation::serialNumber)
                .sorted()
                .toList();
    }

    /** Opens the camera that has a serial number now, wherever it is; parameters come in pairs of name and value. */
    Device open(String serial, String... parameters) {
        Devices factory = factory();
        DiscoveryInformation info = factory.await(serial, LIMIT);
        // However long this computer is busy with other things.
        info.setParameter("ResendTries", "100")
                .setParameter("FrameRetention", "10s")
                .setParameter("FlowSetCount", "32");
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        return factory.open(info);
    }

    /** Stops all programs of a host without their noticing. */
    void pause(GenericContainer<?> host) {
        docker.pauseContainerCmd(host.getContainerId()).exec();
    }

    /** Lets them go on. */
    void unpause(GenericContainer<?> host) {
        docker.unpauseContainerCmd(host.getContainerId()).exec();
    }

    /** Pulls the cable. */
    void disconnect(GenericContainer<?> host) {
        docker.disconnectFromNetworkCmd()
                .withContainerId(host.getContainerId())
                .withNetworkId(network.getId())
                .exec();
    }

    /** Plugs it in again, for a host with an address of its own. */
    void connect(GenericContainer<?> host, String address) {
        docker.connectToNetworkCmd()
                .withContainerId(host.getContainerId())
                .withNetworkId(network.getId())
                .withContainerNetwork(
                        new ContainerNetwork().withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(address)))
                .exec();
    }

    /** Asks the program of a host to end. */
    void terminate(GenericContainer<?> host) {
        docker.killContainerCmd(host.getContainerId()).withSignal("TERM").exec();
    }

    /** Lets a host lose a part of the packets that arrive, such as 0.01; needs the programs nsenter and iptables. */
    void lose(GenericContainer<?> host, double part) {
        Long process = docker.inspectContainerCmd(host.getContainerId())
                .exec()
                .getState()
                .getPidLong();
        ChildProcess.run(
                LIMIT,
                ("nsenter --net=/proc/" + process + "/ns/net iptables -t raw -A PREROUTING -i eth0 -m statistic"
                                + " --mode random --probability " + part + " -j DROP")
                        .split(" ", -1));
    }

    /** Switches a host off. */
    void stop(GenericContainer<?> host) {
        docker.killContainerCmd(host.getContainerId()).exec();
    }

    /** Switches a host on again, at another address. */
    void restart(GenericContainer<?> host, String address) {
        disconnect(host);
        connect(host, address);
        docker.startContainerCmd(host.getContainerId()).exec();
    }

    /**
     * An address of this network; those from 2 on are given to hosts in turn. For measurements between networks (RFC
     * 2544).
     */
    String address(int host) {
        return "198.19." + number + "." + host;
    }

    @Override
    public void close() {
        hosts.forEach(GenericContainer::stop);
        network.close();
    }
}
