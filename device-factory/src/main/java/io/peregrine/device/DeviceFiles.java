package io.peregrine.device;

import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.internal.WholeFile;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.RegisterNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Files in a device: firmware, tables, data of the user (SFNC 2.7, File Access Control). They go through the device's
 * access buffer, one buffer at a time, so that a file of any size takes the memory of one buffer. The features that
 * select file and operation are moved; leave them alone while a file is open.
 *
 * <p>Methods may be called from any thread; each step of a transfer holds the lock of the node map.
 */
public final class DeviceFiles {
    private static final int PART_BYTES = 16 << 10;

    private final NodeMap nodes;

    DeviceFiles(NodeMap nodes) {
        this.nodes = nodes;
    }

    /** Names of the files; empty when the device has none. */
    public List<String> names() {
        return selector().map(EnumerationNode::symbols).orElse(List.of());
    }

    /**
     * Size of a file in bytes, where the device reports it.
     *
     * @throws DeviceException if there is no such file
     */
    public OptionalLong sizeBytes(String name) {
        return FileAccess.sizeBytes(nodes, existing(name));
    }

    /**
     * Opens a file for reading.
     *
     * @return the bytes of the file; its methods throw {@link IOException} when the device says that it cannot read on,
     *     or stops before the size that it told. Close it
     * @throws DeviceException if there is no such file, or it cannot be opened
     */
    public InputStream read(String name) {
        FileAccess file = FileAccess.open(nodes, existing(name), FileAccess.Mode.READ);
        return closingOnFailure(file, () -> new FileInput(file, FileAccess.sizeBytes(nodes, name)));
    }

    /**
     * Opens a file for writing, from its start. Devices keep what was written when it is closed, and some check it only
     * then: a {@code close} that throws says that the file was not accepted.
     *
     * @return takes the bytes; its methods throw {@link IOException} when the device says that it cannot write on
     * @throws DeviceException if there is no such file, or it cannot be opened
     */
    public OutputStream write(String name) {
        FileAccess file = FileAccess.open(nodes, existing(name), FileAccess.Mode.WRITE);
        return closingOnFailure(file, () -> new FileOutput(file));
    }

    /**
     * Deletes a file.
     *
     * @throws DeviceException if there is no such file, or the device does not let it be deleted
     */
    public void delete(String name) {
        FileAccess.delete(nodes, existing(name));
    }

    /**
     * Copies a file of the device to this host. A file that is there already is replaced when the new one is complete;
     * a progress that throws ends the transfer.
     *
     * @return number of bytes
     * @throws DeviceException if the device cannot read the file to its end, or the host cannot write it
     */
    public long download(String name, Path target, Progress progress) {
        long[] done = {0};
        try (InputStream in = read(name)) {
            WholeFile.write(
                    target,
                    out -> done[0] =
                            copy(in, out, FileAccess.sizeBytes(nodes, name).orElse(0), progress));
            return done[0];
        } catch (IOException e) {
            throw new DeviceException(name + " cannot be copied to " + target + ": " + FileFailure.reason(e), e);
        }
    }

    /**
     * Copies a file of this host to the device. Firmware goes the same way; see {@link #checkUpload} first, and the
     * manual of the device for what it wants before and after. A progress that throws ends the transfer: the device has
     * a part of the file then.
     *
     * @return number of bytes
     * @throws DeviceException if the host cannot read the file, or the device does not take all of it or does not
     *     accept it
     */
    public long upload(Path source, String name, Progress progress) {
        try (InputStream in = Files.newInputStream(source)) {
            long total = Files.size(source);
            try (OutputStream out = write(name)) {
                return copy(in, out, total, progress);
            }
        } catch (IOException e) {
            throw new DeviceException(source + " cannot be copied to " + name + ": " + FileFailure.reason(e), e);
        }
    }

    /**
     * Looks at everything that an upload needs, and changes nothing: no file is opened. What is in the file, only the
     * device can judge.
     */
    public List<UploadCheck> checkUpload(Path source, String name) {
        List<UploadCheck> checks = new ArrayList<>();
        long bytes = checkSource(source, checks);
        boolean there = names().contains(name);
        checks.add(new UploadCheck(
                "file in the device", there, there ? name : "there is no " + name + ", but " + names()));
        if (there) {
            add(checks, "open mode", () -> checkMode(name));
            add(checks, "size", () -> checkSize(bytes));
        }
        add(checks, "access buffer", () -> checkBuffer(bytes));
        add(checks, "no stream", this::checkUnlocked);
        return List.copyOf(checks);
    }

