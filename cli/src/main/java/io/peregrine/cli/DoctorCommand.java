package io.peregrine.cli;

import io.peregrine.composite.internal.FileFailure;
import io.peregrine.doctor.CameraDoctor;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.Finding.Verdict;
import io.peregrine.doctor.FixScript;
import io.peregrine.doctor.HostChecks;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.RdmaDoctor;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Examines the host, and a camera. */
@Command(
        name = "doctor",
        description = "Examines what this host lacks for streaming, and a camera when one is named; says how to fix it."
                + " Changes nothing, but with --probe. Exit code 1 when something fails; warnings are no"
                + " failure.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";

    private final Supplier<RdmaDoctor> rdmaDoctor;
    private final Supplier<NetworkDoctor> networkDoctor;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(
            arity = "0..1",
            paramLabel = "CAMERA",
            description =
                    "Camera to examine as well: address, serial number, user-defined name or token. It is only read,"
                            + " but with --probe")
    private Optional<String> camera = Optional.empty();

    @Option(names = "--network", description = "What receiving over UDP needs; without any option all is examined")
    private boolean network;

    @Option(names = "--rdma", description = "What RDMA needs; without any option all is examined")
    private boolean rdma;

    @Option(
            names = "--interface",
            paramLabel = "ADDRESS",
            description =
                    "IPv4 address of the interface to examine for RDMA; by default those with an RDMA device, or all"
                            + " but loopback where there is none")
    private Optional<String> interfaceAddress = Optional.empty();

    @Option(
            names = "--probe",
            description =
                    "Take control of the camera for a few seconds, and let it send test packets to find the largest"
                            + " that arrives")
    private boolean probe;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "1",
            description = "How long to watch the counters of dropped packets; 1 s by default, 0 not at all")
    private Duration period;

    @Option(
            names = "--fix-script",
            paramLabel = "FILE",
            description = "Write the fixes as a shell script; - prints it instead of the findings." + " It is not run")
    private Optional<String> fixScript = Optional.empty();

    /** For picocli. */
    DoctorCommand() {
        this(RdmaDoctor::ofSystem, NetworkDoctor::ofSystem);
    }

    DoctorCommand(Supplier<RdmaDoctor> rdmaDoctor, Supplier<NetworkDoctor> networkDoctor) {
        this.rdmaDoctor = rdmaDoctor;
        this.networkDoctor = networkDoctor;
    }

    @Override
    public Integer call() {
        if (probe && camera.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--probe needs a camera that sends packets");
        }
        Map<String, List<Finding>> groups = new LinkedHashMap<>();
        if (network || !rdma) {
            groups.put("network", networkDoctor.get().examine(period));
        }
        camera.ifPresent(name -> groups.put("camera", examine(name)));
        if (rdma || !network) {
            groups.put("rdma", rdmaDoctor.get().examine(interfaceAddress.map(this::parse)));
        }
        if (network == rdma) {
            groups.putAll(HostChecks.ofModules());
        }
        Examination examination = new Examination(groups);
        Map<Verdict, Integer> counts = examination.counts();
        boolean printScript = fixScript.filter("-"::equals).isPresent();
        if (fixScript.isPresent()) {
            String script = FixScript.of(examination.findings());
            if (printScript) {
                output.printLines(script);
            } else {
                write(Path.of(fixScript.get()), script);
            }
        }
        if (printScript) {
            // Nothing but the script.
        } else if (output.json()) {
            output.print(examination.json());
        } else {
            groups.forEach((group, findings) -> print(group, findings));
            output.print(String.format(
                    Locale.ROOT,
                    "%d passed, %d skipped, %d to be improved, %d failed",
                    counts.get(Verdict.PASS),
                    counts.get(Verdict.SKIP),
                    counts.get(Verdict.WARN),
                    counts.get(Verdict.FAIL)));
        }
        return counts.get(Verdict.FAIL) == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private List<Finding> examine(String name) {
        CameraFinder finder = new CameraFinder();
        return new CameraDoctor(finder.factory(), name, () -> finder.findAnywhere(name), probe).examine();
    }

    private static void write(Path file, String script) {
        try {
            Files.writeString(file, script);
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "The script cannot be written to " + file + ": " + FileFailure.reason(e), e);
        }
    }

    private Inet4Address parse(String text) {
        try {
            // Only literals: a name would be looked up.
            if (text.matches(IPV4) && InetAddress.getByName(text) instanceof Inet4Address address) {
                return address;
            }
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), text + " is no IPv4 address", e);
        }
        throw new ParameterException(spec.commandLine(), text + " is no IPv4 address");
    }

    private void print(String group, List<Finding> findings) {
        output.print(group);
        for (Finding finding : findings) {
            output.print(String.format(
                    Locale.ROOT,
                    "%s  %-18s %s%s",
                    finding.verdict(),
                    finding.check(),
                    finding.subject().isEmpty() ? "" : finding.subject() + ": ",
                    finding.evidence()));
            if (!finding.fix().isEmpty()) {
                output.print(String.format(Locale.ROOT, "      %-18s -> %s", "", finding.fix()));
            }
        }
        output.print("");
    }
}
