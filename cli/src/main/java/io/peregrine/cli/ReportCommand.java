package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.device.DiscoveryInformation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
                        + " a camera its registers, description, features and counters. Takes no control and changes nothing. What"
                        + " cannot be had is left out and told in errors.txt, so it works with a camera that cannot be opened.",
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
            description = "Camera to tell about: address, serial number, user name or token")
    private Optional<String> camera = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the report goes; peregrine-report.zip by default")
    private Path file = Path.of("peregrine-report.zip");

    @Option(names = "--force", description = "Overwrite the file if there is one")
    private boolean force;

    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final StringBuilder errors = new StringBuilder();

    @Override
    public Integer call() {
        if (!force && Files.isRegularFile(file)) {
            throw new CliException(
                    ExitCodes.FAILED,
                    file + " is there already: add --force to overwrite it, or name another by --output");
        }
        add("versions.txt", ReportCommand::versions);
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
            output.print(
                    errors.length() == 0
                            ? "nothing is missing"
                            : "left out:\n" + errors.toString().stripTrailing());
            output.print("It has addresses, serial numbers and settings in it: look through it before you pass it on.");
        }
        return ExitCodes.OK;
    }

    private void about(String name) {
        DeviceFactory factory = finder.factory();
        DiscoveryInformation info = finder.findAnywhere(name);
        if (info.foreignSubnet()) {
            throw new CliException(
                    ExitCodes.CONNECTION,
                    "it stands at " + info.address().getHostAddress() + ", outside the subnet of "
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
            try (Device device = factory.openDevice(info)) {
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

    private static String versions() {
        return String.join(
                "\n",
                String.join(
                        " ", PeregrineMain.class.getAnnotation(Command.class).version()),
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
        camera.ifPresent(name ->
                attempt("doctor, camera", () -> groups.put("camera", new CameraDoctor(finder, name, false).examine())));
        attempt("doctor, rdma", () -> groups.put("rdma", RdmaDoctor.ofSystem().examine(Optional.empty())));
        return DoctorCommand.json(groups);
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

    /** A new file, which only its owner can read where the file system knows such a thing; or what is no file, as it is. */
    private OutputStream create() throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return Files.newOutputStream(file);
        }
        if (force) {
            Files.deleteIfExists(file);
        }
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes));
    }

    private void write() {
        try (ZipOutputStream zip = new ZipOutputStream(create())) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "The report cannot be written to " + file + ": " + FileFailure.reason(e), e);
        }
    }
}
