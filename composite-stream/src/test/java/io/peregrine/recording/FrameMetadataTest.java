package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameMetadataTest {
    private static final int NAME_BYTES = 5;

    private static BlockInfo file(Optional<String> name) {
        return new BlockInfo(
                7,
                PayloadType.FILE,
                77,
                5,
                Optional.empty(),
                0,
                Optional.empty(),
                0,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                name);
    }

    private static byte[] named() {
        return new FrameMetadata(file(Optional.of("a.txt")), List.of()).toBytes();
    }

    @Test
    void theNameOfAFileIsKept() {
        FrameMetadata read = FrameMetadata.parse(ByteBuffer.wrap(named()), 0, 0);
        assertEquals(file(Optional.of("a.txt")), read.block());
    }

    @Test
    void aDescriptionThatEndsBeforeTheNameHasNone() {
        byte[] bytes = named();
        byte[] older = Arrays.copyOf(bytes, bytes.length - Integer.BYTES - NAME_BYTES);
        assertEquals(
                file(Optional.empty()),
                FrameMetadata.parse(ByteBuffer.wrap(older), 0, 0).block());
    }

    @Test
    void aNameThatIsCutOffIsRefused() {
        byte[] bytes = named();
        ByteBuffer cut = ByteBuffer.wrap(bytes, 0, bytes.length - 1);
        assertThrows(RecordingException.class, () -> FrameMetadata.parse(cut, 0, 0));
    }
}
