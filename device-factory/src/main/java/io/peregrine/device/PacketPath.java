package io.peregrine.device;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * How large packets of a device may be to arrive at this host, as test packets that may not be fragmented showed. Sizes
 * are in bytes with the headers of IP, UDP and GVSP, as the register SCPS counts them (GigE Vision 2.2, stream channel
 * registers).
 *
 * @param interfaceMtuBytes MTU of the interface of this host
 * @param smallestTriedBytes the smallest packet that was asked for
 * @param largestTriedBytes the largest packet that was asked for: as large as interface and register allow
 * @param largestBytes the largest packet that arrived; empty when none did
 * @param deviceLimit whether the device itself makes no larger packets than {@code largestBytes}
 */
public record PacketPath(
        int interfaceMtuBytes,
        int smallestTriedBytes,
        int largestTriedBytes,
        OptionalInt largestBytes,
        boolean deviceLimit) {
    /** Makes a path. */
    public PacketPath {
        Objects.requireNonNull(largestBytes, "largestBytes");
    }

    /** Whether the largest packet that was asked for arrived. */
    public boolean complete() {
        return largestBytes.isPresent() && largestBytes.getAsInt() == largestTriedBytes;
    }
}
