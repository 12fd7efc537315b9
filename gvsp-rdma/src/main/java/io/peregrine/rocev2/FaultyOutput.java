package io.peregrine.rocev2;

import io.peregrine.rdma.PacketFaults;
import java.nio.ByteBuffer;
import java.util.Random;

/** Stands before an output and commits faults on purpose. */
final class FaultyOutput implements PacketOutput {
    private static final int MAX_PACKET_BYTES = 4096 + 128;

    private final PacketOutput target;
    private final PacketFaults faults;
    private final Random random;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);
    private final ByteBuffer kept = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);
    private int destination;
    private int length;
    private int keptDestination;
    private int keptLength;
    private long committed;

    FaultyOutput(PacketOutput target, PacketFaults faults) {
        this.target = target;
        this.faults = faults;
        random = new Random(faults.seed());
    }

    @Override
    public boolean begin(int to, int lengthBytes) {
        // Room for what may go out on account of this packet is taken for granted but for the first.
        if (lengthBytes > MAX_PACKET_BYTES || !target.begin(to, lengthBytes)) {
            return false;
        }
        destination = to;
        length = lengthBytes;
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return packet;
    }

    @Override
    public int at() {
        return 0;
    }

    @Override
    public void commit() {
        boolean drop = happens(faults.dropPerMille());
        boolean reorder = happens(faults.reorderPerMille());
        boolean duplicate = happens(faults.duplicatePerMille());
        boolean corrupt = happens(faults.corruptPerMille());
        if (drop || corrupt) {
            // The receiver drops a packet with a wrong checksum; so does the network a lost one.
            committed++;
            if (corrupt && !drop) {
                packet.put(length - Headers.ICRC_BYTES - 1, (byte) ~packet.get(length - Headers.ICRC_BYTES - 1));
                sendDamaged();
            }
            return;
        }
        if (reorder && keptLength == 0) {
            kept.put(0, packet, 0, length);
            keptDestination = destination;
            keptLength = length;
            committed++;
            return;
        }
        send(packet, destination, length);
        if (duplicate) {
            send(packet, destination, length);
        }
        if (keptLength > 0) {
            int late = keptLength;
            keptLength = 0;
            send(kept, keptDestination, late);
        }
    }

    private void sendDamaged() {
        if (target.begin(destination, length)) {
            target.buffer().put(target.at(), packet, 0, length);
            target.commit();
            // Damage after the checksum was put.
            int last = target.at() + length - 1;
            target.buffer().put(last, (byte) ~target.buffer().get(last));
        }
    }

    private void send(ByteBuffer bytes, int to, int count) {
        if (target.begin(to, count)) {
            target.buffer().put(target.at(), bytes, 0, count);
            target.commit();
        } else {
            committed++;
        }
    }

    private boolean happens(double perMille) {
        return perMille > 0 && random.nextDouble() * 1000 < perMille;
    }

    /** Packets that were not passed on. */
    long swallowed() {
        return committed;
    }
}
