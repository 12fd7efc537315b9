package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.doctor.CameraDoctor;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.RdmaDoctor;
import io.peregrine.doctor.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Collects what a bug report needs. */
@Command(
        name = "report",
        description =
                "Collects what a bug report needs into a zip file: versions, what the doctor finds, who answers, and of"
                        + " a camera its registers, description, features and counters. Takes no control and changes"
                        + " nothing. What is unavailable is listed in errors.txt instead, so it works with a camera"
                        + " that cannot be opened.",
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    private static final Duration WATCH = Duration.ofSeconds(1);

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Parameters(
            arity = "0..1",
            paramLabel = "CAMERA",
            description = "Camera to report on: address, serial number, user-defined name or token")
    private Optional<String> camera = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the report goes; peregrine-report.zip by default")
    private Path file = Path.of("peregrine-report.zip");

    @Option(names = "--force", description = "Replace a file that is there already")
    private boolean force;

    private final Report report = new Report(Messages::of);

    @Override
    public Integer call() {
        if (!force && Files.isRegularFile(file)) {
            throw alreadyThere();
        }
        report.addVersions(output.version());
        report.add("discovery.json", () -> discovered().toPrettyString());
        report.add("doctor.json", () -> doctor().toPrettyString());
        camera.ifPresent(name -> report.attempt("camera", () -> about(name)));
        write();
        if (output.json()) {
            ObjectNode object = Output.object().put("file", file.toString());
            ArrayNode names = object.putArray("entries");
            report.entries().forEach(names::add);
            object.put("errors", report.errors());
            output.print(object);
        } else {
            output.print(file + ": " + String.join(", ", report.entries()));
            output.printLines(
                    report.errors().isEmpty()
                            ? "nothing is missing"
                            : "left out:\n" + report.errors().stripTrailing());
            output.print("It has addresses, serial numbers and settings in it: look through it before you pass it on.");
        }
        return ExitCodes.OK;
    }

    private void about(String name) {
        Devices factory = finder.factory();
        DiscoveryInformation info = finder.findAnywhere(name);
        if (info.foreignSubnet()) {
            throw new CliException(
                    ExitCodes.CONNECTION,
                    "it is at " + info.address().getHostAddress() + ", outside the subnet of "
                            + info.interfaceName() + ", and cannot be asked there: ./peregrine ip " + name
                            + " --auto gives it an address that fits");
        }
        report.attempt("control channel", () -> {
            try (DeviceRegisters registers = factory.openRegisters(info)) {
                report.add(registers);
            }
        });
        report.attempt("device", () -> {
            info.setParameter("AccessMode", "ReadOnly");
            try (Device device = factory.open(info)) {
                report.add(device);
            }
        });
    }

    private ArrayNode discovered() {
        ArrayNode array = Output.array();
        for (DiscoveryInformation info : finder.findAll()) {
            ObjectNode object = array.addObject();
            info.properties().forEach(object::put);
        }
        return array;
    }

    private ObjectNode doctor() {
        Map<String, List<Finding>> groups = new LinkedHashMap<>();
        report.attempt(
                "doctor, network",
                () -> groups.put("network", NetworkDoctor.ofSystem().examine(WATCH)));
        camera.ifPresent(name -> report.attempt("doctor, camera", () -> groups.put("camera", examine(name))));
        report.attempt(
                "doctor, rdma", () -> groups.put("rdma", RdmaDoctor.ofSystem().examine(Optional.empty())));
        return new Examination(groups).json();
    }

    private List<Finding> examine(String name) {
        return new CameraDoctor(finder.factory(), name, () -> finder.findAnywhere(name), false).examine();
    }

    private CliException alreadyThere() {
        return new CliException(
                ExitCodes.FAILED, file + " is there already: give another file by --output, or --force to replace it");
    }

    private void write() {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A pipe or a device takes what it is given; a file in its place would be another thing.
                writeTo(file);
                return;
            }
            // What only its owner may read comes into its place when it is complete.
            Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), "peregrine-report", ".part");
            try {
                writeTo(draft);
                CopyOption[] options =
                        force ? new CopyOption[] {StandardCopyOption.REPLACE_EXISTING} : new CopyOption[0];
                Files.move(draft, file, options);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (FileAlreadyExistsException e) {
            throw alreadyThere();
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "The report cannot be written to " + file + ": " + FileFailure.reason(e), e);
        }
    }

    private void writeTo(Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            report.writeTo(out);
        }
    }
}
