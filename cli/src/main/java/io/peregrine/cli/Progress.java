package io.peregrine.cli;

import java.io.Console;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A line on a terminal that shows how far a command is, and is gone when it is closed. Shows nothing where there is
 * none.
 */
class Progress implements AutoCloseable {
    /** Shows nothing. */
    static final Progress NONE = new Progress();

    private static final int INTERVAL_MILLIS = 200;

    /** What is counted. */
    enum Unit {
        FRAMES(" frames", 1),
        KIBIBYTES(" KiB", 1024),
        FILES(" files", 1),
        FEATURES(" features", 1);

        private final String text;
        private final long size;

        Unit(String text, long size) {
            this.text = text;
            this.size = size;
        }
    }

    private Progress() {}

    /** Whether somebody looks: input and output are a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    static boolean terminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // From Java 22 on there is a console without a terminal, too.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    static Progress show(PrintWriter err, String task, Unit unit, long total) {
        return new OnTerminal(err, task, unit, total);
    }

    /** Moves to a number of what is counted. */
    void at(long done) {}

    /** The same, when the total is known by now. */
    void at(long done, long total) {}

    /** Takes the line away until it is shown the next time. */
    void clear() {}

    @Override
    public void close() {}

    private static final class OnTerminal extends Progress {
        private final Line line;
        private final ProgressBar bar;

        private OnTerminal(PrintWriter err, String task, Unit unit, long total) {
            line = new Line(err);
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .setUnit(unit.text, unit.size)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(INTERVAL_MILLIS)
                    .setConsumer(line)
                    .build();
        }

        @Override
        void at(long done) {
            bar.stepTo(done);
        }

        @Override
        void at(long done, long total) {
            bar.maxHint(total);
            bar.stepTo(done);
        }

        @Override
        void clear() {
            line.clear();
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** The line itself. A terminal that the library would open takes over signals: it is not used. */
    private static final class Line implements ProgressBarConsumer {
        private final PrintWriter err;
        private final int width;
        private int shown;
        private boolean closed;

        private Line(PrintWriter err) {
            this.err = err;
            width = width(System.getenv("COLUMNS"));
        }

        private static int width(String columns) {
            return columns != null && columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) - 1 : 79;
        }

        @Override
        public int getMaxRenderedLength() {
            return width;
        }

        @Override
        public synchronized void accept(String text) {
            if (!closed) {
                err.print("\r" + text);
                err.flush();
                shown = text.length();
            }
        }

        @Override
        public synchronized void clear() {
            if (shown > 0) {
                err.print("\r" + " ".repeat(shown) + "\r");
                err.flush();
                shown = 0;
            }
        }

        @Override
        public synchronized void close() {
            clear();
            closed = true;
        }
    }
}
