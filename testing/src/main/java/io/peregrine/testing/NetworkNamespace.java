package io.peregrine.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate Linux network namespace for a test. Broadcasts of the programs that run in it stay in it, and the GVCP
 * port is free in it.
 */
public final class NetworkNamespace implements AutoCloseable {
    private static final String PREFIX = "peregrine-";
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name;
    private final List<ChildProcess> children = new ArrayList<>();

    private NetworkNamespace(String name) {
        this.name = name;
    }

    /** A namespace with nothing but loopback. */
    public static NetworkNamespace withLoopback() {
        NetworkNamespace namespace =
                new NetworkNamespace(PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
        ip("netns", "add", namespace.name);
        Runtime.getRuntime().addShutdownHook(new Thread(namespace::close, "remove " + namespace.name));
        try {
            ip("-n", namespace.name, "link", "set", "lo", "up");
        } catch (AssertionError e) {
            namespace.close();
            throw e;
        }
        return namespace;
    }

    /** Two namespaces joined by a virtual cable. */
    public record Cable(NetworkNamespace camera, NetworkNamespace host) implements AutoCloseable {
        /** Address of the camera's end. */
        public static final String CAMERA_ADDRESS = "10.77.0.1";
        /** Address of the host's end. */
        public static final String HOST_ADDRESS = "10.77.0.2";

        /** Lays the cable; both ends carry packets of up to 9000 bytes. */
        public static Cable lay() {
            NetworkNamespace camera = withLoopback();
            NetworkNamespace host;
            try {
                host = withLoopback();
            } catch (AssertionError e) {
                camera.close();
                throw e;
            }
            Cable cable = new Cable(camera, host);
            try {
                ip(
                        "link",
                        "add",
                        "cam0",
                        "netns",
                        camera.name,
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "host0",
                        "netns",
                        host.name);
                camera.plug("cam0", CAMERA_ADDRESS);
                host.plug("host0", HOST_ADDRESS);
                camera.awaitCarrier("cam0");
                host.awaitCarrier("host0");
                return cable;
            } catch (AssertionError e) {
                cable.close();
                throw e;
            }
        }

        @Override
        public void close() {
            host.close();
            camera.close();
        }
    }

    /** Several namespaces at a virtual switch, which is in a separate one. */
    public static final class Switch implements AutoCloseable {
        private final NetworkNamespace bridge = withLoopback();
        private final List<NetworkNamespace> hosts = new ArrayList<>();

        /** Connects hosts; the first has the address 10.78.0.1, the second 10.78.0.2. Each has an interface net0. */
        public static Switch connecting(int hosts) {
            Switch made = new Switch();
            try {
                made.bridge.command("link", "add", "bridge0", "type", "bridge");
                made.bridge.command("link", "set", "bridge0", "mtu", "9000", "up");
                for (int i = 1; i <= hosts; i++) {
                    made.connect(i);
                }
                for (int i = 1; i <= hosts; i++) {
                    made.host(i).awaitCarrier("net0");
                }
                return made;
            } catch (AssertionError e) {
                made.close();
                throw e;
            }
        }

        private void connect(int number) {
            NetworkNamespace host = withLoopback();
            hosts.add(host);
            String port = "port" + number;
            bridge.command("link", "add", port, "type", "veth", "peer", "name", "net0", "netns", host.name);
            bridge.command("link", "set", port, "mtu", "9000", "master", "bridge0", "up");
            host.plug("net0", address(number));
        }

        /** Address of a host, from 1. */
        public static String address(int number) {
            return "10.78.0." + number;
        }

        /** One of the hosts, from 1. */
        public NetworkNamespace host(int number) {
            return hosts.get(number - 1);
        }

        /** Lets the switch pass packets of a host only up to a size; the host does not notice. */
        public void portMtu(int number, int mtuBytes) {
            bridge.command("link", "set", "port" + number, "mtu", Integer.toString(mtuBytes));
        }

        /**
         * Lets a host lose a part of the packets that arrive, such as 0.01, each by itself: runs are cut before. Needs
         * the programs ethtool and iptables.
         */
        public void lose(int number, double part) {
            bridge.run(COMMAND_LIMIT, "ethtool", "-K", "port" + number, "tx-udp-segmentation", "off");
            host(number)
                    .run(
                            COMMAND_LIMIT,
                            "iptables",
                            "-t",
                            "raw",
                            "-A",
                            "PREROUTING",
                            "-i",
                            "net0",
                            "-m",
                            "statistic",
                            "--mode",
                            "random",
                            "--probability",
                            Double.toString(part),
                            "-j",
                            "DROP");
        }

        @Override
        public void close() {
            hosts.forEach(NetworkNamespace::close);
            bridge.close();
        }
    }

    private void command(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-n", name));
        all.addAll(List.of(arguments));
        ip(all.toArray(String[]::new));
    }

    private void plug(String device, String address) {
        ip("-n", name, "addr", "add", address + "/24", "brd", "+", "dev", device);
        ip("-n", name, "link", "set", device, "mtu", "9000", "up");
    }

    /** The kernel takes up to a second to notice that both ends are plugged in. */
    private void awaitCarrier(String device) {
        Await.until(
                "carrier of " + device,
                COMMAND_LIMIT,
                () -> ip("-n", name, "-o", "link", "show", device).contains("state UP"));
    }

    private static String ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(Arrays.asList(arguments));
        return ChildProcess.runToEnd(COMMAND_LIMIT, command);
    }

    /** Starts a program in the namespace; it ends with the namespace at the latest. */
    public ChildProcess start(List<String> command) {
        return start(command, ChildProcess.LIFE_LIMIT);
    }

    /** The same with a custom limit of its life. */
    public ChildProcess start(List<String> command, Duration lifeLimit) {
        List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", name));
        inside.addAll(command);
        ChildProcess child = ChildProcess.start(inside, lifeLimit);
        synchronized (children) {
            children.add(child);
        }
        return child;
    }

    /** Starts a program in the namespace; it ends with the namespace at the latest. */
    public ChildProcess start(String... command) {
        return start(Arrays.asList(command));
    }

    /** Runs a program to its end, which must be a success. */
    public String run(Duration limit, List<String> command) {
        try (ChildProcess child = start(command)) {
            return child.succeeds(limit);
        }
    }

    /** Runs a program to its end, which must be a success. */
    public String run(Duration limit, String... command) {
        return run(limit, Arrays.asList(command));
    }

    /** Starts a main class of this class path in the namespace. */
    public ChildProcess startJava(Class<?> mainClass, String... arguments) {
        return start(ChildProcess.java(List.of(), mainClass.getName(), Arrays.asList(arguments)));
    }

    /** Runs a main class of this class path in the namespace to its end, which must be a success. */
    public String runJava(Duration limit, Class<?> mainClass, String... arguments) {
        try (ChildProcess child = startJava(mainClass, arguments)) {
            return child.succeeds(limit);
        }
    }

    /** Ends what runs in it and removes it. Idempotent. */
    @Override
    public void close() {
        synchronized (children) {
            children.forEach(ChildProcess::kill);
            children.clear();
        }
        try (ChildProcess removal = ChildProcess.start(List.of("ip", "netns", "delete", name))) {
            removal.awaitEnd(COMMAND_LIMIT);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
