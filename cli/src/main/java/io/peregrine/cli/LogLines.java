package io.peregrine.cli;

import java.io.PrintWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Prints what the library logs for users as messages, one line each. */
final class LogLines extends Handler {
    private final PrintWriter err;

    private LogLines(PrintWriter err) {
        this.err = err;
        setLevel(Level.INFO);
        setFormatter(new SimpleFormatter());
    }

    /**
     * Takes the place of what prints two lines with the name of a class, unless the user wants logging of another form.
     */
    static void install(PrintWriter err) {
        if (System.getProperty("java.util.logging.config.file") == null
                && System.getProperty("java.util.logging.config.class") == null) {
            Logger root = Logger.getLogger("");
            for (Handler handler : root.getHandlers()) {
                root.removeHandler(handler);
            }
            root.addHandler(new LogLines(err));
        }
    }

    @Override
    public void publish(LogRecord entry) {
        if (!isLoggable(entry)) {
            return;
        }
        Throwable cause = entry.getThrown();
        String why = cause == null ? "" : ": " + Messages.of(cause);
        Output.say(err, (getFormatter().formatMessage(entry) + why).replaceAll("\\s+", " "));
        if (cause != null && Boolean.getBoolean("peregrine.debug")) {
            Output.trace(err, cause);
        }
    }

    @Override
    public void flush() {
        err.flush();
    }

    @Override
    public void close() {
        flush();
    }
}
