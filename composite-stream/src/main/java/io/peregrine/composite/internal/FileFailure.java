package io.peregrine.composite.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import javax.imageio.IIOException;
import org.jspecify.annotations.Nullable;

/** Says to people why a file cannot be read or written. */
public final class FileFailure {
    private FileFailure() {}

    /**
     * Why a file cannot be used, without the class of an exception.
     *
     * @param cause what reading, writing or making it threw
     * @return for example {@code there is no directory /data}, or {@code No space left on device}
     */
    public static String reason(Throwable cause) {
        if (cause instanceof UncheckedIOException wrapper) {
            return reason(wrapper.getCause());
        }
        if (cause instanceof IIOException && cause.getCause() != null) {
            return reason(cause.getCause());
        }
        if (cause instanceof NoSuchFileException missing) {
            return missing(missing.getFile());
        }
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "it already exists";
        }
        if (cause instanceof NotDirectoryException) {
            return "it is no directory";
        }
        if (cause instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        if (cause instanceof CharacterCodingException) {
            return "it is no text in UTF-8";
        }
        if (cause instanceof EOFException) {
            return "it ends too early";
        }
        String message = cause instanceof FileSystemException failed ? failed.getReason() : cause.getMessage();
        boolean io = cause instanceof IOException;
        return message == null ? io ? "input or output failed" : "an error of the program" : message;
    }

    private static String missing(@Nullable String file) {
        Path folder = file == null ? null : Path.of(file).toAbsolutePath().getParent();
        return folder == null || Files.exists(folder) ? "there is no such file" : "there is no directory " + folder;
    }
}
