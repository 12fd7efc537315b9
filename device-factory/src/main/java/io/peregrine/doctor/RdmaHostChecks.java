package io.peregrine.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What RDMA needs of the host as a whole. */
final class RdmaHostChecks {
    private static final int ROCE_PORT = 4791;
    private static final long MIB = 1 << 20;
    /** Not even one image of a small camera fits. */
    private static final long LOCKED_AT_LEAST_BYTES = MIB;
    /** Ten containers of 100 MB, the flow sets that a stream has by default. */
    private static final long LOCKED_ENOUGH_BYTES = 1024 * MIB;
    /** What the provider {@code software} asks the system for. */
    private static final long SOCKET_BUFFER_BYTES = 8 * MIB;

    private static final long CONTAINER_MEMORY_ENOUGH_BYTES = 512 * MIB;
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_IPC_LOCK = 14;
    private static final Pattern CONTAINER = Pattern.compile("docker|kubepods|containerd|libpod|crio|lxc");
    private static final Pattern ROOT_IS_OVERLAY = Pattern.compile("(?m)^\\S+ \\S+ \\S+ \\S+ / .* - overlay ");

    private final HostFiles host;
    private final List<RdmaPort> ports;
    private final Map<LocalAddress, List<ProviderProbe.Attempt>> attempts;

    RdmaHostChecks(HostFiles host, List<RdmaPort> ports, Map<LocalAddress, List<ProviderProbe.Attempt>> attempts) {
        this.host = host;
        this.ports = ports;
        this.attempts = attempts;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(libraries());
        findings.add(devices());
        findings.addAll(deviceFiles());
        findings.add(lockedMemory());
        findings.addAll(containerLimits());
        findings.add(udpPort());
        findings.add(socketBuffers("receive buffer", "rmem_max"));
        findings.add(socketBuffers("send buffer", "wmem_max"));
        return findings;
    }

    private boolean noDevice() {
        return ports.isEmpty();
    }

    private Optional<ProviderProbe.Attempt> verbs() {
        return attempts.values().stream()
                .flatMap(List::stream)
                .filter(attempt -> attempt.provider().equals("verbs"))
                .findFirst();
    }

    /** The provider looks for them one after the other and names the first that is missing. */
    private List<Finding> libraries() {
        List<Finding> findings = new ArrayList<>();
        boolean reached = true;
        String refusal = verbs().map(ProviderProbe.Attempt::refusal).orElse("");
        for (String library : List.of("libibverbs.so.1", "librdmacm.so.1")) {
            if (verbs().isEmpty()) {
                findings.add(Finding.skip("library", library, "the provider verbs could not be asked"));
            } else if (!reached || refusal.contains("JNA") || refusal.contains("64-bit")) {
                findings.add(Finding.skip("library", library, "not looked for: " + refusal));
            } else if (refusal.startsWith(library + " ")) {
                reached = false;
                String fix = "Debian, Ubuntu: apt install libibverbs1 librdmacm1 ibverbs-providers; Fedora, RHEL: dnf"
                        + " install libibverbs librdmacm";
                findings.add(
                        noDevice()
                                ? Finding.warn("library", library, refusal, fix)
                                : Finding.fail("library", library, refusal, fix));
            } else {
                findings.add(Finding.pass("library", library, "found"));
            }
        }
        return findings;
    }

    private Finding devices() {
        if (noDevice()) {
            return Finding.warn(
                    "device",
                    "",
                    "there is no RDMA device (" + host.sys().resolve("class/infiniband") + " is empty or missing);"
                            + " what is left is RoCEv2 in software, for development and tests",
                    "load the driver of the adapter, or: modprobe -a rdma_rxe ib_uverbs rdma_ucm && rdma link add rxe0"
                            + " type rxe netdev INTERFACE");
        }
        List<String> texts = new ArrayList<>();
        for (RdmaPort port : ports) {
            List<String> about = new ArrayList<>();
            about.add(
                    port.networkInterfaces().isEmpty()
                            ? "no network interface"
                            : String.join(", ", port.networkInterfaces()));
            if (port.software()) {
                about.add("software of the kernel");
            }
            HostFiles.text(port.deviceFolder().resolve("fw_ver"))
                    .ifPresent(version -> about.add("firmware " + version));
            HostFiles.text(port.deviceFolder().resolve("board_id")).ifPresent(about::add);
            texts.add(port + " (" + String.join("; ", about) + ")");
        }
        return Finding.pass("device", "", String.join(", ", texts));
    }

