package io.peregrine.genapi;

import org.jspecify.annotations.Nullable;

/** Command (R18). */
final class CommandImpl extends BaseNode implements CommandNode, NumberNode {
    private final @Nullable Link linkedCommand;
    private final long literalCommand;
    private final boolean literal;
    private final boolean floating;
    private boolean executing;

    CommandImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        linkedCommand = link("pCommandValue");
        literal = element.has("CommandValue");
        literalCommand = Numbers.parseLong(name, element.valueOrNull("CommandValue"), 0);
        floating = pValue == null && element.has("Value");
    }

    @Override
    AccessMode ownAccess() {
        AccessMode mode = pValue != null ? pValue.access() : floating ? AccessMode.RW : AccessMode.NI;
        if (literal || linkedCommand == null || mode == AccessMode.NI) {
            return mode;
        }
        AccessMode value = linkedCommand.access();
        return value.readable() ? mode : value == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
    }

    /** A command that is not under way stays as it is. */
    @Override
    boolean changesByItself() {
        return executing;
    }

    private long commandValue() {
        return literal
                ? literalCommand
                : required(linkedCommand, "CommandValue").number().readLong();
    }

    @Override
    public void execute() {
        run(() -> {
            checkWritable();
            writing(true, () -> {
                if (pValue != null) {
                    pValue.write(commandValue());
                    // What cannot be read is taken for done at once.
                    executing = access().readable();
                }
                context.changes.changed(this);
            });
        });
    }

    @Override
    public boolean isDone() {
        return operate(() -> {
            boolean done = true;
            AccessMode mode = access();
            if (mode == AccessMode.NI) {
                checkReadable();
            }
            if (executing && mode.readable()) {
                // What was written is what is cached: only the device knows whether it is done.
                required(pValue, "pValue").node().dropDeep();
                done = valueNode().readLong() != commandValue();
            }
            if (done && executing) {
                executing = false;
                // The device was at work until now: what its registers invalidate has changed again (R18).
                context.changes.changedBelow(this);
            }
            return done;
        });
    }

    @Override
    public boolean isFloat() {
        return false;
    }

    @Override
    public long readLong() {
        return floating ? 0 : valueNode().readLong();
    }

    @Override
    public double readDouble() {
        return readLong();
    }

    @Override
    public void writeLong(long value) {
        if (!floating) {
            required(pValue, "pValue").write(value);
        }
        context.changes.changed(this);
    }

    @Override
    public void writeDouble(double value) {
        writeLong(NumberNode.round(name, value));
    }

    @Override
    public String valueAsText() {
        return isDone() ? "0" : "1";
    }

    @Override
    public void setFromText(String text) {
        switch (text.strip()) {
            case "1", "true" -> execute();
            default ->
                throw new GenApiRangeException(
                        "Node " + name + " is a command: give 1 to execute it, not '" + text + "'");
        }
    }
}
