package io.peregrine.verbs;

import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.VerbsOps;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Flow rules ({@code ibv_create_flow}): which packets the adapter gives to a queue pair instead of the kernel. One rule
 * an endpoint, for its MAC address, IPv4 address and UDP port, without masks.
 */
final class FlowRules {
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int MAC_BYTES = 6;
    private static final int LOW_23_BITS = 0x7FFFFF;
    private static final int ETH = VerbsLayout.FLOW_ATTR_BYTES;
    private static final int IPV4 = ETH + VerbsLayout.FLOW_ETH_BYTES;
    private static final int UDP = IPV4 + VerbsLayout.FLOW_IPV4_BYTES;
    private static final int BYTES = UDP + VerbsLayout.FLOW_UDP_BYTES;

    private FlowRules() {}

    /**
     * Creates a rule.
     *
     * @param port port of the adapter, from 1
     * @param interfaceMac MAC address of the interface, which packets for a host are sent to
     * @return the rule; 0 on failure, with the reason in errno
     */
    static long create(long context, long queuePair, int port, byte[] interfaceMac, InetSocketAddress endpoint) {
        ByteBuffer rule = describe(port, interfaceMac, endpoint);
        return VerbsOps.createFlow(context, queuePair, NativeMemory.address(rule));
    }

    /** {@code struct ibv_flow_attr} and the specifications after it. */
    static ByteBuffer describe(int port, byte[] interfaceMac, InetSocketAddress endpoint) {
        ByteBuffer rule = NativeMemory.allocate(BYTES);
        rule.putShort(VerbsLayout.FLOW_ATTR_SIZE, (short) BYTES);
        rule.put(VerbsLayout.FLOW_ATTR_NUM_OF_SPECS, (byte) 3);
        rule.put(VerbsLayout.FLOW_ATTR_PORT, (byte) port);
        spec(rule, ETH, VerbsLayout.FLOW_SPEC_ETH, VerbsLayout.FLOW_ETH_BYTES);
        spec(rule, IPV4, VerbsLayout.FLOW_SPEC_IPV4, VerbsLayout.FLOW_IPV4_BYTES);
        spec(rule, UDP, VerbsLayout.FLOW_SPEC_UDP, VerbsLayout.FLOW_UDP_BYTES);
        InetAddress to = endpoint.getAddress();
        byte[] mac = to.isMulticastAddress() ? groupMac(to.getAddress()) : interfaceMac;
        byte[] all = new byte[MAC_BYTES];
        Arrays.fill(all, (byte) -1);
        byte[] type = {(byte) (ETHERTYPE_IPV4 >>> 8), (byte) ETHERTYPE_IPV4};
        byte[] udp = {(byte) (endpoint.getPort() >>> 8), (byte) endpoint.getPort()};
        rule.put(ETH + VerbsLayout.FLOW_ETH_VALUE, mac);
        rule.put(ETH + VerbsLayout.FLOW_ETH_MASK, all);
        rule.put(ETH + VerbsLayout.FLOW_ETH_VALUE + VerbsLayout.FLOW_ETH_TYPE, type);
        rule.put(ETH + VerbsLayout.FLOW_ETH_MASK + VerbsLayout.FLOW_ETH_TYPE, all, 0, type.length);
        rule.put(IPV4 + VerbsLayout.FLOW_IPV4_VALUE + VerbsLayout.FLOW_IPV4_DESTINATION, to.getAddress());
        rule.put(IPV4 + VerbsLayout.FLOW_IPV4_MASK + VerbsLayout.FLOW_IPV4_DESTINATION, all, 0, 4);
        rule.put(UDP + VerbsLayout.FLOW_UDP_VALUE, udp);
        rule.put(UDP + VerbsLayout.FLOW_UDP_MASK, all, 0, udp.length);
        return rule;
    }

    private static void spec(ByteBuffer rule, int at, int type, int bytes) {
        rule.putInt(at, type);
        rule.putShort(at + VerbsLayout.FLOW_SPEC_SIZE, (short) bytes);
    }

    /** RFC 1112, 6.4: 01-00-5E and the lowest 23 bits of the group. */
    private static byte[] groupMac(byte[] group) {
        int low = ByteBuffer.wrap(group).getInt() & LOW_23_BITS;
        return new byte[] {1, 0, 0x5E, (byte) (low >>> 16), (byte) (low >>> 8), (byte) low};
    }
}
