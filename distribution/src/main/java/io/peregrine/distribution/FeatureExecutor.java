package io.peregrine.distribution;

import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceLostException;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.distribution.FeatureAnswer.Status;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.PortNode;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Does to the registers of a camera what consumers ask for, as the publisher's program would. */
final class FeatureExecutor {
    private static final int PLACE_BYTES = 10;
    private static final String DEVICE = "Device";

    private final NodeMap nodes;
    private final PortNode port;

    /**
     * For the camera of a node map.
     *
     * @throws DistributionException if it has no registers
     */
    FeatureExecutor(NodeMap nodes) {
        this.nodes = nodes;
        port = nodes.find(DEVICE, PortNode.class)
                .or(() -> nodes.nodes().stream()
                        .filter(PortNode.class::isInstance)
                        .map(PortNode.class::cast)
                        .filter(one -> one.chunkId().isEmpty() && one.readable())
                        .findFirst())
                .orElseThrow(() -> new DistributionException("The features of this camera cannot be forwarded: its"
                        + " description has no port named Device"));
    }

    FeatureAnswer execute(FeatureMessage request) {
        FeatureAnswer[] answer = new FeatureAnswer[1];
        // No other thread changes anything between the numbers of changes.
        nodes.together(() -> answer[0] = alone(request));
        return answer[0];
    }

    private FeatureAnswer alone(FeatureMessage request) {
        long before = nodes.changeCount();
        try {
            byte[] data = switch (request.type()) {
                case READ -> read(request.body());
                case WRITE -> write(request.body());
                case STATE -> new byte[0];
                case HELLO, WELCOME, ANSWER -> throw new DistributionException(request.type() + " is no request");
            };
            return new FeatureAnswer(Status.DONE, locked(), before, nodes.changeCount(), data);
        } catch (DeviceException | GenApiException | DistributionException e) {
            // A wrapper names the port, which the node that is asked for has in its place.
            String reason = Optional.ofNullable(e.getCause()).orElse(e).getMessage();
            return FeatureAnswer.failed(
                    status(e), locked(), before, nodes.changeCount(), reason == null ? e.toString() : reason);
        }
    }

    private byte[] read(ByteBuffer places) {
        int count = places.remaining() / PLACE_BYTES;
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += places.getShort(i * PLACE_BYTES + 8) & 0xFFFF;
        }
        if (count == 0 || places.remaining() % PLACE_BYTES != 0 || bytes > FeatureAnswer.MAX_DATA_BYTES) {
            throw new DistributionException("A request to read is malformed: " + count + " places, " + bytes
                    + " bytes; at most " + FeatureAnswer.MAX_DATA_BYTES + " come at a time");
        }
        ByteBuffer data = ByteBuffer.allocate(bytes);
        for (int i = 0; i < count; i++) {
            long address = places.getLong(i * PLACE_BYTES);
            int length = places.getShort(i * PLACE_BYTES + 8) & 0xFFFF;
            port.read(address, data.slice(data.position(), length));
            data.position(data.position() + length);
        }
        return data.array();
    }

    private byte[] write(ByteBuffer body) {
        if (body.remaining() < Long.BYTES) {
            throw new DistributionException("A request to write is malformed: it names no address");
        }
        long address = body.getLong();
        try {
            port.write(address, body.slice());
        } finally {
            // What depends on the register by way of the description is unknown here.
            nodes.invalidateAll();
        }
        return new byte[0];
    }

    /** As long as it streams. */
    private boolean locked() {
        try {
            return nodes.find("TLParamsLocked", IntegerNode.class)
                    .filter(node -> node.readable() && node.value() != 0)
                    .isPresent();
        } catch (GenApiException | DeviceException e) {
            return false;
        }
    }

    private static Status status(RuntimeException e) {
        if (e instanceof DeviceAccessDeniedException) {
            return Status.DENIED;
        }
        if (e instanceof DeviceTimeoutException) {
            return Status.TIMEOUT;
        }
        return e instanceof DeviceLostException ? Status.LOST : Status.REFUSED;
    }
}
