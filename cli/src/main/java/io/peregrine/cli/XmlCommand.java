package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Problem;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints or checks GenICam XML. */
@Command(
        name = "xml",
        description = "Prints the GenICam XML of a camera, or checks files: counts their nodes, lists problems,"
                + " reads every feature. Exit code 1 when a description cannot be loaded or has problems.",
        mixinStandardHelpOptions = true)
final class XmlCommand implements Callable<Integer> {
    /** More than ten times the largest known description. */
    private static final int MAX_BYTES = 64 << 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Parameters(
            arity = "0..1",
            paramLabel = "CAMERA",
            description = "Camera whose description is wanted; or a file of this name, if it ends in .xml or .zip")
    private Optional<String> camera = Optional.empty();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Descriptions from files, XML or zipped XML, instead of from a camera")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--check",
            description = "Load the descriptions and read every feature instead of printing them; what --json gives is"
                    + " told in docs/genapi.md")
    private boolean check;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "zero",
            description = "Registers behind descriptions from files: zero (default) or random:SEED")
    private String port;

    @Option(names = "--all", description = "Read every node, not the features alone")
    private boolean all;

    @Override
    public Integer call() {
        if (files.isEmpty() && camera.map(XmlCommand::isFile).orElse(false)) {
            files = List.of(Path.of(camera.get()));
            camera = Optional.empty();
        }
        if (camera.isPresent() != files.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Give either CAMERA or --file");
        }
        SyntheticPort.parse(port);
        ArrayNode results = output.begin(Output.array());
        boolean good = true;
        if (camera.isPresent()) {
            DiscoveryInformation info = finder.find(camera.get()).setParameter("AccessMode", "ReadOnly");
            try (Device device = open(info)) {
                good = check
                        ? report(camera.get(), device.nodes(), results.addObject())
                        : print(camera.get(), device.xml(), results.addObject());
            }
        }
        good &= files(results);
        if (output.json()) {
            output.print(results);
        }
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static boolean isFile(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return (lower.endsWith(".xml") || lower.endsWith(".zip")) && new File(name).isFile();
    }

    /**
     * What is printed of a file, where the command line asks for nothing else: it needs no parser then, whose start
     * takes longer than all the rest.
     */
    static Optional<String> textOfFile(String... arguments) {
        if (arguments.length != 2 || !arguments[0].equals("xml") || !isFile(arguments[1])) {
            return Optional.empty();
        }
        try {
            return Optional.of(Output.withoutLastEnd(new String(read(Path.of(arguments[1])), StandardCharsets.UTF_8)));
        } catch (CliException e) {
            // The command says why.
            return Optional.empty();
        }
    }

    private Device open(DiscoveryInformation info) {
        try (Progress progress = output.progress("read description", Progress.Unit.FILES, -1)) {
            Device device = finder.factory().open(info);
            progress.at(1);
            return device;
        }
    }

    private boolean files(ArrayNode results) {
        boolean good = true;
        for (Path file : files) {
            ObjectNode result = results.addObject();
            byte[] xml = read(file);
            if (!check) {
                good &= print(file.toString(), xml, result);
                continue;
            }
            try {
                SyntheticPort registers = SyntheticPort.parse(port);
                good &= report(file.toString(), NodeMap.load(xml, name -> registers), result);
            } catch (GenApiException e) {
                good = false;
                result.put("name", file.toString()).put("loaded", false).put("error", e.getMessage());
                if (!output.json()) {
                    output.print(file + ": cannot be loaded: " + e.getMessage());
                }
            }
        }
        return good;
    }

    private boolean print(String name, byte[] xml, ObjectNode result) {
        String text = new String(xml, StandardCharsets.UTF_8);
        result.put("name", name).put("xml", text);
        if (!output.json()) {
            output.printLines(text);
        }
        return true;
    }

    private boolean report(String name, NodeMap nodes, ObjectNode result) {
        Collection<Node> wanted = all ? nodes.nodes() : nodes.features();
        Map<String, FeatureValue> values;
        try (Progress progress = output.progress("read features", Progress.Unit.FEATURES, wanted.size())) {
            values = FeatureValue.of(nodes, wanted, progress);
        }
        result.put("name", name)
                .put("loaded", true)
                .put("vendor", nodes.vendorName())
                .put("model", nodes.modelName())
                .put("schema", nodes.schemaVersion())
                .put("nodes", nodes.nodes().size())
                .put("features", nodes.features().size());
        ObjectNode kinds = result.putObject("kinds");
        nodes.nodes().stream()
                .collect(Collectors.groupingBy(Node::kind, TreeMap::new, Collectors.counting()))
                .forEach(kinds::put);
        ArrayNode problems = result.putArray("problems");
        put(nodes.problems(), problems);
        List<Problem> warnings = nodes.warnings();
        put(warnings, result.putArray("warnings"));
        ObjectNode features = result.putObject("values");
        values.forEach((feature, value) -> features.set(feature, value.json()));
        if (!output.json()) {
            output.print(name + ": " + nodes.nodes().size() + " nodes, "
                    + nodes.features().size() + " features, " + problems.size() + " problems");
            nodes.problems().forEach(problem -> output.print("  problem: " + problem));
            warnings.forEach(warning -> output.print("  warning: " + warning));
            values.forEach((feature, value) -> output.print(String.format(Locale.ROOT, "  %-36s %s", feature, value)));
        }
        return problems.isEmpty();
    }

    private static void put(List<Problem> problems, ArrayNode array) {
        for (Problem problem : problems) {
            array.addObject().put("node", problem.node()).put("message", problem.message());
        }
    }

    /** The description in a file, unpacked. */
    static byte[] read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CliException(ExitCodes.FAILED, file + " is larger than " + MAX_BYTES + " bytes");
            }
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length < 2 || bytes[0] != 'P' || bytes[1] != 'K') {
                return bytes;
            }
            try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
                ZipEntry entry = zip.getNextEntry();
                while (entry != null && entry.isDirectory()) {
                    entry = zip.getNextEntry();
                }
                byte[] xml = entry == null ? new byte[0] : zip.readNBytes(MAX_BYTES + 1);
                if (xml.length == 0 || xml.length > MAX_BYTES) {
                    throw new CliException(ExitCodes.FAILED, file + " holds no description of a usable size");
                }
                return xml;
            }
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot read " + file + ": " + FileFailure.reason(e), e);
        }
    }
}
