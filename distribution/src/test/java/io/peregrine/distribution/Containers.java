package io.peregrine.distribution;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Frames that no device sent. */
final class Containers {
    private Containers() {}

    /** A container with an image of 8 bit whose pixels count up, from a value that the id gives. */
    static byte[] container(long id, int width, int height) {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(id)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .timestamp(1000 * id)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(width, height)))
                .build()
                .toBytes();
        ByteBuffer bytes = ByteBuffer.allocate(descriptor.length + width * height);
        bytes.put(descriptor);
        for (int i = 0; bytes.hasRemaining(); i++) {
            bytes.put((byte) (id * 31 + i + (i >> 8) * 7L));
        }
        return bytes.array();
    }

    /** The same as a frame. */
    static Composite frame(long id, int width, int height) {
        return Composite.of(ByteBuffer.wrap(container(id, width, height)));
    }

    /** All that users can see of a frame. */
    static String describe(Composite composite) {
        StringBuilder text = new StringBuilder()
                .append(composite)
                .append(' ')
                .append(composite.blockId())
                .append(' ')
                .append(composite.timestamp())
                .append(' ')
                .append(composite.payloadType())
                .append(composite.descriptor());
        for (Item item : composite.parts()) {
            ByteBuffer data = item.data();
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            text.append('\n').append(item).append(HexFormat.of().formatHex(bytes));
        }
        return text.toString();
    }
}