    private List<Finding> deviceFiles() {
        Path folder = host.dev().resolve("infiniband");
        if (noDevice()) {
            return List.of(Finding.skip("device file", folder.toString(), "there is no RDMA device"));
        }
        List<Finding> findings = new ArrayList<>();
        List<String> verbs = HostFiles.names(folder).stream()
                .filter(name -> name.startsWith("uverbs"))
                .toList();
        if (verbs.isEmpty()) {
            findings.add(Finding.fail(
                    "device file",
                    folder.resolve("uverbs*").toString(),
                    "missing",
                    "modprobe ib_uverbs; in a container: --device /dev/infiniband"));
        }
        verbs.forEach(name -> findings.add(permitted(folder.resolve(name))));
        Path manager = folder.resolve("rdma_cm");
        findings.add(
                Files.exists(manager)
                        ? permitted(manager)
                        : Finding.fail(
                                "device file",
                                manager.toString(),
                                "missing",
                                "modprobe rdma_ucm; in a container: --device /dev/infiniband"));
        return findings;
    }

    private static Finding permitted(Path file) {
        if (Files.isReadable(file) && Files.isWritable(file)) {
            return Finding.pass("device file", file.toString(), "may be read and written");
        }
        return Finding.fail(
                "device file",
                file.toString(),
                "this user may not read and write it",
                "install the rules of rdma-core, or add the user to the group of the file (ls -l " + file + ")");
    }

    private Finding lockedMemory() {
        if (noDevice()) {
            return Finding.skip("locked memory", "", "RoCEv2 in software locks none");
        }
        Optional<String> limit = HostFiles.text(host.proc().resolve("self/limits"))
                .flatMap(text -> first(text, "(?m)^Max locked memory\\s+(\\S+)"));
        if (limit.isEmpty()) {
            return Finding.skip("locked memory", "", host.proc().resolve("self/limits") + " does not report the limit");
        }
        if (limit.get().equals("unlimited")) {
            return Finding.pass("locked memory", "", "unlimited");
        }
        OptionalLong bytes = parse(limit.get());
        if (bytes.isEmpty()) {
            return Finding.skip("locked memory", "", "the limit is '" + limit.get() + "'");
        }
        String evidence = "this user may lock " + size(bytes.getAsLong());
        if (capability(CAP_IPC_LOCK)) {
            return Finding.pass("locked memory", "", evidence + ", but CAP_IPC_LOCK lifts the limit");
        }
        String fix = "'* - memlock unlimited' in /etc/security/limits.d/rdma.conf and log in again; systemd:"
                + " LimitMEMLOCK=infinity; containers: --ulimit memlock=-1";
        if (bytes.getAsLong() < LOCKED_AT_LEAST_BYTES) {
            return Finding.fail("locked memory", "", evidence, fix);
        }
        return bytes.getAsLong() < LOCKED_ENOUGH_BYTES
                ? Finding.warn("locked memory", "", evidence + "; a stream locks all its flow sets", fix)
                : Finding.pass("locked memory", "", evidence);
    }

    private List<Finding> containerLimits() {
        String groups = HostFiles.text(host.proc().resolve("self/cgroup")).orElse("");
        boolean container = CONTAINER.matcher(groups).find()
                // The engines leave these in the root of a container, which may have control groups that look like a
                // host's.
                || Files.exists(host.proc().resolve("self/root/.dockerenv"))
                || Files.exists(host.proc().resolve("self/root/run/.containerenv"))
                || CONTAINER
                        .matcher(HostFiles.text(host.proc().resolve("1/cgroup")).orElse(""))
                        .find()
                || ROOT_IS_OVERLAY
                        .matcher(HostFiles.text(host.proc().resolve("self/mountinfo"))
                                .orElse(""))
                        .find();
        List<Finding> findings = new ArrayList<>();
        OptionalLong memory = memoryLimit(groups);
        String where = container ? "runs in a container" : "no container found";
        if (memory.isPresent() && memory.getAsLong() < CONTAINER_MEMORY_ENOUGH_BYTES) {
            findings.add(Finding.warn(
                    "container",
                    "memory",
                    where + "; its control group may use " + size(memory.getAsLong())
                            + ", flow sets and Java heap together",
                    "raise the limit (containers: --memory)"));
        } else {
            findings.add(Finding.pass(
                    "container",
                    "memory",
                    where
                            + (memory.isPresent()
                                    ? "; limit of the control group " + size(memory.getAsLong())
                                    : "; no limit of a control group found")));
        }
        HostFiles.text(unifiedGroup(groups).resolve("rdma.max"))
                .filter(text -> text.matches("(?s).*=\\d.*"))
                .ifPresent(text -> findings.add(Finding.warn(
                        "container",
                        "RDMA objects",
                        "the control group allows " + text.replace("\n", ", "),
                        "raise rdma.max of the control group if queues cannot be made")));
        return findings;
    }

