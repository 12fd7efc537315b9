package io.peregrine.composite;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;

/**
 * The rule by which a received block becomes a composite, one for each kind of payload: {@link GenDcPayload},
 * {@link MultiPartPayload}, {@link PlainPayload}. What is decided goes into the {@link ItemTable} of the frame's
 * memory, and {@link ItemFactory} makes items of that when the user asks for them.
 *
 * <p>A composite is complete when the transport says that the block is whole, a descriptor arrived and is final, and
 * the data of every valid part arrived. Memory of a flow set is used again and again, so nothing is believed that did
 * not arrive with this block.
 *
 * <p>For frame after frame, by one thread at a time.
 */
final class CompositeMapper {
    private final MappedFrame frame = new MappedFrame();
    private final PurposeRule purpose = new PurposeRule();
    private final GenDcPayload gendc = new GenDcPayload(frame, purpose);
    private final MultiPartPayload multiPart = new MultiPartPayload(frame, purpose);
    private final PlainPayload plain = new PlainPayload(frame, purpose);

    /**
     * Decides what a block is, and writes it into the table of its memory ({@link FrameMemory#items()}). Allocates
     * nothing for a frame that is complete and like the ones before it.
     *
     * @param memory where it is
     * @param info what the transport says about it
     */
    void map(FrameMemory memory, BlockInfo info) {
        try {
            frame.begin(memory, info);
            int base = info.payloadType() & ~PayloadType.CHUNK_BIT;
            switch (base) {
                case PayloadType.GENDC -> gendc.map();
                case PayloadType.MULTI_PART -> multiPart.map();
                default -> plain.map(base);
            }
        } finally {
            frame.end();
        }
    }
}
