package io.peregrine.device;

import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumEntryNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.RegisterNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Operations on one file of a device (SFNC 2.7, File Access Control). The features select by what they say at the
 * moment of an operation, so each operation sets them all; no other thread of this host gets between.
 */
final class FileAccess implements AutoCloseable {
    /** How a file is opened. */
    enum Mode {
        READ("Read"),
        WRITE("Write");

        private final String symbol;

        Mode(String symbol) {
            this.symbol = symbol;
        }

        String symbol() {
            return symbol;
        }
    }

    /** Devices erase flash memory meanwhile. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final long MAX_BUFFER_BYTES = 16 << 20;

    private final NodeMap nodes;
    private final String name;
    private boolean open;

    private FileAccess(NodeMap nodes, String name) {
        this.nodes = nodes;
        this.name = name;
    }

    static FileAccess open(NodeMap nodes, String name, Mode mode) {
        FileAccess file = new FileAccess(nodes, name);
        file.guarded("Open", () -> {
            file.select("Open");
            Optional<EnumerationNode> openMode = file.optional("FileOpenMode", EnumerationNode.class);
            if (openMode.isPresent()) {
                openMode.get().set(mode.symbol);
            }
            file.execute("Open");
            return 0;
        });
        file.open = true;
        return file;
    }

    static void delete(NodeMap nodes, String name) {
        FileAccess file = new FileAccess(nodes, name);
        file.guarded("Delete", () -> {
            file.select("Delete");
            file.execute("Delete");
            return 0;
        });
    }

    /** Size of a file, where the device reports it. */
    static OptionalLong sizeBytes(NodeMap nodes, String name) {
        FileAccess file = new FileAccess(nodes, name);
        return NodeAccess.together(nodes, file::sizeBytes);
    }

    private OptionalLong sizeBytes() {
        node("FileSelector", EnumerationNode.class).set(name);
        Optional<IntegerNode> size = optional("FileSize", IntegerNode.class);
        if (size.isEmpty() || !size.get().readable()) {
            return OptionalLong.empty();
        }
        size.get().refresh();
        long bytes = size.get().value();
        return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** Most bytes that one operation moves now; the file must be open. */
    int chunkBytes() {
        long buffer = buffer().lengthBytes();
        if (buffer < 1 || buffer > MAX_BUFFER_BYTES) {
            throw new DeviceException("The device's FileAccessBuffer has " + buffer + " bytes: 1 to " + MAX_BUFFER_BYTES
                    + " are accepted");
        }
        return (int) buffer;
    }

    /**
     * Reads.
     *
     * @return number of bytes read, 0 to the length of the target
     */
    int read(long offset, byte[] target, int lengthBytes) {
        return guarded("Read", () -> {
            select("Read");
            place(offset);
            int asked = length(lengthBytes, true);
            execute("Read");
            int count = Math.min(moved(asked), lengthBytes);
            if (count > 0) {
                System.arraycopy(buffer().value(), 0, target, 0, count);
            }
            return count;
        });
    }

    /**
     * Writes.
     *
     * @return number of bytes written, 0 to the length
     */
    int write(long offset, byte[] source, int from, int lengthBytes) {
        return guarded("Write", () -> {
            select("Write");
            place(offset);
            int asked = length(lengthBytes, false);
            byte[] content = new byte[(int) buffer().lengthBytes()];
            System.arraycopy(source, from, content, 0, asked);
            buffer().set(content);
            execute("Write");
            return moved(asked);
        });
    }

    /** Closes the file; what was written is kept from now on. Idempotent. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        guarded("Close", () -> {
            select("Close");
            execute("Close");
            return 0;
        });
    }

    private interface Step {
        int run();
    }

    private int guarded(String operation, Step step) {
        try {
            return NodeAccess.together(nodes, step::run);
        } catch (GenApiException | DeviceException e) {
            throw DeviceException.of("The device cannot " + operation + " " + name + ": " + e.getMessage(), e);
        }
    }

    private void select(String operation) {
        node("FileSelector", EnumerationNode.class).set(name);
        node("FileOperationSelector", EnumerationNode.class).set(operation);
    }

    /** Devices that go through a file in order have the offset for reading alone. */
    private void place(long offset) {
        Optional<IntegerNode> node = optional("FileAccessOffset", IntegerNode.class);
        if (node.isEmpty()) {
            return;
        }
        if (node.get().writable()) {
            node.get().set(offset);
        } else if (node.get().readable()) {
            node.get().refresh();
            long present = node.get().value();
            if (present != offset) {
                throw new DeviceException("The device is at byte " + present + " of " + name
                        + " and cannot be moved to " + offset + ": open the file again and go through it in order");
            }
        }
    }

    /** Sets the number of bytes to move, and returns it; more than are wanted only where the device takes no fewer. */
    private int length(int wanted, boolean mayBeMore) {
        int buffer = chunkBytes();
        Optional<IntegerNode> node = optional("FileAccessLength", IntegerNode.class);
        if (node.isEmpty() || !node.get().writable()) {
            return Math.min(wanted, buffer);
        }
        node.get().refresh();
        long increment = Math.max(1, node.get().increment());
        long min = Math.max(0, node.get().min());
        long most = Math.min(buffer, node.get().max());
        long length = Math.min(wanted, most);
        long rest = Math.floorMod(length - min, increment);
        if (length < min || rest != 0) {
            long up = length < min ? min : length + increment - rest;
            length = mayBeMore && up <= most ? up : length < min ? -1 : length - rest;
        }
        if (length < 1) {
            throw new DeviceException("The device moves " + min + " to " + most + " bytes of " + name + " in steps of "
                    + increment + ", not " + wanted + ": make the file a multiple of that");
        }
        node.get().set(length);
        return (int) length;
    }

    private int moved(int asked) {
        Optional<IntegerNode> node = optional("FileOperationResult", IntegerNode.class);
        if (node.isEmpty() || !node.get().readable()) {
            return asked;
        }
        node.get().refresh();
        long count = node.get().value();
        if (count < 0 || count > asked) {
            throw new DeviceException("The device says that it moved " + count + " bytes of " + name
                    + " when asked for " + asked + ": what it did is not known");
        }
        return (int) count;
    }

    private void execute(String operation) {
        Commands.executeAndAwait(node("FileOperationExecute", CommandNode.class), LIMIT);
        Optional<EnumerationNode> node = optional("FileOperationStatus", EnumerationNode.class);
        if (node.isEmpty() || !node.get().readable()) {
            return;
        }
        node.get().refresh();
        long status = node.get().intValue();
        Optional<String> symbol = node.get().entries().stream()
                .filter(entry -> entry.intValue() == status)
                .map(EnumEntryNode::symbol)
                .findFirst();
        if (!symbol.equals(Optional.of("Success"))) {
            throw new DeviceException("The device could not " + operation + " " + name + ": FileOperationStatus is "
                    + symbol.orElse("0x" + Long.toHexString(status)));
        }
    }

    private RegisterNode buffer() {
        return node("FileAccessBuffer", RegisterNode.class);
    }

    private <T extends Node> T node(String feature, Class<T> type) {
        return optional(feature, type)
                .orElseThrow(() -> new DeviceException(
                        "The device has no " + feature + " that could be used: its files cannot be reached"));
    }

    private <T extends Node> Optional<T> optional(String feature, Class<T> type) {
        return nodes.find(feature).filter(type::isInstance).map(type::cast);
    }
}
