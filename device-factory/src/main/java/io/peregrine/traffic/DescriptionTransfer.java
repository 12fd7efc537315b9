package io.peregrine.traffic;

import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.CameraXmlUrl;
import io.peregrine.gvcp.GvcpException;
import io.peregrine.traffic.GvcpMessage.Access;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The GenICam XML of a device, put together from what an application read of it. */
final class DescriptionTransfer {
    private static final int URL_BYTES = 512;
    private static final int MAX_DESCRIPTION_BYTES = 16 << 20;

    private final long address;
    private final byte[] bytes;
    private final BitSet known = new BitSet();

    private DescriptionTransfer(long address, int lengthBytes) {
        this.address = address;
        bytes = new byte[lengthBytes];
    }

    /**
     * Collects what was read of a camera.
     *
     * @param reads memory and registers with their values, in order
     * @return empty if it was not seen where the description is
     */
    static Optional<DescriptionTransfer> of(List<Access> reads) {
        for (int url : new int[] {BootstrapRegister.FIRST_URL, BootstrapRegister.SECOND_URL}) {
            Optional<DescriptionTransfer> transfer =
                    text(reads, url).flatMap(DescriptionTransfer::located).map(place -> place.collect(reads));
            if (transfer.isPresent() && !transfer.get().known.isEmpty()) {
                return transfer;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> text(List<Access> reads, int url) {
        DescriptionTransfer text = new DescriptionTransfer(url, URL_BYTES).collect(reads);
        int end = text.known.nextClearBit(0);
        int length = 0;
        while (length < end && text.bytes[length] != 0) {
            length++;
        }
        return length == 0
                ? Optional.empty()
                : Optional.of(new String(text.bytes, 0, length, StandardCharsets.ISO_8859_1));
    }

    private static Optional<DescriptionTransfer> located(String text) {
        try {
            CameraXmlUrl url = CameraXmlUrl.parse(text);
            return url.scheme() == CameraXmlUrl.Scheme.LOCAL && url.lengthBytes() <= MAX_DESCRIPTION_BYTES
                    ? Optional.of(new DescriptionTransfer(Integer.toUnsignedLong(url.address()), url.lengthBytes()))
                    : Optional.empty();
        } catch (GvcpException e) {
            return Optional.empty();
        }
    }

    private DescriptionTransfer collect(List<Access> reads) {
        for (Access read : reads) {
            if (covers(read) && read.known()) {
                int at = (int) (read.address() - address);
                int count = Math.min(read.value().length, bytes.length - at);
                System.arraycopy(read.value(), 0, bytes, at, count);
                known.set(at, at + count);
            }
        }
        return this;
    }

    /** Whether an access begins in the description. */
    boolean covers(Access access) {
        return access.address() >= address && access.address() < address + bytes.length;
    }

    int lengthBytes() {
        return bytes.length;
    }

    int knownBytes() {
        return known.cardinality();
    }

    /** The description, if all of it was seen; padding of the device is cut off. */
    Optional<byte[]> whole() {
        if (known.nextClearBit(0) < bytes.length) {
            return Optional.empty();
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return Optional.of(Arrays.copyOf(bytes, length));
    }
}
