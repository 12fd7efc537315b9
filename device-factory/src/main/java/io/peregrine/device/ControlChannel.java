package io.peregrine.device;

import io.peregrine.gvcp.AccessDeniedException;
import io.peregrine.gvcp.CameraXml;
import io.peregrine.gvcp.ConnectionLostException;
import io.peregrine.gvcp.GvcpChannel;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.GvcpException;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.gvcp.GvcpTimeoutException;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvcp.RegisterValue;
import io.peregrine.stream.engine.ResendRequester;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The control channel to a device as the rest of this module sees it. What goes wrong on it is a
 * {@link DeviceException}: this is the border that no {@link GvcpException} crosses.
 */
final class ControlChannel implements AutoCloseable {
    private final GvcpChannel channel;

    private ControlChannel(GvcpChannel channel) {
        this.channel = channel;
    }

    /** Opens a socket to a device. Nothing is sent. */
    static ControlChannel open(InetSocketAddress device, GvcpSettings settings) {
        return new ControlChannel(asked(() -> GvcpChannel.open(device, settings)));
    }

    /** Runs something over GVCP. */
    static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (GvcpException e) {
            throw of(e);
        }
    }

    private static void told(Runnable command) {
        asked(() -> {
            command.run();
            return true;
        });
    }

    /** A failure of GVCP as users of a device get it. */
    static DeviceException of(GvcpException failure) {
        String message = failure.getMessage();
        if (failure instanceof AccessDeniedException) {
            return new DeviceAccessDeniedException(message, failure);
        }
        if (failure instanceof GvcpTimeoutException) {
            return new DeviceTimeoutException(message, failure);
        }
        return failure instanceof ConnectionLostException
                ? new DeviceLostException(message, failure)
                : new DeviceException(message, failure);
    }

    int readRegister(int address) {
        return asked(() -> channel.readRegister(address));
    }

    int[] readRegisters(int... addresses) {
        return asked(() -> channel.readRegisters(addresses));
    }

    void writeRegister(int address, int value) {
        told(() -> channel.writeRegister(address, value));
    }

    byte[] readMemory(int address, int lengthBytes) {
        return asked(() -> channel.readMemory(address, lengthBytes));
    }

    void writeMemory(int address, byte[] data) {
        told(() -> channel.writeMemory(address, data));
    }

    int capability() {
        return asked(channel::capability);
    }

    /** See {@link GvcpChannel#limitTime}. */
    void limitTime(String name, Duration limit) {
        channel.limitTime(name, limit);
    }

    void unlimitTime() {
        channel.unlimitTime();
    }

    /** See {@link GvcpChannel#hurry}. */
    void hurry() {
        channel.hurry();
    }

    /** The description of the features, unpacked. */
    byte[] description(int largestBytes) {
        return asked(() -> CameraXml.fetch(channel, new CameraXml.Limit("LargestDescription", largestBytes))
                .xml());
    }

    void takePrivilege(Privilege wanted) {
        told(() -> channel.takePrivilege(wanted));
    }

    Optional<InetSocketAddress> primaryApplication() {
        return asked(channel::primaryApplication);
    }

    void allowSwitchover(int key) {
        told(() -> channel.allowSwitchover(key));
    }

    void denySwitchover() {
        told(channel::denySwitchover);
    }

    /** Calls a listener with each register that is written from now on. It must not fail. */
    void onWrite(Consumer<RegisterValue> listener) {
        channel.onWrite(listener);
    }

    /** Calls a listener once the device is lost, or at once if it is. */
    void onLost(Consumer<DeviceException> listener) {
        channel.onLost(reason -> listener.accept(of(reason)));
    }

    /** Opens the channel on which events come. */
    MessageChannel openMessages(Consumer<GvcpEvent> listener, HostEndpoint endpoint) {
        return asked(() -> MessageChannel.open(channel, listener, endpoint.messagePort(), endpoint.announced()));
    }

    /** Asks for packets of a stream again; on its receiver thread, without waiting or failing. */
    ResendRequester resends(int streamChannel) {
        return (blockId, first, last, extended) -> channel.requestResend(streamChannel, blockId, first, last, extended);
    }

    /** How many commands were sent again because no answer came. */
    long repetitions() {
        return channel.statistics().repetitions();
    }

    InetAddress localAddress() {
        return channel.localAddress();
    }

    InetSocketAddress localSocketAddress() {
        return channel.localSocketAddress();
    }

    InetSocketAddress deviceAddress() {
        return channel.deviceAddress();
    }

    boolean alive() {
        return channel.alive();
    }

    /** Gives control back and closes the socket. */
    @Override
    public void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return channel.toString();
    }
}
