package io.peregrine.gendc;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads one container after the other into the same views: after the first few, reading one that has no problem
 * allocates nothing. All views that a read returns are moved by the next one, and are empty after one that threw.
 *
 * <p>The views read from the buffers that were given, which must keep position and limit as long as the views are used.
 * A reader is for one thread at a time.
 */
public final class GenDcReader {
    private final DescriptorParser parser;
    private final GenDcContainer container;

    /** A tolerant reader. */
    public GenDcReader() {
        this(CheckMode.TOLERANT);
    }

    /**
     * A reader.
     *
     * @param mode how strict to be with deviations from the standard
     */
    public GenDcReader(CheckMode mode) {
        parser = new DescriptorParser(mode);
        container = new GenDcContainer(parser.view());
    }

    /**
     * Reads a container in one run of bytes. Parts whose data is not within the buffer are rejected.
     *
     * @param linear from position (first byte of the descriptor) to limit; more may follow; the position is not moved
     * @throws GenDcException if the container cannot be used
     */
    public GenDcContainer read(ByteBuffer linear) {
        parser.readLinear(linear);
        parser.finish();
        container.moveLinear(linear);
        return container;
    }

    /**
     * Reads a container that lies in flows. Parts whose data is not within their flow are rejected.
     *
     * @param flows the flows by id, each from position to limit; flow 0 begins with the descriptor; positions are not
     *     moved; the list must not change as long as the view is used
     * @throws GenDcException if the container cannot be used
     */
    public GenDcContainer readFlows(List<ByteBuffer> flows) {
        parser.readFlows(flows);
        parser.finish();
        container.moveFlows(flows);
        return container;
    }

    /**
     * Reads a descriptor alone.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @throws GenDcException if it cannot be used
     */
    public GenDcDescriptor readDescriptor(ByteBuffer descriptorBytes) {
        GenDcDescriptor descriptor = parser.readDescriptor(descriptorBytes);
        parser.finish();
        return descriptor;
    }

    /**
     * Reads a descriptor of which it is known where it comes from, and checks that it may be of that kind.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @param kind where it comes from
     * @throws GenDcException if it cannot be used
     */
    public GenDcDescriptor readDescriptor(ByteBuffer descriptorBytes, GenDcDescriptor.Kind kind) {
        GenDcDescriptor descriptor = parser.readDescriptor(descriptorBytes);
        parser.checkKind(kind);
        parser.finish();
        return descriptor;
    }
}
