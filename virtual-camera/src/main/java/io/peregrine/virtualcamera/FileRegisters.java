package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** File access by registers (SFNC 2.7, File Access Control): what is open, and the operations. */
final class FileRegisters {
    private static final int OPEN = 0;
    private static final int CLOSE = 1;
    private static final int READ = 2;
    private static final int WRITE = 3;
    private static final int DELETE = 4;

    private static final int MODE_READ = 0;
    private static final int MODE_WRITE = 1;
    private static final int MODE_BOTH = 2;

    private static final int SUCCESS = 0;
    private static final int FAILURE = 1;

    /** A file that is open: what will be kept when it is closed. */
    private static final class Handle {
        private final int mode;
        private byte[] bytes;
        private int length;

        private Handle(int mode, byte[] bytes) {
            this.mode = mode;
            this.bytes = bytes;
            this.length = bytes.length;
        }

        private void write(int offset, byte[] source) {
            int end = offset + source.length;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            System.arraycopy(source, 0, bytes, offset, source.length);
            length = Math.max(length, end);
        }
    }

    private final RegisterSpace space;
    private final FileStore store;
    private final Faults faults;
    private final Handle[] handles = new Handle[FileStore.COUNT];

    FileRegisters(GevDevice device, FileStore store, Faults faults) {
        this.space = device.space;
        this.store = store;
        this.faults = faults;
        device.register(
                Reg.FILE_SELECTOR, v -> GevDevice.within(v, 0, FileStore.COUNT - 1), () -> finished(SUCCESS, 0));
        device.register(Reg.FILE_OPERATION_SELECTOR, v -> GevDevice.within(v, OPEN, DELETE));
        device.register(Reg.FILE_OPEN_MODE, v -> GevDevice.within(v, MODE_READ, MODE_BOTH));
        device.register(Reg.FILE_ACCESS_OFFSET, v -> GevDevice.within(v, 0, Integer.MAX_VALUE));
        device.register(Reg.FILE_ACCESS_LENGTH, v -> GevDevice.within(v, 0, Reg.FILE_ACCESS_BUFFER_BYTES));
        device.command(Reg.FILE_OPERATION_EXECUTE, this::execute);
        space.constant(Reg.FILE_OPERATION_STATUS, SUCCESS);
        space.constant(Reg.FILE_OPERATION_RESULT, 0);
        space.constant(Reg.FILE_SIZE, store.sizeBytes(FileStore.USER_FILE));
        space.writable(Reg.FILE_ACCESS_BUFFER, Reg.FILE_ACCESS_BUFFER_BYTES, value -> {}, () -> {});
        space.setText(Reg.DEVICE_VERSION, 32, store.version());
    }

    /** Closes everything without keeping what was written: the application that would finish it is gone. */
    void abandon() {
        Arrays.fill(handles, null);
        finished(SUCCESS, 0);
    }

    /** Starts with the firmware that was written. */
    void restart() {
        store.restart();
        space.setText(Reg.DEVICE_VERSION, 32, store.version());
    }

    private void finished(int status, int result) {
        int file = space.get(Reg.FILE_SELECTOR);
        space.set(Reg.FILE_OPERATION_STATUS, status);
        space.set(Reg.FILE_OPERATION_RESULT, result);
        space.set(Reg.FILE_SIZE, handles[file] == null ? store.sizeBytes(file) : handles[file].length);
    }

    private void execute() {
        int file = space.get(Reg.FILE_SELECTOR);
        switch (space.get(Reg.FILE_OPERATION_SELECTOR)) {
            case OPEN -> open(file);
            case CLOSE -> close(file);
            case READ -> read(handles[file]);
            case WRITE -> write(file, handles[file]);
            default -> delete(file);
        }
    }

    private void open(int file) {
        if (handles[file] != null || faults.plan().files() == FaultPlan.FileFault.OPEN_FAILS) {
            finished(FAILURE, 0);
            return;
        }
        int mode = space.get(Reg.FILE_OPEN_MODE);
        handles[file] = new Handle(mode, mode == MODE_WRITE ? new byte[0] : store.content(file));
        finished(SUCCESS, 0);
    }

    private void close(int file) {
        Handle handle = handles[file];
        handles[file] = null;
        boolean kept = handle != null
                && (handle.mode == MODE_READ || store.keep(file, Arrays.copyOf(handle.bytes, handle.length)));
        finished(kept ? SUCCESS : FAILURE, 0);
    }

    private void read(Handle handle) {
        int offset = space.get(Reg.FILE_ACCESS_OFFSET);
        if (handle == null
                || handle.mode == MODE_WRITE
                || offset > handle.length
                || faults.plan().files() == FaultPlan.FileFault.READ_FAILS) {
            finished(FAILURE, 0);
            return;
        }
        int count = faulty(Math.min(space.get(Reg.FILE_ACCESS_LENGTH), handle.length - offset));
        space.set(Reg.FILE_ACCESS_BUFFER, ByteBuffer.wrap(Arrays.copyOfRange(handle.bytes, offset, offset + count)));
        finished(SUCCESS, told(count));
    }

    private void write(int file, Handle handle) {
        int offset = space.get(Reg.FILE_ACCESS_OFFSET);
        int wanted = space.get(Reg.FILE_ACCESS_LENGTH);
        if (handle == null
                || handle.mode == MODE_READ
                || offset > handle.length
                || (long) offset + wanted > FileStore.limitBytes(file)
                || faults.plan().files() == FaultPlan.FileFault.WRITE_FAILS) {
            finished(FAILURE, 0);
            return;
        }
        int count = faulty(wanted);
        handle.write(offset, space.get(Reg.FILE_ACCESS_BUFFER, count));
        finished(SUCCESS, told(count));
    }

    private void delete(int file) {
        boolean may = handles[file] == null && file != FileStore.FIRMWARE;
        finished(may && store.keep(file, new byte[0]) ? SUCCESS : FAILURE, 0);
    }

    private int faulty(int count) {
        return switch (faults.plan().files()) {
            case SHORT -> (count + 1) / 2;
            case NOTHING -> 0;
            default -> count;
        };
    }

    private int told(int count) {
        return faults.plan().files() == FaultPlan.FileFault.OVERSTATED ? space.get(Reg.FILE_ACCESS_LENGTH) + 1 : count;
    }
}
