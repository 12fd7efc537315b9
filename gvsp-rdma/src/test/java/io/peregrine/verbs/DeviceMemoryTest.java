package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.engine.FlowSegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of a device, registered with the double of libibverbs, for which any file is a dmabuf. */
@Tag("verbs-double")
class DeviceMemoryTest {
    private static final int RIGHTS = VerbsLayout.ACCESS_LOCAL_WRITE | VerbsLayout.ACCESS_REMOTE_WRITE;
    private static final long EOPNOTSUPP = 95;
    private static final long EFAULT = 14;

    private VerbsDoubleKnobs knobs;
    private long domain;
    private int descriptor = -1;
    private Path file;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        knobs = new VerbsDoubleKnobs();
        domain = LibIbverbs.ibv_alloc_pd(0);
        file = Files.write(folder.resolve("gpu"), new byte[65536]);
        byte[] name = (file + "\0").getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = NativeMemory.allocate(name.length).put(0, name);
        descriptor = Libc.open(NativeMemory.address(text), 2, 0);
    }

    @AfterEach
    void close() {
        if (domain != 0) {
            Libc.close(descriptor);
            LibIbverbs.ibv_dealloc_pd(domain);
            knobs.close();
            assertEquals(0, knobs.get("open"), "things that were made and not destroyed");
        }
    }

    private RdmaMemory dmaBuf(int of, long offset, long length) {
        return RdmaMemory.of(FlowSegment.of(FlowMemory.dmaBuf(of, offset, length, this), length));
    }

    private String refusal(RdmaMemory memory) {
        return assertThrows(RdmaException.class, () -> VerbsMemoryRegion.register(domain, "double0", memory, RIGHTS))
                .getMessage();
    }

    @Test
    void dmaBufIsRegisteredByItsDescriptorAndOffset() throws Exception {
        long region = VerbsMemoryRegion.register(domain, "double0", dmaBuf(descriptor, 8192, 50_000), RIGHTS);

        assertEquals(Files.getAttribute(file, "unix:ino"), knobs.get("dmabuf_inode"));
        assertEquals(8192, knobs.get("dmabuf_iova"));
        assertEquals(RIGHTS, knobs.get("dmabuf_access"));
        assertEquals(8192, NativeMemory.buffer(region, VerbsLayout.MR_BYTES).getLong(VerbsLayout.MR_ADDR));
        assertEquals(50_000, NativeMemory.buffer(region, VerbsLayout.MR_BYTES).getLong(VerbsLayout.MR_LENGTH));
        LibIbverbs.ibv_dereg_mr(region);
    }

    @Test
    void memoryOfAPeerIsRegisteredByItsAddress() {
        long address = 0x7F00_0000_0000L;
        RdmaMemory memory = RdmaMemory.of(FlowSegment.of(FlowMemory.peerDirect(address, 1 << 20, this), 1000));
        long region = VerbsMemoryRegion.register(domain, "double0", memory, RIGHTS);

        assertEquals(address, NativeMemory.buffer(region, VerbsLayout.MR_BYTES).getLong(VerbsLayout.MR_ADDR));
        assertEquals(1000, NativeMemory.buffer(region, VerbsLayout.MR_BYTES).getLong(VerbsLayout.MR_LENGTH));
        LibIbverbs.ibv_dereg_mr(region);
    }

    @Test
    void adapterWithoutDmaBufsSaysWhatItTakes() {
        knobs.set("region_error", EOPNOTSUPP);

        String text = refusal(dmaBuf(descriptor, 0, 4096));
        assertTrue(text.startsWith("double0 does not register 4096 bytes of a dmabuf: Operation not supported"), text);
        assertTrue(text.contains("mlx5, with Linux 5.12"), text);
    }

    @Test
    void peerWithoutItsModuleSaysWhichItTakes() {
        knobs.set("region_error", EFAULT);
        RdmaMemory memory = RdmaMemory.of(FlowSegment.of(FlowMemory.peerDirect(1L << 40, 4096, this), 4096));

        String text = refusal(memory);
        assertTrue(text.startsWith("double0 does not register 4096 bytes of memory of another device: Bad addr"), text);
        assertTrue(text.contains("nvidia-peermem"), text);
    }

    @Test
    void descriptorThatIsNotOpenIsRefused() {
        assertTrue(refusal(dmaBuf(1_000_000, 0, 4096)).contains("Bad file descriptor"));
    }

    @Test
    void partOutsideOfTheDmaBufIsRefused() {
        assertTrue(refusal(dmaBuf(descriptor, 61_440, 4097)).contains("Invalid argument"));
    }

    @Test
    void itIsNeitherReadNorWrittenByTheProcessor() {
        RdmaMemory memory = dmaBuf(descriptor, 0, 4096);

        assertThrows(RdmaException.class, () -> memory.put(0, ByteBuffer.allocate(1)));
        assertThrows(RdmaException.class, () -> memory.get(0, ByteBuffer.allocate(1), 1));
        assertThrows(RdmaException.class, memory::nativeAddress);
    }
}
