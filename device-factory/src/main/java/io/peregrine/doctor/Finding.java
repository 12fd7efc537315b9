package io.peregrine.doctor;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What one check of the doctor found.
 *
 * @param check name of the check, the same on every host
 * @param subject what was looked at, for example {@code mlx5_0 port 1}; empty for the host as a whole
 * @param verdict how it is
 * @param evidence what was seen
 * @param fix what to do about it, in one line; empty when there is nothing to do
 * @param commands the part of the fix that a script can do; empty when there is none
 */
public record Finding(
        String check, String subject, Verdict verdict, String evidence, String fix, List<ShellCommand> commands) {

    /** How a check ended, the best first. */
    public enum Verdict {
        /** Looked at and fine. */
        PASS,
        /** Could not be looked at, or means nothing here. */
        SKIP,
        /** Works, but worse than it could, or not in every case. */
        WARN,
        /** Keeps frames from coming. */
        FAIL
    }

    /** Checks that nothing is missing. */
    public Finding {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(fix, "fix");
        commands = List.copyOf(commands);
    }

    private Finding(String check, String subject, Verdict verdict, String evidence, String fix) {
        this(check, subject, verdict, evidence, fix, List.of());
    }

    /** The same with one more command, or without where a shell may not be given the name. */
    public Finding by(ShellCommand.Template template, String name, long value) {
        List<ShellCommand> more = Stream.concat(commands.stream(), ShellCommand.of(template, name, value).stream())
                .toList();
        return new Finding(check, subject, verdict, evidence, fix, more);
    }

    /** A check that is fine. */
    public static Finding pass(String check, String subject, String evidence) {
        return new Finding(check, subject, Verdict.PASS, evidence, "");
    }

    /** A check that could not be made. */
    public static Finding skip(String check, String subject, String reason) {
        return new Finding(check, subject, Verdict.SKIP, reason, "");
    }

    /** A check with something to improve. */
    public static Finding warn(String check, String subject, String evidence, String fix) {
        return new Finding(check, subject, Verdict.WARN, evidence, fix);
    }

    /** A check that failed. */
    public static Finding fail(String check, String subject, String evidence, String fix) {
        return new Finding(check, subject, Verdict.FAIL, evidence, fix);
    }
}
