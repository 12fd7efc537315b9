package io.peregrine.recording;

/** A recording cannot be written or read; the message says what to do, the cause what went wrong. */
public final class RecordingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RecordingException(String message) {
        super(message);
    }

    RecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}
