package io.peregrine.verbs;

import io.peregrine.nativeio.NativeMemory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** IPv4 addresses as {@code struct sockaddr_in}. */
final class SocketAddresses {
    private SocketAddresses() {}

    static ByteBuffer write(Inet4Address address, int port) {
        ByteBuffer memory = NativeMemory.allocate(VerbsLayout.SOCKADDR_IN_BYTES);
        memory.putShort(0, VerbsLayout.AF_INET);
        memory.putShort(VerbsLayout.SOCKADDR_PORT, VerbsLayout.networkOrder((short) port));
        memory.put(VerbsLayout.SOCKADDR_ADDRESS, address.getAddress());
        return memory;
    }

    static InetSocketAddress read(ByteBuffer memory, int offset) {
        if (memory.getShort(offset) != VerbsLayout.AF_INET) {
            return new InetSocketAddress(0);
        }
        byte[] address = new byte[4];
        memory.get(offset + VerbsLayout.SOCKADDR_ADDRESS, address);
        int port = VerbsLayout.networkOrder(memory.getShort(offset + VerbsLayout.SOCKADDR_PORT)) & 0xFFFF;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an IPv4 address", e);
        }
    }
}
