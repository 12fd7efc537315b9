package io.peregrine.doctor;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A command that fixes something, for the administrator's shell. It is made of a fixed template: what was read on the
 * host goes in only as a number, or as a name that no shell takes for anything else.
 *
 * @param template what it does
 * @param name what it does it to
 * @param value what it sets; of two commands for the same thing the larger value serves both
 */
public record ShellCommand(Template template, String name, long value) {
    private static final String INTERFACE = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}";

    /** Everything that a command can do. */
    public enum Template {
        /** Sets a value of the kernel. With slashes, because names of interfaces can have dots. */
        SYSCTL("net(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+", "sysctl -w %s=%d"),
        /** Switches an interface on. */
        LINK_UP(INTERFACE, "ip link set dev %s up"),
        /** Sets the MTU in bytes. */
        MTU(INTERFACE, "ip link set dev %s mtu %d"),
        /** Lets an interface take multicast. */
        MULTICAST(INTERFACE, "ip link set dev %s multicast on"),
        /** Lets a bridge ask who listens to groups. */
        QUERIER(INTERFACE, "ip link set dev %s type bridge mcast_querier 1"),
        /** Sets how many packets the adapter can hold. */
        RING(INTERFACE, "ethtool -G %s rx %d"),
        /** Sets how many microseconds the adapter gathers packets before it interrupts. */
        COALESCING(INTERFACE, "ethtool -C %s rx-usecs %d"),
        /** Leads an interrupt to a processor. */
        INTERRUPT("[0-9]{1,6}", "echo %2$d >/proc/irq/%1$s/smp_affinity_list"),
        /** Lets all processors run at their full frequency. */
        GOVERNOR("performance", "cpupower frequency-set --governor %s");

        private final Pattern names;
        private final String format;

        Template(String names, String format) {
            this.names = Pattern.compile(names);
            this.format = format;
        }
    }

    /** Checks that a shell may be given the name. */
    public ShellCommand {
        Objects.requireNonNull(template, "template");
        if (!template.names.matcher(name).matches() || value < 0) {
            throw new IllegalArgumentException("No shell is given " + name + ", " + value);
        }
    }

    /** The command, if a shell may be given the name. */
    public static Optional<ShellCommand> of(Template template, String name, long value) {
        return template.names.matcher(name).matches() && value >= 0
                ? Optional.of(new ShellCommand(template, name, value))
                : Optional.empty();
    }

    /** The command as it is typed. */
    public String text() {
        return String.format(Locale.ROOT, template.format, name, value);
    }
}
