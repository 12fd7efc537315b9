package io.peregrine.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Where results go. Remembers why it could not be written any longer, which print writers forget. */
final class StandardOutput extends FilterOutputStream {
    private Optional<IOException> failure = Optional.empty();

    StandardOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure.or(() -> Optional.of(e));
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            failure = failure.or(() -> Optional.of(e));
            throw e;
        }
    }

    /** Why it could not be written; empty while all is well. */
    Optional<IOException> failure() {
        return failure;
    }

    /** Whether that is because the reader of a pipe does not want more, as head does. */
    boolean readerGone() {
        return failure.map(IOException::getMessage)
                .filter(message -> message.contains("roken pipe"))
                .isPresent();
    }
}
