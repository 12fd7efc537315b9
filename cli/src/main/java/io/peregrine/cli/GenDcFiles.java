package io.peregrine.cli;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A GenDC container in files: one linear file, or a file for each flow. Files are mapped, not read, and nothing larger
 * than they are is ever made room for.
 */
record GenDcFiles(GenDcDescriptor descriptor, List<ByteBuffer> flows, List<String> notes) {

    /**
     * Opens the files.
     *
     * @param files one linear container, or the flows in the order of their ids
     * @param flowTable file with the flow mapping table
     * @throws GenDcException if the descriptor or the table cannot be used
     */
    static GenDcFiles open(List<Path> files, Optional<Path> flowTable) {
        List<ByteBuffer> flows = new ArrayList<>();
        for (Path file : files) {
            flows.add(map(file));
        }
        List<String> notes = new ArrayList<>();
        if (flowTable.isPresent()) {
            check(FlowTable.parse(map(flowTable.get())), files, flows, notes);
        }
        GenDcDescriptor descriptor = flows.size() == 1
                ? GenDcContainer.parse(flows.get(0)).descriptor()
                : GenDcDescriptor.parse(flows.get(0));
        return new GenDcFiles(descriptor, List.copyOf(flows), List.copyOf(notes));
    }

    private static void check(FlowTable table, List<Path> files, List<ByteBuffer> flows, List<String> notes) {
        if (table.flowCount() != flows.size()) {
            throw new CliException(
                    ExitCodes.FAILED,
                    "The flow table has " + table.flowCount() + " flows, and there are " + flows.size() + " files");
        }
        long[] sizes = table.flowSizes();
        for (int i = 0; i < sizes.length; i++) {
            if (flows.get(i).capacity() > sizes[i]) {
                notes.add(files.get(i) + " has " + flows.get(i).capacity() + " bytes, more than the " + sizes[i]
                        + " that the flow table gives flow " + i);
            }
        }
    }

    private static ByteBuffer map(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new CliException(ExitCodes.FAILED, file + " is larger than 2 GiB");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot read " + file + ": " + e, e);
        }
    }

    /** The frame, with items as a stream would give them. */
    Composite composite() {
        return flows.size() == 1 ? Composite.of(flows.get(0)) : Composite.ofFlows(flows);
    }

    /**
     * The data of a part.
     *
     * @throws GenDcException if the part was rejected, or lies outside of its file
     */
    ByteBuffer data(GenDcPart part) {
        if (flows.size() == 1) {
            return part.sliceLinear(flows.get(0));
        }
        if (part.flowId() >= flows.size()) {
            throw new GenDcException(
                    "The part is in flow " + part.flowId() + ", and there are " + flows.size() + " flow files");
        }
        return part.sliceFlow(flows.get(part.flowId()));
    }

    /** What stands in the way of each part whose data is not there, a line each; invalid components have none. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (int c = 0; c < descriptor.components().size(); c++) {
            GenDcComponent component = descriptor.components().get(c);
            for (int p = 0; p < component.parts().size() && !component.invalid(); p++) {
                GenDcPart part = component.parts().get(p);
                try {
                    if (part.usable()) {
                        data(part);
                    }
                } catch (GenDcException e) {
                    missing.add("component " + c + " part " + p + ": " + e.getMessage());
                }
            }
        }
        return missing;
    }
}
