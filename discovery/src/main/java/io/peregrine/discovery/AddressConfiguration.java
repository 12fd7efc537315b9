package io.peregrine.discovery;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The IPv4 configuration of a device: address, subnet mask, gateway. Immutable.
 *
 * @param address its address
 * @param subnetMask which bits of the address name the subnet; they are contiguous from the upper end
 * @param gateway its default gateway, 0.0.0.0 for none
 */
public record AddressConfiguration(Inet4Address address, Inet4Address subnetMask, Inet4Address gateway) {
    private static final int ADDRESS_BITS = 32;

    /** Checks the mask. */
    public AddressConfiguration {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(gateway, "gateway");
        int mask = bits(subnetMask);
        if ((mask | (mask - 1)) != -1 && mask != 0) {
            throw new IllegalArgumentException(subnetMask.getHostAddress() + " is no subnet mask: its bits have gaps");
        }
    }

    /**
     * Reads the usual short form.
     *
     * @param text address, slash and number of subnet bits, for example {@code 192.168.1.20/24}; a gateway may follow
     *     after a comma
     * @return the configuration
     * @throws IllegalArgumentException if the text is something else
     */
    public static AddressConfiguration parse(String text) {
        int slash = text.indexOf('/');
        int comma = text.indexOf(',');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not say how large the subnet is: write it as 192.168.1.20/24");
        }
        int end = comma < 0 ? text.length() : comma;
        String prefix = slash < end ? text.substring(slash + 1, end) : "";
        if (!prefix.matches("\\d{1,2}") || Integer.parseInt(prefix) > ADDRESS_BITS) {
            throw new IllegalArgumentException("'" + text + "' has no subnet of 0 to 32 bits");
        }
        return new AddressConfiguration(
                address(text.substring(0, slash)),
                ofBits(mask(Integer.parseInt(prefix))),
                comma < 0 ? ofBits(0) : address(text.substring(comma + 1)));
    }

    /** Bits of the address that name the subnet, 0 to 32. */
    public int prefixLength() {
        return Integer.bitCount(bits(subnetMask));
    }

    /**
     * Whether an address belongs to the same subnet.
     *
     * @param other an IPv4 address
     * @return true if it does
     */
    public boolean contains(InetAddress other) {
        int mask = bits(subnetMask);
        return (bits(address) & mask) == (bits(other) & mask);
    }

    /** Address, slash, bits of the subnet; and the gateway, if there is one: what {@link #parse} reads. */
    @Override
    public String toString() {
        String text = address.getHostAddress() + "/" + prefixLength();
        return gateway.isAnyLocalAddress() ? text : text + "," + gateway.getHostAddress();
    }

    /**
     * Reads an address: four decimal numbers, never a name to look up.
     *
     * @param text the numbers, with points between them
     * @return the address
     * @throws IllegalArgumentException if the text is something else
     */
    public static Inet4Address address(String text) {
        if (!text.matches("\\d{1,3}(\\.\\d{1,3}){3}")) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv4 address");
        }
        int bits = 0;
        for (String part : text.split("\\.", -1)) {
            int value = Integer.parseInt(part);
            if (value > 0xFF) {
                throw new IllegalArgumentException("'" + text + "' is not an IPv4 address");
            }
            bits = bits << Byte.SIZE | value;
        }
        return ofBits(bits);
    }

    private static int mask(int prefixLength) {
        return prefixLength == 0 ? 0 : -1 << (ADDRESS_BITS - prefixLength);
    }

    /**
     * The value of an address in a register.
     *
     * @param address an IPv4 address
     * @return its four numbers, the first in the highest byte
     */
    public static int bits(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    /**
     * An address from the value of a register.
     *
     * @param bits the four numbers, the first in the highest byte
     * @return the address
     */
    public static Inet4Address ofBits(int bits) {
        try {
            byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(bits).array();
            return (Inet4Address) InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an IPv4 address", e);
        }
    }
}
