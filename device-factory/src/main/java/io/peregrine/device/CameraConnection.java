package io.peregrine.device;

import io.peregrine.genapi.Port;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.CameraXml;
import io.peregrine.gvcp.GvcpChannel;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.gvcp.Privilege;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A camera under control. */
final class CameraConnection implements DeviceConnection {
    private static final int MAX_STREAMS = 512;

    private final OpenParameters parameters;
    private final RdmaLink.Opener transports;
    private final GvcpChannel channel;
    private final byte[] xml;
    private final Port port;
    private Optional<RdmaLink> rdma = Optional.empty();

    private CameraConnection(OpenParameters parameters, RdmaLink.Opener transports, GvcpChannel channel) {
        this.parameters = parameters;
        this.transports = transports;
        this.channel = channel;
        channel.takePrivilege(parameters.privilege());
        xml = CameraXml.fetch(channel).xml();
        port = new ControlPort(channel);
    }

    static CameraConnection open(DiscoveryInformation info, OpenParameters parameters, RdmaLink.Opener transports) {
        GvcpChannel channel =
                GvcpChannel.open(new InetSocketAddress(info.address(), info.port()), GvcpSettings.defaults());
        try {
            return new CameraConnection(parameters, transports, channel);
        } catch (RuntimeException e) {
            Failures failures = new Failures();
            failures.attempt(() -> {
                throw e;
            });
            failures.attempt(channel::close);
            failures.throwIfAny();
            throw e;
        }
    }

    @Override
    public byte[] xml() {
        return xml;
    }

    @Override
    public Port port() {
        return port;
    }

    @Override
    public Optional<GvcpChannel> control() {
        return Optional.of(channel);
    }

    @Override
    public List<DeviceStream> connect(Device device) {
        int count = Math.max(0, Math.min(channel.readRegister(BootstrapRegister.STREAM_CHANNEL_COUNT), MAX_STREAMS));
        List<DeviceStream> streams = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            streams.add(new DeviceStream(device, this, i));
        }
        RdmaLink.Choice choice = RdmaLink.choose(channel, device.nodes(), parameters, transports);
        device.streamingMode(choice.mode());
        rdma = choice.link();
        return streams;
    }

    @Override
    public MessageChannel openMessages(Consumer<GvcpEvent> listener) {
        if (parameters.privilege() == Privilege.MONITOR) {
            throw new DeviceException("The device was opened with AccessMode=ReadOnly, which gets no events:"
                    + " open it with AccessMode=Control");
        }
        return MessageChannel.open(channel, listener);
    }

    GvcpChannel channel() {
        return channel;
    }

    Optional<RdmaLink> rdma() {
        return rdma;
    }

    @Override
    public boolean rdmaPossible() {
        return rdma.isPresent();
    }

    @Override
    public InetAddress localAddress() {
        return channel.localAddress();
    }

    @Override
    public boolean alive() {
        return channel.alive();
    }

    @Override
    public void onLost(Consumer<Throwable> listener) {
        channel.onLost(listener::accept);
    }

    @Override
    public void close() {
        Failures failures = new Failures();
        rdma.ifPresent(link -> failures.attempt(link::close));
        failures.attempt(channel::close);
        failures.throwIfAny();
    }
}
