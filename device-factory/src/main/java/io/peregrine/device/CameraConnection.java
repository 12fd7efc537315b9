package io.peregrine.device;

import io.peregrine.genapi.Port;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.gvcp.Privilege;
import io.peregrine.stream.engine.Failures;
import java.lang.ref.WeakReference;
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
    private static final String CONTROL = "control";

    private final OpenParameters parameters;
    private final RdmaLink.Opener transports;
    private final UnaryOperator<DiscoveryInformation> finder;
    private final byte[] xml;
    private final Port port;
    private final AcquisitionShare acquisition = new AcquisitionShare();
    private final RegisterJournal registers = new RegisterJournal();
    private volatile ControlChannel channel;
    private volatile boolean away;
    /** The last channel that was opened to get the camera back. */
    private volatile Optional<ControlChannel> arriving = Optional.empty();

    private final Holdings holdings;
    private volatile boolean abandoned;
    private volatile boolean closed;
    private volatile Optional<RdmaLink> rdma = Optional.empty();
    private volatile Consumer<Throwable> lossListener = cause -> {};

    private CameraConnection(
            OpenParameters parameters,
            RdmaLink.Opener transports,
            UnaryOperator<DiscoveryInformation> finder,
            ControlChannel channel,
            Holdings holdings) {
        this.holdings = holdings;
        this.parameters = parameters;
        this.transports = transports;
        this.finder = finder;
        this.channel = channel;
        registers.watch(channel);
        xml = channel.description(parameters.control().largestDescriptionBytes());
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
            UnaryOperator<DiscoveryInformation> finder,
            OpenedAt openedAt) {
        boolean controls = parameters.privilege() != Privilege.MONITOR;
        Holdings holdings = new Holdings(info, controls, openedAt);
        OpenDevices.opening(holdings);
        try {
            return open(info, parameters, transports, finder, holdings);
        } catch (RuntimeException | Error e) {
            holdings.settled();
            OpenDevices.closed(holdings);
            throw e;
        }
    }

    private static CameraConnection open(
            DiscoveryInformation info,
            OpenParameters parameters,
            RdmaLink.Opener transports,
            UnaryOperator<DiscoveryInformation> finder,
            Holdings holdings) {
        ControlChannel channel = take(info, parameters, parameters.control().channel(), holdings, opened -> {
            holdings.put(CONTROL, opened);
            holdings.requireHeld();
        });
        try {
            CameraConnection made = new CameraConnection(parameters, transports, finder, channel, holdings);
            holdings.releaseAfter(made);
            return made;
        } catch (RuntimeException e) {
            RuntimeException told = refused(info, channel, holdings, e);
            close(channel, told);
            throw told;
        } catch (Error e) {
            close(channel, e);
            throw e;
        }
    }

    private static ControlChannel take(
            DiscoveryInformation info,
            OpenParameters parameters,
            GvcpSettings settings,
            Holdings holdings,
            Consumer<ControlChannel> listener) {
        ControlChannel opened = ControlChannel.open(new InetSocketAddress(info.address(), info.port()), settings);
        try {
            listener.accept(opened);
            opened.limitTime("OpenTimeout", parameters.control().openTimeout());
            opened.takePrivilege(parameters.privilege());
            return opened;
        } catch (RuntimeException e) {
            RuntimeException told = refused(info, opened, holdings, e);
            close(opened, told);
            throw told;
        } catch (Error e) {
            close(opened, e);
            throw e;
        }
    }

    /** Says who holds the camera, if that is why it cannot be opened. */
    private static RuntimeException refused(
            DiscoveryInformation info, ControlChannel channel, Holdings holdings, RuntimeException failure) {
        return failure instanceof DeviceAccessDeniedException
                ? new DeviceAccessDeniedException(Refusal.text(info, channel, holdings), failure.getCause())
                : failure;
    }

    /** Gives up a channel because of a failure, which is thrown afterwards. */
    private static void close(ControlChannel channel, Throwable failure) {
        Failures failures = new Failures();
        failures.add(failure);
        failures.attempt(channel::close);
    }

    @Override
    public void opened() {
        channel.unlimitTime();
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
    public Optional<ControlChannel> control() {
        return Optional.of(channel());
    }

    @Override
    public RegisterJournal registers() {
        return registers;
    }

    @Override
    public List<DeviceStream> connect(DeviceContext device) {
        int count = Math.max(0, Math.min(channel.readRegister(BootstrapRegister.STREAM_CHANNEL_COUNT), MAX_STREAMS));
        List<DeviceStream> streams = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            streams.add(new DeviceStream(device, this, i));
        }
        connectStreams(device);
        return streams;
    }

    @Override
    public void connectStreams(DeviceContext device) {
        RdmaLink.Choice choice = RdmaLink.choose(channel(), device.nodes(), parameters, transports);
        device.streamingMode(choice.mode());
        rdma = choice.link();
        rdma.ifPresent(link -> holdings.put("rdma", link));
    }

    @Override
    public void detach() {
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
        ControlChannel taken = takeAgain(found);
        registers.watch(taken);
        channel = holdings.put(CONTROL, taken);
        away = false;
        taken.unlimitTime();
        watch(taken);
        return found;
    }

    /**
     * A device that did not notice anything still belongs to the socket that it knows, and would refuse another one.
     */
    private ControlChannel takeAgain(DiscoveryInformation found) {
        GvcpSettings settings = parameters.control().channel();
        if (channel.deviceAddress().getAddress().equals(found.address())) {
            try {
                GvcpSettings same = settings.withLocalAddress(channel.localSocketAddress());
                return take(found, parameters, same, holdings, this::arrives);
            } catch (DeviceException e) {
                // The channel could not be opened there.
                if (e.getCause() == null || !(e.getCause().getCause() instanceof BindException)) {
                    throw e;
                }
            }
        }
        return take(found, parameters, settings, holdings, this::arrives);
    }

    private void arrives(ControlChannel opened) {
        arriving = Optional.of(opened);
        if (abandoned) {
            throw new DeviceException("The device was closed while it was connected again");
        }
    }

    @Override
    public MessageChannel openMessages(Consumer<GvcpEvent> listener) {
        if (parameters.privilege() == Privilege.MONITOR) {
            throw new DeviceException("The device was opened with AccessMode=ReadOnly, which gets no events:"
                    + " open it with AccessMode=Control");
        }
        return holdings.put("messages", channel().openMessages(listener, parameters.endpoint()));
    }

    /**
     * The control channel.
     *
     * @throws DeviceException if the device is closed, or was lost and not found again yet
     */
    ControlChannel channel() {
        ControlChannel current = channel;
        if (closed) {
            throw new DeviceClosedException();
        }
        if (away) {
            throw new DeviceLostException("The device was lost and is not connected again yet");
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
        watch(channel);
    }

    /** The heartbeat's thread must not hold this connection. */
    private void watch(ControlChannel watched) {
        watched.onLost(toldTo(new WeakReference<>(this)));
    }

    private static Consumer<DeviceException> toldTo(WeakReference<CameraConnection> connection) {
        return cause -> {
            CameraConnection present = connection.get();
            if (present != null) {
                present.lossListener.accept(cause);
            }
        };
    }

    @Override
    public Holdings holdings() {
        return holdings;
    }

    @Override
    public void abandon() {
        abandoned = true;
        arriving.ifPresent(ControlChannel::close);
        channel.close();
    }

    @Override
    public void hurry() {
        channel.hurry();
    }

    @Override
    public void close() {
        closed = true;
        Failures failures = new Failures();
        rdma.ifPresent(link -> failures.attempt(link::close));
        failures.attempt(channel::close);
        holdings.settled();
        failures.throwIfAny();
    }
}
