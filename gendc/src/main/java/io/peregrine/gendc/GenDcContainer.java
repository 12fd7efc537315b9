package io.peregrine.gendc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** View of a whole container in one linear piece of memory: descriptor first, data after it. Nothing is copied. */
public final class GenDcContainer {
    private final ByteBuffer bytes;
    private final GenDcDescriptor descriptor;

    private GenDcContainer(ByteBuffer bytes, GenDcDescriptor descriptor) {
        this.bytes = bytes;
        this.descriptor = descriptor;
    }

    /**
     * Reads a container. Parts whose data is not within the buffer are rejected, all others stay usable.
     *
     * @param linear from position (first byte of the descriptor) to limit; more may follow; the position is not moved
     * @throws GenDcException if the container cannot be used
     */
    public static GenDcContainer parse(ByteBuffer linear) {
        ByteBuffer bytes = linear.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        return new GenDcContainer(bytes, DescriptorParser.parse(bytes, bytes.limit()));
    }

    /** The descriptor. */
    public GenDcDescriptor descriptor() {
        return descriptor;
    }

    /** Id of the container, one more with each that the device sends. */
    public long id() {
        return descriptor.id();
    }

    /** The components, in order, invalid ones included. */
    public List<GenDcComponent> components() {
        return descriptor.components();
    }

    /** What was found to be wrong and could be lived with. */
    public List<GenDcProblem> problems() {
        return descriptor.problems();
    }

    /** Bytes from the start of the descriptor to the end of the data section, as the descriptor says. */
    public long containerSizeBytes() {
        return descriptor.containerSizeBytes();
    }

    /**
     * The data of a part of this container.
     *
     * @param part one of {@link #components()}
     * @return a read-only little-endian view
     * @throws GenDcException if the part was rejected
     */
    public ByteBuffer data(GenDcPart part) {
        return part.sliceLinear(bytes);
    }

    /** The descriptor with everything in it. */
    @Override
    public String toString() {
        return descriptor.toString();
    }
}
