package io.peregrine.distribution.archive;

import java.util.List;

/** What an archive holds. For one thread. */
public interface ArchiveCatalog extends AutoCloseable {

    /** Numbers of all recordings of frames, oldest first. */
    List<Long> ids();

    /** All recordings of frames, oldest first. Reads the begin and the end of each. */
    List<ArchivedRecording> recordings();

    /**
     * Reads a recording to its end.
     *
     * @param id its number
     */
    ArchiveCheck check(long id);

    @Override
    void close();
}
