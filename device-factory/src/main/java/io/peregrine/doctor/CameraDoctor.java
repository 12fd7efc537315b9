package io.peregrine.doctor;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.device.DeviceNetwork;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Problem;
import io.peregrine.gvcp.BootstrapRegister;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Examines one camera: how it is reached, who has it, what it can do. Reads only, and takes no control, but to try the
 * path where that is wanted.
 */
public final class CameraDoctor {
    private static final long LONG_HEARTBEAT_MS = 10_000;

    private final Devices factory;
    private final Supplier<DiscoveryInformation> finder;
    private final String name;
    private final boolean probe;
    private final boolean controlledHere;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * A doctor for a camera.
     *
     * @param factory reaches it
     * @param name what findings call it
     * @param finder looks for it
     * @param probe whether to take control of it, and let it send test packets
     */
    public CameraDoctor(Devices factory, String name, Supplier<DiscoveryInformation> finder, boolean probe) {
        this(factory, name, finder, probe, false);
    }

    private CameraDoctor(
            Devices factory,
            String name,
            Supplier<DiscoveryInformation> finder,
            boolean probe,
            boolean controlledHere) {
        this.factory = factory;
        this.finder = finder;
        this.name = name;
        this.probe = probe;
        this.controlledHere = controlledHere;
    }

    /**
     * A doctor that does not wonder that the camera is controlled.
     *
     * @param by whether the program that asks controls it
     */
    public CameraDoctor controlledHere(boolean by) {
        return new CameraDoctor(factory, name, finder, probe, by);
    }

    /** Examines the camera; a check that fails hides no other. */
    public List<Finding> examine() {
        findings.clear();
        Optional<DiscoveryInformation> found = discover();
        if (found.isPresent()) {
            DiscoveryInformation info = found.get();
            if (!info.foreignSubnet()) {
                attempt("registers", () -> registers(info));
                attempt("description", () -> features(info));
                attempt("path", () -> path(info));
            }
        }
        return List.copyOf(findings);
    }

