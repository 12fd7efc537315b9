package io.peregrine.virtualcamera;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The registers that switch to RDMA, and which connections they admit. Used by the holder of the device's monitor,
 * which the methods of {@link RdmaAcceptor.Gate} take themselves.
 */
final class RdmaRegisters implements RdmaAcceptor.Gate {
    private static final int RDMA_SEND = 0x1;
    private static final int RDMA_WRITE = 0x2;

    private final GevDevice device;
    private final RegisterSpace space;
    private final PayloadRegisters payload;
    private final RdmaNonce nonce = new RdmaNonce();
    private @Nullable RdmaSender sender;

    RdmaRegisters(GevDevice device, PayloadRegisters payload) {
        this.device = device;
        this.payload = payload;
        space = device.space;
    }

    /** Gives the registers what streams by RDMA; without it they offer none. */
    void attach(RdmaSender newSender) {
        sender = newSender;
    }

    Optional<RdmaSender> sender() {
        return Optional.ofNullable(sender);
    }

    /** Maps the registers; the mode cannot change during an acquisition. */
    void map(BooleanSupplier acquisitionActive) {
        space.map(Reg.RDMA, Reg.RDMA_BYTES);
        space.constant(Reg.RDMA_MAGIC, RdmaGreeting.MAGIC_REGISTER);
        space.constant(Reg.RDMA_VERSION, RdmaGreeting.VERSION);
        device.register(
                Reg.RDMA_MODE,
                mode -> {
                    if (acquisitionActive.getAsBoolean()) {
                        throw new RegisterException(Gvcp.ACCESS_DENIED);
                    }
                    GevDevice.require(mode == RdmaGreeting.MODE_GVSP
                            || (mode > 0 && mode <= 2 && (capability() & (1 << (mode - 1))) != 0));
                    return mode;
                },
                this::modeWritten);
        // Any host may read registers, so that these read as 0.
        device.register(Reg.RDMA_NONCE_HIGH, v -> v, () -> nonce.writeHigh(taken(Reg.RDMA_NONCE_HIGH)));
        device.register(Reg.RDMA_NONCE_LOW, v -> v, () -> nonce.writeLow(taken(Reg.RDMA_NONCE_LOW)));
    }

    private int taken(int register) {
        int value = space.get(register);
        space.set(register, 0);
        return value;
    }

    private int capability() {
        return sender().isPresent() && sender().get().port() != 0 ? RDMA_SEND | RDMA_WRITE : 0;
    }

    /** Whether blocks are sent by RDMA instead of GVSP. */
    boolean active() {
        return space.get(Reg.RDMA_MODE) != RdmaGreeting.MODE_GVSP;
    }

    private void modeWritten() {
        sender().ifPresent(rdma -> {
            rdma.dismiss();
            if (active()) {
                rdma.restartCounters();
            }
        });
    }

    /** Returns to GVSP and ends the connection: neither outlives the control channel. */
    void release() {
        space.set(Reg.RDMA_MODE, RdmaGreeting.MODE_GVSP);
        nonce.use();
        sender().ifPresent(RdmaSender::dismiss);
    }

    /** Brings the registers up to date. */
    void refresh() {
        space.set(Reg.RDMA_CAPABILITY, capability());
        sender().ifPresent(rdma -> {
            space.set(Reg.RDMA_PORT, rdma.port());
            space.set(Reg.RDMA_BLOCKS_DROPPED, (int) rdma.blocksDropped());
            space.set(Reg.RDMA_BLOCKS_SENT, (int) rdma.blocksSent());
            space.set(Reg.RDMA_STATUS, rdma.lastStatus());
        });
    }

    @Override
    public int judge(RdmaGreeting greeting) {
        synchronized (device) {
            if (!greeting.known() || greeting.channel() != 0) {
                return Gvcp.INVALID_PARAMETER;
            }
            if (device.controller == null || !active() || !nonce.is(greeting.nonce())) {
                return Gvcp.ACCESS_DENIED;
            }
            boolean fits = greeting.mode() == space.get(Reg.RDMA_MODE)
                    && greeting.flowCount() == payload.container().flowRanges().size()
                    && greeting.receiveDepth() >= 1
                    && greeting.receiveDepth() <= RdmaLink.MAX_DEPTH;
            return fits ? Gvcp.SUCCESS : Gvcp.INVALID_PARAMETER;
        }
    }

    @Override
    public void admitted() {
        synchronized (device) {
            nonce.use();
        }
    }

    @Override
    public GenDcLayout container() {
        synchronized (device) {
            return payload.container();
        }
    }
}
