package io.peregrine.virtualcamera;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/** The faults of a running virtual camera; may be changed at any time from any thread. */
public final class Faults {
    private volatile FaultPlan plan;
    private Consumer<FaultPlan> observer = ignored -> {};

    Faults(FaultPlan plan) {
        this.plan = plan;
    }

    /** Passes an observer the present plan, and each new one before it takes effect. */
    synchronized void observe(Consumer<FaultPlan> newObserver) {
        newObserver.accept(plan);
        observer = newObserver;
    }

    /**
     * The faults in force.
     *
     * @return an immutable copy
     */
    public FaultPlan plan() {
        return plan;
    }

    /**
     * Replaces everything.
     *
     * @param newPlan the new faults
     */
    public synchronized void set(FaultPlan newPlan) {
        observer.accept(Objects.requireNonNull(newPlan, "newPlan"));
        plan = newPlan;
    }

    /** Ends all faults. */
    public void clear() {
        set(FaultPlan.NONE);
    }

    /**
     * Lets file access fail, until it is changed again.
     *
     * @param value the fault
     * @return this
     */
    public Faults files(FaultPlan.FileFault value) {
        return change(draft -> draft.files = value);
    }

    /**
     * Sets the seed of the random decisions.
     *
     * @param value any number
     * @return this
     */
    public Faults seed(long value) {
        return change(draft -> draft.seed = value);
    }

    /**
     * Loses stream packets, leader and trailer included.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults lossPerMille(double value) {
        return change(draft -> draft.lossPerMille = value);
    }

    /**
     * Loses packets that are sent again on request.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults resendLossPerMille(double value) {
        return change(draft -> draft.resendLossPerMille = value);
    }

    /**
     * Sends packets twice.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults duplicatePerMille(double value) {
        return change(draft -> draft.duplicatePerMille = value);
    }

    /**
     * Sends packets after their successor.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults reorderPerMille(double value) {
        return change(draft -> draft.reorderPerMille = value);
    }

    /**
     * Sends packets late; by how much, {@link #delay} says.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults delayPerMille(double value) {
        return change(draft -> draft.delayPerMille = value);
    }

    /**
     * Sets how late the delayed packets are.
     *
     * @param value up to 60 s
     * @return this
     */
    public Faults delay(Duration value) {
        return change(draft -> draft.delay = value);
    }

    /**
     * Ends blocks in their middle, without a trailer.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults stallEveryBlocks(int value) {
        return change(draft -> draft.stallEveryBlocks = value);
    }

    /**
     * Damages GenDC descriptors.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults wrongDescriptorEveryBlocks(int value) {
        return change(draft -> draft.wrongDescriptorEveryBlocks = value);
    }

    /**
     * Answers register writes late, after a PENDING_ACK.
     *
     * @param value how late, up to 60 s; zero for at once
     * @return this
     */
    public Faults pendingAcknowledge(Duration value) {
        return change(draft -> draft.pendingAcknowledge = value);
    }

    /**
     * Replaces the faults of the RDMA stream.
     *
     * @param value the faults
     * @return this
     */
    public Faults rdma(FaultPlan.Rdma value) {
        return change(draft -> draft.setRdma(value));
    }

    /**
     * Loses packets that the camera sends by RDMA. Needs the provider software.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults rdmaDropPerMille(double value) {
        return change(draft -> draft.rdmaDropPerMille = value);
    }

    /**
     * Sends packets by RDMA after their successor. Needs the provider software.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults rdmaReorderPerMille(double value) {
        return change(draft -> draft.rdmaReorderPerMille = value);
    }

    /**
     * Sends packets by RDMA twice. Needs the provider software.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults rdmaDuplicatePerMille(double value) {
        return change(draft -> draft.rdmaDuplicatePerMille = value);
    }

    /**
     * Damages the invariant checksum (ICRC) of packets sent by RDMA. Needs the provider software.
     *
     * @param value share of the packets, 0 to 1000
     * @return this
     */
    public Faults rdmaCorruptPerMille(double value) {
        return change(draft -> draft.rdmaCorruptPerMille = value);
    }

    /**
     * Answers messages of the host with "receiver not ready" at first. Needs the provider software.
     *
     * @param value share of the messages, 0 to 1000
     * @return this
     */
    public Faults rdmaNotReadyPerMille(double value) {
        return change(draft -> draft.rdmaNotReadyPerMille = value);
    }