    private OptionalLong memoryLimit(String groups) {
        OptionalLong unified = HostFiles.number(unifiedGroup(groups).resolve("memory.max"));
        if (unified.isPresent()) {
            return unified;
        }
        String group =
                first(groups, "(?m)^\\d+:(?:[^:]*,)?memory(?:,[^:]*)?:/?(.*)$").orElse("");
        Path root = host.sys().resolve("fs/cgroup/memory");
        OptionalLong limit = HostFiles.number(root.resolve(group).resolve("memory.limit_in_bytes"));
        // A container sees its own group as the root, whatever the path says.
        OptionalLong found = limit.isPresent() ? limit : HostFiles.number(root.resolve("memory.limit_in_bytes"));
        // Without limit the kernel reports the largest multiple of a page.
        return found.isPresent() && found.getAsLong() < Long.MAX_VALUE / 2 ? found : OptionalLong.empty();
    }

    private Path unifiedGroup(String groups) {
        Path root = host.sys().resolve("fs/cgroup");
        Path group = root.resolve(first(groups, "(?m)^0::/?(.*)$").orElse(""));
        return Files.isDirectory(group) ? group : root;
    }

    private Finding udpPort() {
        String subject = Integer.toString(ROCE_PORT);
        boolean softRoce = ports.stream().anyMatch(port -> port.device().startsWith("rxe"));
        if (Files.isDirectory(host.sys().resolve("module/rdma_rxe"))) {
            return softRoce
                    ? Finding.pass("UDP port", subject, "belongs to the kernel's Soft-RoCE: provider verbs")
                    : Finding.warn(
                            "UDP port",
                            subject,
                            "belongs to the kernel's Soft-RoCE (module rdma_rxe), which has no device here",
                            "rdma link add rxe0 type rxe netdev INTERFACE, or modprobe -r rdma_rxe to use the provider"
                                    + " software");
        }
        List<String> owners = new ArrayList<>();
        for (String table : List.of("net/udp", "net/udp6")) {
            Matcher matcher = Pattern.compile(
                            String.format(Locale.ROOT, "(?m)^\\s*\\d+: ([0-9A-F]{8,32}):%04X ", ROCE_PORT))
                    .matcher(HostFiles.text(host.proc().resolve(table)).orElse(""));
            while (matcher.find()) {
                String hex = matcher.group(1);
                owners.add(hex.length() == 8 ? HostFiles.address(hex) : "an IPv6 address");
            }
        }
        if (owners.isEmpty()) {
            return Finding.pass("UDP port", subject, "free");
        }
        return Finding.warn(
                "UDP port",
                subject,
                "in use at " + String.join(", ", owners) + ": the provider software cannot have these addresses",
                "end the other program (ss -uanp 'sport = :" + subject + "'), or give it another address");
    }

    private Finding socketBuffers(String check, String name) {
        OptionalLong limit =
                HostFiles.number(host.proc().resolve("sys/net/core").resolve(name));
        String subject = "net.core." + name;
        if (limit.isEmpty()) {
            return Finding.skip(check, subject, host.proc().resolve("sys/net/core") + " does not report it");
        }
        String evidence = size(limit.getAsLong()) + ", the provider software asks for " + size(SOCKET_BUFFER_BYTES);
        if (limit.getAsLong() >= SOCKET_BUFFER_BYTES) {
            return Finding.pass(check, subject, evidence);
        }
        if (capability(CAP_NET_ADMIN)) {
            return Finding.pass(check, subject, evidence + "; CAP_NET_ADMIN lifts the limit");
        }
        return Finding.warn(
                        check,
                        subject,
                        evidence + ": packets may be lost in bursts",
                        "sysctl -w " + subject + "=" + SOCKET_BUFFER_BYTES)
                .by(ShellCommand.Template.SYSCTL, subject.replace('.', '/'), SOCKET_BUFFER_BYTES);
    }

    /** Those of a process in a user namespace, as in a container without root, lift no limit of the host. */
    private boolean capability(int bit) {
        boolean wholeHost = HostFiles.text(host.proc().resolve("self/uid_map"))
                .filter(map -> map.matches("0\\s+0\\s+4294967295"))
                .isPresent();
        return wholeHost && effective(bit);
    }

    private boolean effective(int bit) {
        return HostFiles.text(host.proc().resolve("self/status"))
                .flatMap(text -> first(text, "(?m)^CapEff:\\s+([0-9a-f]{1,16})$"))
                .filter(mask -> (Long.parseUnsignedLong(mask, 16) >>> bit & 1) == 1)
                .isPresent();
    }

    private static Optional<String> first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static OptionalLong parse(String digits) {
        return digits.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }

    private static String size(long bytes) {
        return bytes < MIB
                ? String.format(Locale.ROOT, "%.0f KiB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.0f MiB", bytes / (double) MIB);
    }
}
