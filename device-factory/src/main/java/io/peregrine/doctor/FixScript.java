package io.peregrine.doctor;

import io.peregrine.doctor.Finding.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What findings propose, as one script for the shell. Only names of checks and {@linkplain ShellCommand commands} go
 * in.
 */
public final class FixScript {
    private record Target(ShellCommand.Template template, String name) {}

    private FixScript() {}

    /** The script. */
    public static String of(Collection<Finding> findings) {
        Map<Target, ShellCommand> commands = new LinkedHashMap<>();
        Map<Target, String> checks = new LinkedHashMap<>();
        Set<String> byHand = new LinkedHashSet<>();
        for (Finding finding : findings) {
            boolean bad = finding.verdict() == Verdict.WARN || finding.verdict() == Verdict.FAIL;
            if (bad && finding.commands().isEmpty()) {
                byHand.add(finding.check());
            }
            for (ShellCommand command : finding.commands()) {
                Target target = new Target(command.template(), command.name());
                commands.merge(target, command, (a, b) -> a.value() >= b.value() ? a : b);
                checks.putIfAbsent(target, finding.check());
            }
        }
        List<String> lines = new ArrayList<>(List.of(
                "#!/bin/sh",
                "# What './peregrine doctor' proposes for this host. Nothing of it was done: look through it, then"
                        + " run it as",
                "# root. It holds until the host restarts."));
        String last = "";
        for (Map.Entry<Target, ShellCommand> entry : commands.entrySet()) {
            String check = checks.get(entry.getKey());
            if (!check.equals(last)) {
                lines.add("");
                lines.add("# " + check);
                last = check;
            }
            lines.add(entry.getValue().text());
        }
        lines.add("");
        lines.add(
                byHand.isEmpty()
                        ? "# Nothing else is to be done."
                        : "# Not for a script, see './peregrine doctor': " + String.join(", ", byHand));
        return String.join("\n", lines) + "\n";
    }
}
