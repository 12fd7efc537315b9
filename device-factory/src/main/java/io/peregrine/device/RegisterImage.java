package io.peregrine.device;

import io.peregrine.genapi.Port;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registers in memory, as far as they are known; all others are zero. As bytes: for each run of registers its address
 * (8 bytes), its length (4 bytes) and its content, big-endian.
 */
final class RegisterImage implements Port {
    private static final int PAGE_BYTES = 256;
    private static final int RUN_HEADER_BYTES = 12;
    /** Most that a hostile recording can make room for: 64 MiB. */
    private static final int MAX_PAGES = (64 << 20) / PAGE_BYTES;

    /** Content, and which bytes of it are known. */
    private static final class Page {
        private final byte[] bytes = new byte[PAGE_BYTES];
        private final boolean[] known = new boolean[PAGE_BYTES];
    }

    private final Map<Long, Page> pages = new TreeMap<>();

    RegisterImage() {}

    /**
     * Reads {@link #toBytes()}.
     *
     * @throws DeviceException if it contradicts itself or is too large
     */
    static RegisterImage parse(byte[] encoded) {
        RegisterImage image = new RegisterImage();
        ByteBuffer from = ByteBuffer.wrap(encoded);
        while (from.hasRemaining()) {
            if (from.remaining() < RUN_HEADER_BYTES) {
                throw new DeviceException("The recorded registers end in the middle");
            }
            long address = from.getLong();
            int length = from.getInt();
            if (length < 0 || length > from.remaining()) {
                throw new DeviceException("The recorded registers contradict their length");
            }
            image.write(address, from.slice(from.position(), length));
            from.position(from.position() + length);
        }
        return image;
    }

    synchronized byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        pages.forEach((number, page) -> {
            int at = 0;
            while (at < PAGE_BYTES) {
                int end = at;
                while (end < PAGE_BYTES && page.known[end] == page.known[at]) {
                    end++;
                }
                if (page.known[at]) {
                    ByteBuffer header = ByteBuffer.allocate(RUN_HEADER_BYTES)
                            .putLong(number * PAGE_BYTES + at)
                            .putInt(end - at);
                    bytes.writeBytes(header.array());
                    bytes.write(page.bytes, at, end - at);
                }
                at = end;
            }
        });
        return bytes.toByteArray();
    }

    @Override
    public synchronized void read(long address, ByteBuffer destination) {
        checked(address, destination.remaining());
        long at = address;
        while (destination.hasRemaining()) {
            int within = (int) (at % PAGE_BYTES);
            int count = Math.min(destination.remaining(), PAGE_BYTES - within);
            Page page = pages.get(at / PAGE_BYTES);
            destination.put(page == null ? new byte[PAGE_BYTES] : page.bytes, within, count);
            at += count;
        }
    }

    @Override
    public synchronized void write(long address, ByteBuffer source) {
        checked(address, source.remaining());
        long at = address;
        while (source.hasRemaining()) {
            int within = (int) (at % PAGE_BYTES);
            int count = Math.min(source.remaining(), PAGE_BYTES - within);
            Page page = page(at / PAGE_BYTES);
            source.get(page.bytes, within, count);
            Arrays.fill(page.known, within, within + count, true);
            at += count;
        }
    }

    /** Replaces those of some bytes that are known here. */
    synchronized void patch(long address, ByteBuffer bytes) {
        for (int i = 0; i < bytes.remaining(); i++) {
            Page page = pages.get((address + i) / PAGE_BYTES);
            int within = (int) ((address + i) % PAGE_BYTES);
            if (page != null && page.known[within]) {
                bytes.put(bytes.position() + i, page.bytes[within]);
            }
        }
    }

    private Page page(long number) {
        Page page = pages.get(number);
        if (page == null) {
            if (pages.size() == MAX_PAGES) {
                throw new DeviceException("The registers are spread over too much memory");
            }
            page = new Page();
            pages.put(number, page);
        }
        return page;
    }

    private static void checked(long address, int lengthBytes) {
        if (address < 0 || address > Long.MAX_VALUE - lengthBytes) {
            throw new DeviceException(lengthBytes + " bytes at address 0x" + Long.toHexString(address)
                    + " lie outside of the register space");
        }
    }
}
