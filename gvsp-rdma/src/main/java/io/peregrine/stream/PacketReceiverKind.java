package io.peregrine.stream;

/** How stream packets are received. */
public enum PacketReceiverKind {
    /**
     * The best of the others that this host and the rights of this process allow: {@link #RING} where packets come one
     * by one, since the kernel does not join them, for a stream that is sent to this host alone and without busy
     * polling; else {@link #MMSG}.
     */
    AUTO,
    /** In batches from a UDP socket: Linux. */
    MMSG,
    /** From memory shared with the kernel: Linux, and the right CAP_NET_RAW. */
    RING,
    /**
     * From an adapter past the kernel, which writes payload to its place in memory: Linux, an adapter with flow
     * steering (NVIDIA ConnectX) and its library libibverbs, and the right CAP_NET_RAW. Never taken by {@link #AUTO}.
     */
    VERBS,
    /** One by one from a UDP socket: everywhere. */
    NIO
}
