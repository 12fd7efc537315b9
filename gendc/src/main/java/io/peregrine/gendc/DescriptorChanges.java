package io.peregrine.gendc;

import io.peregrine.gendc.GenDcDescriptor.VariableField;
import io.peregrine.gendc.GenDcProblem.Severity;
import java.util.List;

/** Holds a later descriptor against an earlier one of the same layout. */
final class DescriptorChanges {
    private final Problems problems = new Problems();
    private final int variable;

    private DescriptorChanges(int variable) {
        this.variable = variable;
    }

    static List<GenDcProblem> find(GenDcDescriptor earlier, GenDcDescriptor later) {
        DescriptorChanges changes = new DescriptorChanges(earlier.variableFields());
        changes.container(earlier, later);
        changes.problems.close();
        return List.copyOf(changes.problems.list());
    }

    private void container(GenDcDescriptor earlier, GenDcDescriptor later) {
        int had = earlier.components().size();
        int has = later.components().size();
        if (has > had || (has < had && !VariableField.COMPONENT_COUNT.in(variable))) {
            warn(-1, -1, "there are {} components, {} were announced", has, had);
        }
        if (later.dataOffset() != earlier.dataOffset()) {
            warn(-1, -1, "DataOffset is {}, {} was announced", later.dataOffset(), earlier.dataOffset());
        }
        if (later.containerSizeBytes() > earlier.containerSizeBytes()) {
            warn(
                    -1,
                    -1,
                    "the container has {} bytes, {} were announced",
                    later.containerSizeBytes(),
                    earlier.containerSizeBytes());
        }
        for (int c = 0; c < Math.min(had, has); c++) {
            component(c, earlier.components().get(c), later.components().get(c));
        }
    }

    private void component(int c, GenDcComponent earlier, GenDcComponent later) {
        fixed(c, -1, "TypeId", earlier.typeId(), later.typeId());
        fixed(c, -1, "GroupId", earlier.groupId(), later.groupId());
        fixed(c, -1, "SourceId", earlier.sourceId(), later.sourceId());
        fixed(c, -1, "RegionId", earlier.regionId(), later.regionId());
        if (!VariableField.REGION_OFFSET.in(variable)) {
            fixed(c, -1, "RegionOffsetX", earlier.regionOffsetX(), later.regionOffsetX());
            fixed(c, -1, "RegionOffsetY", earlier.regionOffsetY(), later.regionOffsetY());
        }
        if (!VariableField.TIMESTAMP.in(variable)) {
            fixed(c, -1, "Timestamp", earlier.timestamp(), later.timestamp());
        }
        if (!VariableField.FORMAT.in(variable)) {
            fixed(c, -1, "Format", earlier.format(), later.format());
        }
        if (!VariableField.COMPONENT_INVALID.in(variable) && earlier.invalid() != later.invalid()) {
            fixed(c, -1, "Invalid", earlier.invalid() ? 1 : 0, later.invalid() ? 1 : 0);
        }
        fixed(c, -1, "PartCount", earlier.parts().size(), later.parts().size());
        for (int p = 0; p < Math.min(earlier.parts().size(), later.parts().size()); p++) {
            part(c, p, earlier.parts().get(p), later.parts().get(p), later.invalid());
        }
    }

    private void part(int c, int p, GenDcPart earlier, GenDcPart later, boolean invalid) {
        fixed(c, p, "FlowId", earlier.flowId(), later.flowId());
        fixed(c, p, "FlowOffset", earlier.flowOffset(), later.flowOffset());
        fixed(c, p, "DataOffset", earlier.dataOffset(), later.dataOffset());
        if (!VariableField.FORMAT.in(variable)) {
            fixed(c, p, "HeaderType", earlier.headerType(), later.headerType());
            fixed(c, p, "Format", earlier.format(), later.format());
        }
        if (!VariableField.SIZE_X.in(variable)) {
            fixed(c, p, "SizeX", earlier.sizeX(), later.sizeX());
            fixed(c, p, "PaddingX", earlier.paddingX(), later.paddingX());
        }
        if (!VariableField.SIZE_Y.in(variable)) {
            fixed(c, p, "SizeY", earlier.sizeY(), later.sizeY());
            fixed(c, p, "PaddingY", earlier.paddingY(), later.paddingY());
        }
        notMore(c, p, "SizeX", earlier.sizeX(), later.sizeX());
        notMore(c, p, "SizeY", earlier.sizeY(), later.sizeY());
        notMore(c, p, "DataSize", earlier.dataSize(), later.dataSize());
        // An invalid component need not have its data.
        if (!VariableField.DATA_SIZE.in(variable) && !invalid) {
            fixed(c, p, "DataSize", earlier.dataSize(), later.dataSize());
        }
    }

    private void fixed(int c, int p, String field, long earlier, long later) {
        if (earlier != later) {
            warn(c, p, field + " is {u}, {u} was announced and may not change", later, earlier);
        }
    }

    private void notMore(int c, int p, String field, long earlier, long later) {
        if (Long.compareUnsigned(later, earlier) > 0) {
            warn(c, p, field + " is {u}, no more than {u} was announced", later, earlier);
        }
    }

    private void warn(int component, int part, String text, long... numbers) {
        problems.note(Severity.WARNING, component, part, text, numbers);
    }
}
