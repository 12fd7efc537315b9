package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.GenDcProblem;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PixelFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints what a GenDC container holds. */
@Command(
        name = "gendc",
        description = "Prints what the GenDC container in a file holds. Exit code 1 when it, or a part of it, cannot be"
                + " used.",
        mixinStandardHelpOptions = true)
final class GenDcCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(paramLabel = "FILE", description = "A whole container, from its descriptor on")
    private Path file;

    @Override
    public Integer call() {
        GenDcContainer container = GenDcContainer.parse(read());
        if (output.json()) {
            output.print(tree(container));
        } else {
            output.print(container.toString());
            container.problems().forEach(problem -> output.print(problem.toString()));
        }
        boolean rejected = container.problems().stream()
                .anyMatch(problem -> problem.severity() == GenDcProblem.Severity.PART_REJECTED);
        return rejected ? ExitCodes.FAILED : ExitCodes.OK;
    }

    private ByteBuffer read() {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new CliException(ExitCodes.FAILED, file + " is larger than 2 GiB");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot read " + file + ": " + e, e);
        }
    }

    private static ObjectNode tree(GenDcContainer container) {
        ObjectNode object = Output.object();
        object.put("id", container.id());
        object.put("descriptorSizeBytes", container.descriptor().descriptorSizeBytes());
        object.put("containerSizeBytes", container.containerSizeBytes());
        object.put("variableFields", container.descriptor().variableFields());
        ArrayNode components = object.putArray("components");
        for (GenDcComponent component : container.components()) {
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
        container.problems().forEach(problem -> problems.add(problem.toString()));
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
