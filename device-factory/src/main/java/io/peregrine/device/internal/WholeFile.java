package io.peregrine.device.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Writes a file as a whole: one that is there already is replaced when the new one is complete, and else stays as it
 * is. Those may read the new one who might read the old one.
 */
public final class WholeFile {
    /** What is in the file. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it. */
        void writeTo(OutputStream out) throws IOException;
    }

    private static final int MAX_LINKS = 40;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_GROUP = PosixFilePermissions.fromString("---rwx---");

    private WholeFile() {}

    /**
     * Writes a file, which others may read as any new one if there is none yet.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, Content content) throws IOException {
        write(file, content, false);
    }

    /**
     * Writes a file, which is for its owner only if there is none yet.
     *
     * @throws IOException if it cannot be written
     */
    public static void writePrivate(Path file, Content content) throws IOException {
        write(file, content, true);
    }

    private static void write(Path file, Content content, boolean ownerOnly) throws IOException {
        Path target = target(file);
        boolean replaces = Files.exists(target);
        if (replaces && !Files.isRegularFile(target)) {
            // A pipe or a device takes what it is given; a file in its place would be another thing.
            try (OutputStream out = Files.newOutputStream(target)) {
                content.writeTo(out);
            }
            return;
        }
        // No name that a file of the user has.
        Path draft = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = create(draft, replaces || ownerOnly)) {
                content.writeTo(out);
            }
            if (replaces) {
                keepReaders(target, draft);
            }
            // A plain move would delete the old file first, and an end of the program in between would lose it.
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            try {
                Files.deleteIfExists(draft);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static OutputStream create(Path draft, boolean ownerOnly) throws IOException {
        boolean posix = draft.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = ownerOnly && posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
        return Channels.newOutputStream(Files.newByteChannel(
                draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes));
    }

    private static void keepReaders(Path old, Path draft) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        PosixFileAttributes attributes = Files.readAttributes(old, PosixFileAttributes.class);
        Set<PosixFilePermission> permissions = attributes.permissions();
        try {
            view.setGroup(attributes.group());
        } catch (IOException e) {
            // The group of the draft is another one, with which nothing was shared.
            permissions.removeAll(OF_GROUP);
        }
        view.setPermissions(permissions);
    }

    /** The file that a link leads to, also one that is not there yet. */
    private static Path target(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        Path target = file;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MAX_LINKS) {
                throw new FileSystemLoopException(file.toString());
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }
}