    private static long checkSource(Path source, List<UploadCheck> checks) {
        long bytes = 0;
        String evidence;
        try (InputStream in = Files.newInputStream(source)) {
            bytes = Files.size(source);
            evidence = bytes == 0 || in.read() < 0 ? source + " is empty" : source + ", " + bytes + " bytes";
        } catch (IOException e) {
            evidence = source + " cannot be read: " + FileFailure.reason(e);
        }
        checks.add(new UploadCheck("file on this host", bytes > 0, evidence));
        return bytes;
    }

    private static void add(List<UploadCheck> checks, String what, Supplier<UploadCheck> check) {
        try {
            checks.add(check.get());
        } catch (RuntimeException e) {
            checks.add(new UploadCheck(what, false, String.valueOf(e.getMessage())));
        }
    }

    private UploadCheck checkMode(String name) {
        return NodeAccess.together(nodes, () -> {
            selector().orElseThrow().set(name);
            Optional<EnumerationNode> mode = find("FileOpenMode", EnumerationNode.class);
            boolean offered = mode.isEmpty()
                    || mode.get().entries().stream()
                            .anyMatch(entry -> entry.symbol().equals(FileAccess.Mode.WRITE.symbol()));
            return new UploadCheck(
                    "open mode",
                    offered,
                    offered ? "can be opened for writing" : "the device opens files for reading alone");
        });
    }

    private UploadCheck checkSize(long bytes) {
        Optional<IntegerNode> size = find("FileSize", IntegerNode.class).filter(Node::readable);
        if (size.isEmpty()) {
            return new UploadCheck("size", true, "the device does not report sizes");
        }
        size.get().refresh();
        return new UploadCheck(
                "size", true, bytes + " bytes instead of the " + size.get().value() + " that are there");
    }

    private UploadCheck checkBuffer(long bytes) {
        RegisterNode buffer = find("FileAccessBuffer", RegisterNode.class)
                .orElseThrow(() -> new GenApiException("the device has no FileAccessBuffer"));
        long length = buffer.lengthBytes();
        boolean usable = length > 0;
        return new UploadCheck(
                "access buffer",
                usable,
                usable ? length + " bytes: " + (bytes + length - 1) / length + " parts" : "it has no bytes");
    }

    private UploadCheck checkUnlocked() {
        Optional<IntegerNode> lock = find("TLParamsLocked", IntegerNode.class).filter(Node::readable);
        boolean free = lock.isEmpty() || lock.get().value() == 0;
        return new UploadCheck(
                "no stream", free, free ? "no stream is prepared" : "TLParamsLocked is set: stop the streams first");
    }

    private static long copy(InputStream in, OutputStream out, long total, Progress progress) throws IOException {
        byte[] part = new byte[PART_BYTES];
        long done = 0;
        int count;
        while ((count = in.read(part)) > 0) {
            out.write(part, 0, count);
            done += count;
            progress.at(done, total);
        }
        return done;
    }

    private static <T> T closingOnFailure(FileAccess file, Supplier<T> make) {
        try {
            return make.get();
        } catch (RuntimeException e) {
            try {
                file.close();
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private String existing(String name) {
        List<String> names = names();
        if (!names.contains(name)) {
            throw new DeviceException(
                    names.isEmpty()
                            ? "The device has no files: it lacks the feature FileSelector"
                            : "The device has no file " + name + ", but " + names);
        }
        return name;
    }

    private Optional<EnumerationNode> selector() {
        return find("FileSelector", EnumerationNode.class).filter(Node::readable);
    }

    private <T extends Node> Optional<T> find(String feature, Class<T> type) {
        return nodes.find(feature).filter(type::isInstance).map(type::cast);
    }

    /** Notified of the progress of a file transfer. */
    @FunctionalInterface
    public interface Progress {
        /** Ignores it. */
        Progress NONE = (doneBytes, totalBytes) -> {};

        /**
         * Called after each part, on the thread that transfers. An exception ends the transfer.
         *
         * @param doneBytes bytes that are through
         * @param totalBytes bytes of the file; 0 when not known
         */
        void at(long doneBytes, long totalBytes);
    }

    /**
     * What one look before an upload found.
     *
     * @param what what was looked at
     * @param passed whether the upload can go ahead as far as this is concerned
     * @param evidence what was seen, and what to do when it did not pass
     */
    public record UploadCheck(String what, boolean passed, String evidence) {}
}
