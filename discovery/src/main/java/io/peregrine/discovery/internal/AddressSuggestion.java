package io.peregrine.discovery.internal;

import io.peregrine.discovery.AddressConfiguration;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds a free address for a device in the subnet of an interface. */
final class AddressSuggestion {
    private static final int LAST_PREFIX_WITH_ROOM = 30;
    /** Addresses to try: each may take the time of an answer that does not come. */
    private static final int MAX_TRIES = 64;
    /** The first and the last 256 addresses of 169.254/16 are not to be used (RFC 3927, 2.1). */
    private static final int LINK_LOCAL = 0xA9FE0000;

    private static final int LINK_LOCAL_MASK = 0xFFFF0000;
    private static final int LINK_LOCAL_RESERVED = 256;

    private AddressSuggestion() {}

    /**
     * Finds an address.
     *
     * @param there the interface
     * @param now the device's address now; the same host part in the new subnet is tried first, so that a device keeps
     *     its number
     * @param used whether an address is in use
     * @return the address with the interface's mask, without a gateway; empty when the subnet has no room, or none was
     *     found among the first 64
     */
    static Optional<AddressConfiguration> find(HostInterface there, InetAddress now, Predicate<InetAddress> used) {
        if (there.prefixLength() > LAST_PREFIX_WITH_ROOM) {
            return Optional.empty();
        }
        int mask = there.mask();
        int network = AddressConfiguration.bits(there.address()) & mask;
        long first = 1;
        long last = (~mask & 0xFFFFFFFFL) - 1;
        if (network == LINK_LOCAL && mask == LINK_LOCAL_MASK) {
            first = LINK_LOCAL_RESERVED;
            last = last - LINK_LOCAL_RESERVED + 1;
        }
        long host = Math.max(first, Math.min(last, AddressConfiguration.bits(now) & ~mask & 0xFFFFFFFFL));
        long tries = Math.min(MAX_TRIES, last - first + 1);
        for (int i = 0; i < tries; i++) {
            Inet4Address candidate = AddressConfiguration.ofBits((int) (network | host));
            if (!candidate.equals(there.address()) && !used.test(candidate)) {
                return Optional.of(new AddressConfiguration(
                        candidate, AddressConfiguration.ofBits(mask), AddressConfiguration.ofBits(0)));
            }
            host = host == last ? first : host + 1;
        }
        return Optional.empty();
    }
}
