package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.cli.GenDcFileWriter.Conversion;
import io.peregrine.cli.GenDcFileWriter.Format;
import io.peregrine.composite.Composite;
import io.peregrine.device.Json;
import io.peregrine.export.Axis;
import io.peregrine.export.Coordinates;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcProblem;
import io.peregrine.gendc.GenDcReport;
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

/** Prints what a GenDC container holds, takes it apart, and makes images and point clouds of it. */
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
            description = "Write each item as an image or point cloud; files that are there are replaced")
    private Optional<Path> convert = Optional.empty();

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            split = ",",
            description = "What --convert writes: png, tiff, ply, pcd; png,ply by default")
    private Set<Format> formats = EnumSet.of(Format.PNG, Format.PLY);

    @Option(
            names = "--display",
            description = "Images to look at: 8 bits a sample, depth in false colours. Without it, the numbers of the"
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
        GenDcFiles opened = GenDcFiles.open(files, flowTable);
        GenDcReport report = opened.report();
        GenDcFileWriter writer = new GenDcFileWriter();
        report.container().ifPresent(container -> {
            extract.ifPresent(folder -> writer.extract(container, folder));
            convert.ifPresent(folder -> {
                try (Composite composite = opened.composite()) {
                    writer.convert(composite, how, folder);
                }
            });
        });
        if (output.json()) {
            ObjectNode object = Output.parse(Json.of(report));
            addAll(object.putArray("files"), writer.written());
            addAll(object.putArray("failures"), writer.failures());
            output.print(object);
        } else {
            print(report);
            writer.written().forEach(file -> output.print("wrote " + file));
        }
        writer.failures().forEach(output::say);
        boolean good = strict ? report.strictlyConformant() : report.usable();
        return good && writer.failures().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** The container with its problems, the verdict, and what else was found. */
    private void print(GenDcReport report) {
        List<GenDcProblem> own = List.of();
        if (report.container().isPresent()) {
            GenDcContainer container = report.container().get();
            own = container.problems();
            output.printLines(container.toString());
        }
        output.print(report.toString().lines().findFirst().orElse(""));
        report.problems().stream().skip(own.size()).forEach(problem -> output.print("  " + problem));
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
}
