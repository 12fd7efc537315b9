package io.peregrine.cli;

import io.peregrine.composite.Composite;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.gendc.CheckMode;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcProblem;
import io.peregrine.gendc.GenDcReport;
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
 *
 * @param report the container, if it can be used, and what is wrong with it
 * @param flows the linear container, or the flows by id
 */
record GenDcFiles(GenDcReport report, List<ByteBuffer> flows) {

    /**
     * Opens the files.
     *
     * @param files one linear container, or the flows in the order of their ids
     * @param flowTable file with the flow mapping table
     * @throws GenDcException if the table cannot be used
     */
    static GenDcFiles open(List<Path> files, Optional<Path> flowTable) {
        List<ByteBuffer> flows = files.stream().map(GenDcFiles::map).toList();
        GenDcReport report = flows.size() == 1 ? GenDcReport.of(flows.get(0)) : reportOfFlows(flows);
        if (flowTable.isEmpty()) {
            return new GenDcFiles(report, flows);
        }
        FlowTable table = FlowTable.parse(map(flowTable.get()));
        if (table.flowCount() != flows.size()) {
            throw new CliException(
                    ExitCodes.FAILED,
                    "The flow table has " + table.flowCount() + " flows, and there are " + flows.size() + " files");
        }
        List<GenDcProblem> problems = new ArrayList<>(report.problems());
        report.container().ifPresent(container -> problems.addAll(table.check(container.descriptor())));
        for (int i = 0; i < flows.size(); i++) {
            if (flows.get(i).capacity() > table.flowSize(i)) {
                String text = files.get(i) + " has " + flows.get(i).capacity() + " bytes, more than the "
                        + table.flowSize(i) + " that the flow table gives flow " + i;
                problems.add(new GenDcProblem(GenDcProblem.Severity.WARNING, -1, -1, text));
            }
        }
        return new GenDcFiles(new GenDcReport(report.container(), problems), flows);
    }

    private static GenDcReport reportOfFlows(List<ByteBuffer> flows) {
        try {
            GenDcContainer container = GenDcContainer.parseFlows(flows, CheckMode.TOLERANT);
            return new GenDcReport(Optional.of(container), container.problems());
        } catch (GenDcException e) {
            return new GenDcReport(Optional.empty(), e.problems());
        }
    }

    private static ByteBuffer map(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new CliException(ExitCodes.FAILED, file + " is larger than 2 GiB");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot read " + file + ": " + FileFailure.reason(e), e);
        }
    }

    /** The frame, with items as a stream would give them. */
    Composite composite() {
        return flows.size() == 1 ? Composite.of(flows.get(0)) : Composite.ofFlows(flows);
    }
}
