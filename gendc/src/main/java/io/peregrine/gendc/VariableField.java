package io.peregrine.gendc;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What may still change between a prefetch or preliminary descriptor and the final one (field VariableFields). */
public enum VariableField {
    /** DataSize of parts may become smaller. */
    DATA_SIZE(GenDcDescriptor.VARIABLE_DATA_SIZE, "DataSize"),
    /** SizeX and PaddingX. */
    SIZE_X(GenDcDescriptor.VARIABLE_SIZE_X, "SizeX"),
    /** SizeY and PaddingY. */
    SIZE_Y(GenDcDescriptor.VARIABLE_SIZE_Y, "SizeY"),
    /** Region offsets. */
    REGION_OFFSET(GenDcDescriptor.VARIABLE_REGION_OFFSET, "RegionOffset"),
    /** Formats of components; in prefetch descriptors only. */
    FORMAT(GenDcDescriptor.VARIABLE_FORMAT, "Format"),
    /** Timestamps of components. */
    TIMESTAMP(GenDcDescriptor.VARIABLE_TIMESTAMP, "Timestamp"),
    /** The last components may be missing. */
    COMPONENT_COUNT(GenDcDescriptor.VARIABLE_COMPONENT_COUNT, "ComponentCount"),
    /** Components may become invalid. */
    COMPONENT_INVALID(GenDcDescriptor.VARIABLE_COMPONENT_INVALID, "ComponentInvalid");

    private final int bit;
    private final String standardName;

    VariableField(int bit, String standardName) {
        this.bit = bit;
        this.standardName = standardName;
    }

    /** The bit in VariableFields. */
    public int bit() {
        return bit;
    }

    /** The name that the standard gives it. */
    public String standardName() {
        return standardName;
    }

    /** Whether the bit is set. */
    public boolean in(int variableFields) {
        return (variableFields & bit) != 0;
    }

    /** The fields whose bits are set; reserved bits do not count. */
    public static Set<VariableField> of(int variableFields) {
        EnumSet<VariableField> set = EnumSet.noneOf(VariableField.class);
        for (VariableField field : values()) {
            if (field.in(variableFields)) {
                set.add(field);
            }
        }
        return Collections.unmodifiableSet(set);
    }
}