    private void attempt(String check, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            findings.add(Finding.fail(
                    check,
                    name,
                    String.valueOf(e.getMessage()),
                    "look at cable and firewall; ./peregrine report " + name + " collects what can be had"));
        }
    }

    private Optional<DiscoveryInformation> discover() {
        try {
            DiscoveryInformation info = finder.get();
            String where = info.address().getHostAddress() + " through " + info.interfaceName();
            findings.add(Finding.pass("discovery", name, info.vendor() + " " + info.model() + " at " + where));
            if (info.foreignSubnet()) {
                findings.add(Finding.fail(
                        "subnet",
                        name,
                        where + ", which has another subnet",
                        "./peregrine ip " + name + " --auto gives it an address that fits"));
            } else {
                findings.add(Finding.pass("subnet", name, "fits that of " + info.interfaceName()));
            }
            return Optional.of(info);
        } catch (RuntimeException e) {
            findings.add(Finding.fail(
                    "discovery",
                    name,
                    String.valueOf(e.getMessage()),
                    "look at power and cable; let UDP from port 3956 through the firewall; give the camera's address"
                            + " instead of its name"));
            return Optional.empty();
        }
    }

    private void registers(DiscoveryInformation info) {
        try (DeviceRegisters registers = factory.openRegisters(info)) {
            route(info, registers.localAddress());
            access(registers);
            int version = registers.read(BootstrapRegister.VERSION);
            findings.add(Finding.pass("GigE Vision", name, "version " + (version >>> 16) + "." + (version & 0xFFFF)));
            capabilities(registers.capability());
            heartbeat(registers);
            persistentAddress(registers);
        }
    }

    /** Packets that leave by another interface than the camera is on reach it only by luck. */
    private void route(DiscoveryInformation info, InetAddress local) {
        String by;
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(local);
            by = network == null ? "" : network.getName();
        } catch (SocketException e) {
            by = "";
        }
        if (by.isEmpty() || info.interfaceName().isEmpty()) {
            findings.add(Finding.skip("route", name, "from " + local.getHostAddress()));
        } else if (by.equals(info.interfaceName())) {
            findings.add(Finding.pass("route", name, "by " + by + " from " + local.getHostAddress()));
        } else {
            findings.add(Finding.fail(
                    "route",
                    name,
                    "leads over " + by + ", but the camera answered on " + info.interfaceName(),
                    "ip route add " + info.address().getHostAddress() + "/32 dev " + info.interfaceName()));
        }
    }

    private void access(DeviceRegisters registers) {
        int privilege = registers.read(BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE);
        if ((privilege & (BootstrapRegister.CCP_CONTROL | BootstrapRegister.CCP_EXCLUSIVE)) == 0) {
            findings.add(Finding.pass("access", name, "free"));
            return;
        }
        if (controlledHere) {
            findings.add(Finding.pass("access", name, "controlled from here"));
            return;
        }
        String owner = "another application";
        if ((registers.capability() & BootstrapRegister.GVCP_CAPABILITY_APPLICATION_REGISTERS) != 0) {
            owner = address(registers.read(BootstrapRegister.PRIMARY_APPLICATION_IP_ADDRESS)) + ":"
                    + (registers.read(BootstrapRegister.PRIMARY_APPLICATION_PORT) & 0xFFFF);
        }
        findings.add(Finding.warn(
                "access",
                name,
                "controlled by " + owner,
                "end that program, or open the camera with AccessMode=ReadOnly"));
    }

    private void capabilities(int bits) {
        List<String> can = new ArrayList<>();
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_PACKET_RESEND, "resend");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_EVENT, "events");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_ACTION, "actions");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_IEEE_1588, "IEEE 1588");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_TEST_DATA, "test data");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_CONCATENATION, "several registers a command");
        note(can, bits, BootstrapRegister.GVCP_CAPABILITY_MANIFEST, "manifest");
        String evidence = can.isEmpty() ? "none" : String.join(", ", can);
        findings.add(
                can.contains("resend")
                        ? Finding.pass("capabilities", name, evidence)
                        : Finding.warn(
                                "capabilities",
                                name,
                                evidence + "; no resend: what is lost stays lost",
                                "leave room on the link: GevSCPD (packet delay), or fewer frames a second"));
    }

    private static void note(List<String> can, int bits, int bit, String word) {
        if ((bits & bit) != 0) {
            can.add(word);
        }
    }

    private void heartbeat(DeviceRegisters registers) {
        long millis = Integer.toUnsignedLong(registers.read(BootstrapRegister.HEARTBEAT_TIMEOUT));
        int configuration = registers.read(BootstrapRegister.GVCP_CONFIGURATION);
        boolean disabled = (configuration & BootstrapRegister.GVCP_CONFIGURATION_HEARTBEAT_DISABLE) != 0;
        findings.add(
                disabled || millis > LONG_HEARTBEAT_MS
                        ? Finding.warn(
                                "heartbeat",
                                name,
                                disabled ? "disabled" : millis + " ms",
                                "a program that dies keeps the camera that long: ./peregrine set " + name
                                        + " GevGVCPHeartbeatDisable=0 GevHeartbeatTimeout=3000")
                        : Finding.pass("heartbeat", name, millis + " ms"));
    }

    private void persistentAddress(DeviceRegisters registers) {
        int enabled = registers.read(BootstrapRegister.CURRENT_IP_CONFIGURATION);
        if ((enabled & BootstrapRegister.IP_PERSISTENT) == 0) {
            findings.add(Finding.pass("persistent address", name, "not used"));
            return;
        }
        int kept = registers.read(BootstrapRegister.PERSISTENT_IP_ADDRESS);
        int mask = registers.read(BootstrapRegister.PERSISTENT_SUBNET_MASK);
        int present = registers.read(BootstrapRegister.CURRENT_IP_ADDRESS);
        String evidence = address(kept) + ", mask " + address(mask);
        int ones = Integer.bitCount(mask);
        boolean possible = kept != 0 && ones > 0 && mask == -1 << (32 - ones);
        if (possible && (kept & mask) == (present & mask)) {
            findings.add(Finding.pass("persistent address", name, evidence));
        } else {
            findings.add(Finding.warn(
                    "persistent address",
                    name,
                    evidence + (possible ? ", another subnet than now" : ", which is no address of a host"),
                    "./peregrine ip " + name + " --persistent " + address(present) + "/24"));
        }
    }

    private void features(DiscoveryInformation info) {
        info.setParameter("AccessMode", "ReadOnly");
        try (Device device = factory.open(info)) {
            NodeMap nodes = device.nodes();
            List<Problem> problems = nodes.problems();
            String evidence = nodes.nodes().size() + " nodes, schema " + nodes.schemaVersion() + ", " + problems.size()
                    + " problems";
            findings.add(
                    problems.isEmpty()
                            ? Finding.pass("description", name, evidence)
                            : Finding.warn(
                                    "description",
                                    name,
                                    evidence + ", the first: " + problems.get(0),
                                    "./peregrine xml " + name
                                            + " --check lists them; features named there may be missing"));
            throughput(nodes);
            packetSize(nodes, device.network().localAddress());
        }
    }

    /** The largest packets that arrive: a switch with a smaller MTU drops larger ones silently. */
    private void path(DiscoveryInformation info) {
        if (!probe) {
            findings.add(Finding.skip("path", name, "not tried; --probe lets the camera send test packets"));
            return;
        }
        info.setParameter("AccessMode", "Control").setParameter("UseRdma", "0");
        DeviceNetwork.PacketPath path;
        try (Device device = factory.open(info)) {
            path = device.network().probePath(0);
        } catch (DeviceAccessDeniedException e) {
            findings.add(Finding.skip("path", name, "not tried: " + e.getMessage()));
            return;
        }
        findings.add(path(path, name, info.address().getHostAddress()));
    }

    /**
     * What a probe of the path found, in words.
     *
     * @param path what arrived
     * @param name what the finding calls the camera
     * @param address of the camera
     */
    public static Finding path(DeviceNetwork.PacketPath path, String name, String address) {
        String mtu = ", the MTU here is " + path.interfaceMtuBytes();
        if (path.largestBytes().isEmpty()) {
            return Finding.warn(
                    "path",
                    name,
                    "not one test packet arrived, not even of " + path.smallestTriedBytes()
                            + " bytes; a few cameras send none",
                    "let UDP from " + address + " through the firewall; ip route get " + address
                            + " must name the interface of the camera");
        }
        int largest = path.largestBytes().getAsInt();
        if (path.complete()) {
            return Finding.pass("path", name, "packets of " + largest + " bytes arrive" + mtu);
        }
        if (path.deviceLimit()) {
            return Finding.pass(
                    "path", name, "packets of " + largest + " bytes arrive, and the camera makes no larger ones" + mtu);
        }
        return Finding.warn(
                "path",
                name,
                "packets of more than " + largest + " bytes get lost" + mtu,
                "allow jumbo frames on each switch on the way; until then PacketSize=negotiate finds a usual"
                        + " size that passes, or give " + largest);
    }

    private void throughput(NodeMap nodes) {
        Optional<Long> limit = value(nodes, "DeviceLinkThroughputLimit");
        Optional<Long> speed = value(nodes, "DeviceLinkSpeed");
        if (limit.isEmpty() || speed.isEmpty() || speed.get() <= 0) {
            findings.add(Finding.skip("throughput", name, "the camera does not report limit and link speed"));
        } else if (limit.get() > speed.get()) {
            findings.add(Finding.warn(
                    "throughput",
                    name,
                    "limit of " + limit.get() + " bytes/s on a link of " + speed.get(),
                    "./peregrine set " + name + " DeviceLinkThroughputLimit=" + speed.get() / 100 * 95));
        } else {
            findings.add(Finding.pass(
                    "throughput", name, "limit of " + limit.get() + " bytes/s on a link of " + speed.get()));
        }
    }

    private void packetSize(NodeMap nodes, InetAddress local) {
        Optional<Long> size = value(nodes, "GevSCPSPacketSize");
        int mtu = 0;
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(local);
            mtu = network == null ? 0 : network.getMTU();
        } catch (SocketException e) {
            mtu = 0;
        }
        if (size.isEmpty() || mtu <= 0) {
            findings.add(Finding.skip("packet size", name, "camera or interface does not report it"));
        } else if (size.get() > mtu) {
            findings.add(Finding.warn(
                    "packet size",
                    name,
                    size.get() + " bytes, more than the MTU of " + mtu + " here",
                    "leave PacketSize=negotiate, or: ./peregrine set " + name + " GevSCPSPacketSize=" + (mtu & ~3)));
        } else {
            findings.add(Finding.pass("packet size", name, size.get() + " bytes, MTU " + mtu));
        }
    }

    private static Optional<Long> value(NodeMap nodes, String feature) {
        return nodes.find(feature)
                .filter(IntegerNode.class::isInstance)
                .filter(Node::readable)
                .map(node -> ((IntegerNode) node).value());
    }

    private static String address(int bits) {
        return AddressConfiguration.ofBits(bits).getHostAddress();
    }
}
