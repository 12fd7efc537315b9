package io.peregrine.gvsp;

/** How stream packets are received. */
public enum PacketReceiverKind {
    /** The best of the others that this host and the rights of this process allow. */
    AUTO,
    /** In batches from a UDP socket ({@link MmsgPacketReceiver}): Linux. */
    MMSG,
    /** From memory shared with the kernel ({@link PacketRingReceiver}): Linux, and the right CAP_NET_RAW. */
    RING,
    /** One by one from a UDP socket ({@link NioPacketReceiver}): everywhere. */
    NIO
}
