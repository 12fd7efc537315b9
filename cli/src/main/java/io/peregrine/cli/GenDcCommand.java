package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.cli.GenDcFileWriter.Conversion;
import io.peregrine.cli.GenDcFileWriter.Format;
import io.peregrine.composite.Composite;
import io.peregrine.export.Axis;
import io.peregrine.export.Coordinates;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.GenDcProblem;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PixelFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a GenDC container holds, takes it apart, and makes pictures and point clouds of it. */
@Command(
        name = "gendc",
        description = "Prints what the GenDC container in a file holds, and writes its parts and items to files. Exit"
                + " code 1 when it, or a part of it, cannot be used, or an item cannot be converted.",
        mixinStandardHelpOptions = true)
final class GenDcCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "A whole container, from its descriptor on; or the flows of one, in the order of their ids")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--flow-table", paramLabel = "FILE", description = "Flow mapping table that the flows must fit")
    private Optional<Path> flowTable = Optional.empty();

    @Option(names = "--strict", description = "Exit code 1 for anything that is not as GenDC 1.1 wants it")
    private boolean strict;

    @Option(names = "--extract", paramLabel = "DIR", description = "Write the data of each part to a file, as it is")
    private Optional<Path> extract = Optional.empty();

    @Option(
            names = "--convert",
            paramLabel = "DIR",
            description = "Write each item as a picture or point cloud; files that are there are replaced")
    private Optional<Path> convert = Optional.empty();

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            split = ",",
            description = "What --convert writes: png, tiff, ply, pcd; png,ply by default")
    private Set<Format> formats = EnumSet.of(Format.PNG, Format.PLY);

    @Option(
            names = "--display",
            description = "Pictures to look at: 8 bits a sample, depth in false colours. Without it, the numbers of the"
                    + " camera stay as they are")
    private boolean display;

    @Option(
            names = "--scale",
            paramLabel = "X[,Y,Z]",
            split = ",",
            description = "Scan3dCoordinateScale, one for all axes or three; 1 by default")
    private List<Double> scales = List.of(1.0);

    @Option(
            names = "--offset",
            paramLabel = "X[,Y,Z]",
            split = ",",
            description = "Scan3dCoordinateOffset, one for all axes or three; 0 by default")
    private List<Double> offsets = List.of(0.0);

    @Option(
            names = "--invalid",
            paramLabel = "VALUE",
            description = "Depth number that says that nothing was measured, before scale and offset")
    private OptionalDouble invalidDepth = OptionalDouble.empty();

    @Option(
            names = "--depth-unit",
            paramLabel = "LENGTH",
            defaultValue = "1",
            description = "Depth of one grey level when floating-point depth becomes PNG; 1 by default")
    private double depthUnit;

    @Option(
            names = "--rectified",
            description = "Depth maps become point clouds too: their columns and rows are the numbers for X and Y")
    private boolean rectified;

    @Override
    public Integer call() {
        Conversion how = new Conversion(formats, coordinates(), depthUnit, display, rectified);
        GenDcFiles container = GenDcFiles.open(files, flowTable);
        List<String> missing = container.missing();
        GenDcFileWriter writer = new GenDcFileWriter();
        extract.ifPresent(folder -> writer.extract(container, folder));
        convert.ifPresent(folder -> {
            try (Composite composite = container.composite()) {
                writer.convert(composite, how, folder);
            }
        });
        List<GenDcProblem> problems = container.descriptor().problems();
        if (output.json()) {
            ObjectNode object = tree(container.descriptor());
            addAll(object.putArray("missing"), missing);
            addAll(object.putArray("notes"), container.notes());
            addAll(object.putArray("files"), writer.written());
            addAll(object.putArray("failures"), writer.failures());
            output.print(object);
        } else {
            output.print(container.descriptor().toString());
            missing.forEach(line -> output.print("MISSING " + line));
            container.notes().forEach(line -> output.print("NOTE " + line));
            writer.written().forEach(file -> output.print("wrote " + file));
            writer.failures().forEach(line -> output.err().println("peregrine: " + line));
            output.err().flush();
        }
        boolean rejected =
                problems.stream().anyMatch(problem -> problem.severity() == GenDcProblem.Severity.PART_REJECTED);
        boolean good = !rejected && missing.isEmpty() && writer.failures().isEmpty();
        // Types that are not known are by the book: readers have to skip them.
        boolean byTheBook = container.notes().isEmpty()
                && problems.stream().allMatch(problem -> problem.severity() == GenDcProblem.Severity.SKIPPED);
        return good && (byTheBook || !strict) ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private Coordinates coordinates() {
        if (!(depthUnit > 0)) {
            throw new ParameterException(spec.commandLine(), "--depth-unit must be more than 0");
        }
        Axis z = axis(2);
        return new Coordinates(
                axis(0), axis(1), invalidDepth.isPresent() ? z.withInvalidValue(invalidDepth.getAsDouble()) : z);
    }

    private Axis axis(int index) {
        return Axis.of(one(scales, "--scale", index), one(offsets, "--offset", index));
    }

    private double one(List<Double> values, String option, int index) {
        if (values.size() != 1 && values.size() != 3) {
            throw new ParameterException(spec.commandLine(), option + " takes one number or three");
        }
        double value = values.get(values.size() == 1 ? 0 : index);
        if (!Double.isFinite(value)) {
            throw new ParameterException(spec.commandLine(), option + " takes finite numbers");
        }
        return value;
    }

    private static void addAll(ArrayNode array, List<?> lines) {
        lines.forEach(line -> array.add(line.toString()));
    }

    private static ObjectNode tree(GenDcDescriptor descriptor) {
        ObjectNode object = Output.object();
        object.put("id", descriptor.id());
        object.put("descriptorSizeBytes", descriptor.descriptorSizeBytes());
        object.put("containerSizeBytes", descriptor.containerSizeBytes());
        object.put("variableFields", descriptor.variableFields());
        ArrayNode components = object.putArray("components");
        for (GenDcComponent component : descriptor.components()) {
            ObjectNode entry = components.addObject();
            entry.put("type", component.type().toString());
            entry.put("typeId", component.typeId());
            entry.put("format", PixelFormat.of(component.format()).name());
            entry.put("groupId", component.groupId());
            entry.put("sourceId", component.sourceId());
            entry.put("regionId", component.regionId());
            entry.put("regionOffsetX", component.regionOffsetX());
            entry.put("regionOffsetY", component.regionOffsetY());
            entry.put("timestamp", component.timestamp());
            entry.put("invalid", component.invalid());
            ArrayNode parts = entry.putArray("parts");
            component.parts().forEach(part -> put(part, parts.addObject()));
        }
        ArrayNode problems = object.putArray("problems");
        descriptor.problems().forEach(problem -> problems.add(problem.toString()));
        return object;
    }

    private static void put(GenDcPart part, ObjectNode entry) {
        entry.put("type", PartType.name(part.headerType()));
        entry.put("format", PixelFormat.of(part.format()).name());
        entry.put("flowId", part.flowId());
        entry.put("flowOffset", part.flowOffset());
        entry.put("dataOffset", part.dataOffset());
        entry.put("dataSize", part.dataSize());
        entry.put("usable", part.usable());
        if (part.is2d()) {
            entry.put("sizeX", part.sizeX()).put("sizeY", part.sizeY());
            entry.put("paddingX", part.paddingX()).put("paddingY", part.paddingY());
        } else if (part.is1d()) {
            entry.put("size", part.size()).put("padding", part.padding());
        }
    }
}
