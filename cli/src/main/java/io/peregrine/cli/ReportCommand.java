package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.doctor.CameraDoctor;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.RdmaDoctor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
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
    /** First address and bytes of the areas that hold bootstrap registers (GigE Vision 2.2). */
    private static final int[][] AREAS = {
        {0x0000, 0x00F8},
        {0x0200, 0x0200},
        {0x0400, 0x0200},
        {0x0600, 4},
        {0x064C, 4},
        {0x065C, 4},
        {0x066C, 8},
        {0x0900, 16},
        {0x092C, 12},
        {0x0938, 12},
        {0x0948, 8},
        {0x0954, 8},
        {0x0960, 16},
        {0x0A00, 8},
        {0x0A14, 4},
        {0x0B00, 4},
        {0x0B10, 16},
        {0x0D00, 12},
        {0x0D18, 40},
        {0x9000, 0x0200},
    };

    private static final Duration WATCH = Duration.ofSeconds(1);

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Parameters(
            arity = "0..1",
            paramLabel = "CAMERA",
            description = "Camera to tell about: address, serial number, user-defined name or token")
    private Optional<String> camera = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the report goes; peregrine-report.zip by default")
    private Path file = Path.of("peregrine-report.zip");

    @Option(names = "--force", description = "Replace a file that is there already")
    private boolean force;

    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final StringBuilder errors = new StringBuilder();

    @Override
    public Integer call() {
        if (!force && Files.isRegularFile(file)) {
            throw alreadyThere();
        }
        add("versions.txt", this::versions);
        add("discovery.json", () -> discovered().toPrettyString());
        add("doctor.json", () -> doctor().toPrettyString());
        camera.ifPresent(name -> attempt("camera", () -> about(name)));
        entries.put("errors.txt", errors.toString().getBytes(StandardCharsets.UTF_8));
        write();
        if (output.json()) {
            ObjectNode object = Output.object().put("file", file.toString());
            ArrayNode names = object.putArray("entries");
            entries.keySet().forEach(names::add);
            object.put("errors", errors.toString());
            output.print(object);
        } else {
            output.print(file + ": " + String.join(", ", entries.keySet()));
            output.printLines(
                    errors.length() == 0
                            ? "nothing is missing"
                            : "left out:\n" + errors.toString().stripTrailing());
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
        attempt("control channel", () -> {
            try (DeviceRegisters registers = factory.openRegisters(info)) {
                add("registers.txt", () -> registers(registers));
                attempt("description.xml", () -> entries.put("description.xml", registers.description()));
            }
        });
        attempt("device", () -> {
            info.setParameter("AccessMode", "ReadOnly");
            try (Device device = factory.open(info)) {
                for (String map : device.nodeMapNames()) {
                    add(map + ".txt", () -> values(device, map));
                }
                add("problems.txt", () -> {
                    StringBuilder text = new StringBuilder();
                    device.nodes()
                            .problems()
                            .forEach(problem -> text.append(problem).append('\n'));
                    return text.toString();
                });
            }
        });
    }

    private String versions() {
        return String.join(
                "\n",
                output.version(),
                "Java " + System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vm.name") + ", "
                        + System.getProperty("java.vendor"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors() + " processors, "
                        + (Runtime.getRuntime().maxMemory() >> 20) + " MiB heap at most",
                "");
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
        attempt(
                "doctor, network",
                () -> groups.put("network", NetworkDoctor.ofSystem().examine(WATCH)));
        camera.ifPresent(name -> attempt("doctor, camera", () -> groups.put("camera", examine(name))));
        attempt("doctor, rdma", () -> groups.put("rdma", RdmaDoctor.ofSystem().examine(Optional.empty())));
        return new Examination(groups).json();
    }

    private List<Finding> examine(String name) {
        return new CameraDoctor(finder.factory(), name, () -> finder.findAnywhere(name), false).examine();
    }

    private String registers(DeviceRegisters registers) {
        StringBuilder text = new StringBuilder();
        for (int[] area : AREAS) {
            try {
                byte[] bytes = registers.read(area[0], area[1]);
                for (int offset = 0; offset < bytes.length; offset += 16) {
                    int end = Math.min(offset + 16, bytes.length);
                    text.append(String.format(Locale.ROOT, "%04X  ", area[0] + offset))
                            .append(HexFormat.ofDelimiter(" ").formatHex(bytes, offset, end))
                            .append('\n');
                }
            } catch (DeviceTimeoutException e) {
                // A camera that is gone would keep everybody waiting once for each area.
                if (text.length() == 0) {
                    throw e;
                }
                leftOut(area[0], e);
                break;
            } catch (RuntimeException e) {
                leftOut(area[0], e);
            }
        }
        return text.toString();
    }

    private void leftOut(int address, RuntimeException cause) {
        errors.append(String.format(Locale.ROOT, "registers from 0x%04X: %s%n", address, cause.getMessage()));
    }

    private static String values(Device device, String map) {
        StringBuilder text = new StringBuilder();
        FeatureValue.all(device.nodeMap(map))
                .forEach((feature, value) ->
                        text.append(feature).append('\t').append(value).append('\n'));
        return text.toString();
    }

    private void add(String entry, Supplier<String> content) {
        attempt(entry, () -> entries.put(entry, content.get().getBytes(StandardCharsets.UTF_8)));
    }

    private void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            errors.append(what).append(": ").append(Messages.of(e)).append('\n');
        }
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
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(target))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
    }
}
