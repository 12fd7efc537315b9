package io.peregrine.cli;

import java.util.Objects;

/**
 * What one check of the doctor found.
 *
 * @param check name of the check, the same on every host
 * @param subject what was looked at, for example {@code mlx5_0 port 1}; empty for the host as a whole
 * @param verdict how it is
 * @param evidence what was seen
 * @param fix what to do about it, in one line; empty when there is nothing to do
 */
record Finding(String check, String subject, Verdict verdict, String evidence, String fix) {

    /** How a check ended, the best first. */
    enum Verdict {
        /** Looked at and fine. */
        PASS,
        /** Could not be looked at, or means nothing here. */
        SKIP,
        /** Works, but worse than it could, or not in every case. */
        WARN,
        /** Keeps frames from coming. */
        FAIL
    }

    Finding {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(fix, "fix");
    }

    static Finding pass(String check, String subject, String evidence) {
        return new Finding(check, subject, Verdict.PASS, evidence, "");
    }

    static Finding skip(String check, String subject, String reason) {
        return new Finding(check, subject, Verdict.SKIP, reason, "");
    }

    static Finding warn(String check, String subject, String evidence, String fix) {
        return new Finding(check, subject, Verdict.WARN, evidence, fix);
    }

    static Finding fail(String check, String subject, String evidence, String fix) {
        return new Finding(check, subject, Verdict.FAIL, evidence, fix);
    }
}
