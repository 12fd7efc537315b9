package io.peregrine.device;

import io.peregrine.genapi.Port;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.CameraXml;
import io.peregrine.gvcp.ConnectionLostException;
import io.peregrine.gvcp.GvcpChannel;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.GvcpException;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.gvcp.Privilege;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A camera under control; after a loss the same camera, wherever it is found again. */
final class CameraConnection implements DeviceConnection {
    private static final int MAX_STREAMS = 512;

    private final OpenParameters parameters;
    private final RdmaLink.Opener transports;
    private final UnaryOperator<DiscoveryInformation> finder;
    private final byte[] xml;
    private final Port port;
    private final AcquisitionShare acquisition = new AcquisitionShare();
    private final RegisterJournal registers = new RegisterJournal();
    private volatile GvcpChannel channel;
    private volatile boolean away;
    /** The last channel that was opened to get the camera back. */
    private volatile Optional<GvcpChannel> arriving = Optional.empty();

    private volatile boolean abandoned;
    private volatile Optional<RdmaLink> rdma = Optional.empty();
    private volatile Consumer<Throwable> lossListener = cause -> {};

    private CameraConnection(
            OpenParameters parameters,
            RdmaLink.Opener transports,
            UnaryOperator<DiscoveryInformation> finder,
            GvcpChannel channel) {
        this.parameters = parameters;
        this.transports = transports;
        this.finder = finder;
        this.channel = channel;
        registers.watch(channel);
        xml = CameraXml.fetch(channel).xml();
        port = new ControlPort(this::channel);
    }

    /**
     * Takes a camera under control.
     *
     * @param finder finds a lost camera again, or throws
     */
    static CameraConnection open(
            DiscoveryInformation info,
            OpenParameters parameters,
            RdmaLink.Opener transports,
            UnaryOperator<DiscoveryInformation> finder) {
        GvcpChannel channel = take(info, parameters, parameters.control().channel(), opened -> {});
        try {
            return new CameraConnection(parameters, transports, finder, channel);
        } catch (RuntimeException e) {
            throw closing(channel, e);
        }
    }

    private static GvcpChannel take(
            DiscoveryInformation info,
            OpenParameters parameters,
            GvcpSettings settings,
            Consumer<GvcpChannel> listener) {
        GvcpChannel opened = GvcpChannel.open(new InetSocketAddress(info.address(), info.port()), settings);
        try {
            listener.accept(opened);
            opened.takePrivilege(parameters.privilege());
            return opened;
        } catch (RuntimeException e) {
            throw closing(opened, e);
        }
    }

    private static RuntimeException closing(GvcpChannel channel, RuntimeException cause) {
        Failures failures = new Failures();
        failures.attempt(() -> {
            throw cause;
        });
        failures.attempt(channel::close);
        failures.throwIfAny();
        return cause;
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
        return Optional.of(channel());
    }

    @Override
    public RegisterJournal registers() {
        return registers;
    }

    @Override
    public List<DeviceStream> connect(Device device) {
        int count = Math.max(0, Math.min(channel.readRegister(BootstrapRegister.STREAM_CHANNEL_COUNT), MAX_STREAMS));
        List<DeviceStream> streams = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            streams.add(new DeviceStream(device, this, i));
        }
        connectStreams(device);
        return streams;
    }

    @Override
    public void connectStreams(Device device) {
        RdmaLink.Choice choice = RdmaLink.choose(channel(), device.nodes(), parameters, transports);
        device.streamingMode(choice.mode());
        rdma = choice.link();
    }

    @Override
    public void letGo() {
        away = true;
        Optional<RdmaLink> link = rdma;
        rdma = Optional.empty();
        Failures failures = new Failures();
        link.ifPresent(open -> failures.attempt(open::close));
        failures.attempt(channel::close);
        failures.throwIfAny();
    }

    @Override
    public DiscoveryInformation reconnect(DiscoveryInformation last) {
        DiscoveryInformation found = finder.apply(last);
        GvcpChannel taken = takeAgain(found);
        registers.watch(taken);
        channel = taken;
        away = false;
        taken.onLost(cause -> lossListener.accept(cause));
        return found;
    }

    /** A device that did not notice anything still belongs to the socket that it knows, and would refuse another one. */
    private GvcpChannel takeAgain(DiscoveryInformation found) {
        GvcpSettings settings = parameters.control().channel();
        if (channel.deviceAddress().getAddress().equals(found.address())) {
            try {
                return take(found, parameters, settings.withLocalAddress(channel.localSocketAddress()), this::arrives);
            } catch (GvcpException e) {
                if (!(e.getCause() instanceof BindException)) {
                    throw e;
                }
            }
        }
        return take(found, parameters, settings, this::arrives);
    }

    private void arrives(GvcpChannel opened) {
        arriving = Optional.of(opened);
        if (abandoned) {
            throw new ConnectionLostException("The device was closed while it was connected again");
        }
    }

    @Override
    public MessageChannel openMessages(Consumer<GvcpEvent> listener) {
        if (parameters.privilege() == Privilege.MONITOR) {
            throw new DeviceException("The device was opened with AccessMode=ReadOnly, which gets no events:"
                    + " open it with AccessMode=Control");
        }
        return MessageChannel.open(channel(), listener);
    }

    /**
     * The control channel.
     *
     * @throws ConnectionLostException if the camera was lost and not found again yet
     */
    GvcpChannel channel() {
        GvcpChannel current = channel;
        if (away) {
            throw new ConnectionLostException("The device was lost and is not connected again yet");
        }
        return current;
    }

    AcquisitionShare acquisition() {
        return acquisition;
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
        lossListener = listener;
        channel.onLost(listener::accept);
    }

    @Override
    public void abandon() {
        abandoned = true;
        arriving.ifPresent(GvcpChannel::close);
        channel.close();
    }

    @Override
    public void close() {
        Failures failures = new Failures();
        rdma.ifPresent(link -> failures.attempt(link::close));
        failures.attempt(channel::close);
        failures.throwIfAny();
    }
}
