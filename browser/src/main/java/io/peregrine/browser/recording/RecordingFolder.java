package io.peregrine.browser.recording;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.recording.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The one folder where recordings of pages are. Names of files are made here; one that a page gives is compared with
 * what is in the folder, and never made into a path. Safe for use by several threads.
 */
public final class RecordingFolder {
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_-]{0,40}");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final int MAX_LISTED = 1000;
    private static final String END = ".pgr";

    private final Path folder;

    /** Uses a folder, which is made when it is needed. */
    public RecordingFolder(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /**
     * A recording that is there.
     *
     * @param name of the file
     * @param bytes its size
     * @param modifiedMillis when it was written last
     */
    public record Entry(String name, long bytes, long modifiedMillis) {}

    /** Where it is. */
    public Path path() {
        return folder;
    }

    /**
     * A path that is free.
     *
     * @param label beginning of the name, may be empty
     * @throws HttpProblem if the label is none, or the folder cannot be made
     */
    Path newTarget(String label) {
        if (!LABEL.matcher(label).matches()) {
            throw HttpProblem.badRequest("the name of a recording has at most 40 letters, digits, _ and -");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw HttpProblem.conflict("the folder " + folder + " cannot be made: " + e.getMessage());
        }
        String name = (label.isEmpty() ? "recording" : label) + "-"
                + LocalDateTime.now(ZoneId.systemDefault()).format(TIME);
        Path target = folder.resolve(name + END);
        for (int i = 2; Files.exists(target); i++) {
            target = folder.resolve(name + "-" + i + END);
        }
        return target;
    }

    /** The newest recordings, newest first. */
    public List<Entry> list() {
        List<Entry> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.isRegularFile(file) && Recording.isRecording(file)) {
                    found.add(new Entry(
                            file.getFileName().toString(),
                            Files.size(file),
                            Files.getLastModifiedTime(file).toMillis()));
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw HttpProblem.conflict("the folder " + folder + " cannot be read: " + e.getMessage());
        }
        found.sort((a, b) -> Long.compare(b.modifiedMillis(), a.modifiedMillis()));
        return found.size() > MAX_LISTED ? found.subList(0, MAX_LISTED) : found;
    }

    /**
     * The recording of a name.
     *
     * @throws HttpProblem if there is none
     */
    public Path find(String name) {
        return list().stream()
                .map(Entry::name)
                .filter(name::equals)
                .findFirst()
                .map(folder::resolve)
                .orElseThrow(() -> HttpProblem.notFound("there is no recording of that name"));
    }

    /** Bytes that are free on its disk; -1 if that is unknown. */
    public long freeBytes() {
        Path there = folder;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there == null ? -1 : Files.getFileStore(there).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }
}