    /**
     * Breaks blocks off in their middle, and the RDMA connection with them.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults rdmaVanishEveryBlocks(int value) {
        return change(draft -> draft.rdmaVanishEveryBlocks = value);
    }

    /**
     * Breaks a block off in its middle and accepts no RDMA connection from then on.
     *
     * @param value block id; 0 for none
     * @return this
     */
    public Faults rdmaVanishForGoodAtBlock(long value) {
        return change(draft -> draft.rdmaVanishForGoodAtBlock = value);
    }

    /**
     * Reports blocks done with the id of another flow set.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults rdmaWrongSetIdEveryBlocks(int value) {
        return change(draft -> draft.rdmaWrongSetIdEveryBlocks = value);
    }

    /**
     * Reports blocks done with more bytes than their flows can hold.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults rdmaWrongLengthEveryBlocks(int value) {
        return change(draft -> draft.rdmaWrongLengthEveryBlocks = value);
    }

    /**
     * Leaves blocks incomplete and reports them done with an error.
     *
     * @param value each nth block; 0 for none
     * @return this
     */
    public Faults rdmaErrorStatusEveryBlocks(int value) {
        return change(draft -> draft.rdmaErrorStatusEveryBlocks = value);
    }

    private synchronized Faults change(Consumer<Draft> edit) {
        Draft draft = new Draft(plan);
        edit.accept(draft);
        set(draft.freeze());
        return this;
    }

    /** A plan under construction. */
    static final class Draft {
        long seed;
        double lossPerMille;
        double resendLossPerMille;
        double duplicatePerMille;
        double reorderPerMille;
        double delayPerMille;
        Duration delay;
        int stallEveryBlocks;
        int wrongDescriptorEveryBlocks;
        Duration pendingAcknowledge;
        double rdmaDropPerMille;
        double rdmaReorderPerMille;
        double rdmaDuplicatePerMille;
        double rdmaCorruptPerMille;
        double rdmaNotReadyPerMille;
        int rdmaVanishEveryBlocks;
        long rdmaVanishForGoodAtBlock;
        int rdmaWrongSetIdEveryBlocks;
        int rdmaWrongLengthEveryBlocks;
        int rdmaErrorStatusEveryBlocks;
        FaultPlan.FileFault files;

        Draft(FaultPlan plan) {
            seed = plan.seed();
            lossPerMille = plan.lossPerMille();
            resendLossPerMille = plan.resendLossPerMille();
            duplicatePerMille = plan.duplicatePerMille();
            reorderPerMille = plan.reorderPerMille();
            delayPerMille = plan.delayPerMille();
            delay = plan.delay();
            stallEveryBlocks = plan.stallEveryBlocks();
            wrongDescriptorEveryBlocks = plan.wrongDescriptorEveryBlocks();
            pendingAcknowledge = plan.pendingAcknowledge();
            setRdma(plan.rdma());
            files = plan.files();
        }

        void setRdma(FaultPlan.Rdma rdma) {
            rdmaDropPerMille = rdma.dropPerMille();
            rdmaReorderPerMille = rdma.reorderPerMille();
            rdmaDuplicatePerMille = rdma.duplicatePerMille();
            rdmaCorruptPerMille = rdma.corruptPerMille();
            rdmaNotReadyPerMille = rdma.notReadyPerMille();
            rdmaVanishEveryBlocks = rdma.vanishEveryBlocks();
            rdmaVanishForGoodAtBlock = rdma.vanishForGoodAtBlock();
            rdmaWrongSetIdEveryBlocks = rdma.wrongSetIdEveryBlocks();
            rdmaWrongLengthEveryBlocks = rdma.wrongLengthEveryBlocks();
            rdmaErrorStatusEveryBlocks = rdma.errorStatusEveryBlocks();
        }

        FaultPlan freeze() {
            return new FaultPlan(
                    seed,
                    lossPerMille,
                    resendLossPerMille,
                    duplicatePerMille,
                    reorderPerMille,
                    delayPerMille,
                    delay,
                    stallEveryBlocks,
                    wrongDescriptorEveryBlocks,
                    pendingAcknowledge,
                    new FaultPlan.Rdma(
                            rdmaDropPerMille,
                            rdmaReorderPerMille,
                            rdmaDuplicatePerMille,
                            rdmaCorruptPerMille,
                            rdmaNotReadyPerMille,
                            rdmaVanishEveryBlocks,
                            rdmaVanishForGoodAtBlock,
                            rdmaWrongSetIdEveryBlocks,
                            rdmaWrongLengthEveryBlocks,
                            rdmaErrorStatusEveryBlocks),
                    files);
        }
    }
}
