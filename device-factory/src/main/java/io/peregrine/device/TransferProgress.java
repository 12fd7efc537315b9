package io.peregrine.device;

/** Notified of the progress of a file transfer. */
@FunctionalInterface
public interface TransferProgress {
    /** Ignores it. */
    TransferProgress NONE = (doneBytes, totalBytes) -> {};

    /**
     * Called after each part, on the thread that transfers. An exception ends the transfer.
     *
     * @param doneBytes bytes that are through
     * @param totalBytes bytes of the file; 0 when not known
     */
    void at(long doneBytes, long totalBytes);
}
