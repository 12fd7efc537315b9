package io.peregrine.device;

/** Is told how a transfer of a file goes on. */
@FunctionalInterface
public interface TransferProgress {
    /** Tells nobody. */
    TransferProgress NONE = (doneBytes, totalBytes) -> {};

    /**
     * Called after each part, on the thread that transfers. An exception ends the transfer.
     *
     * @param doneBytes bytes that are through
     * @param totalBytes bytes of the file; 0 when not known
     */
    void at(long doneBytes, long totalBytes);
}
