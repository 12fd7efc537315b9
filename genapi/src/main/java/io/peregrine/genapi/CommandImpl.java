package io.peregrine.genapi;

/** Command (R18). */
final class CommandImpl extends BaseNode implements CommandNode, NumberNode {
    private final Link linkedCommand;
    private final long literalCommand;
    private final boolean literal;
    private boolean executing;

    CommandImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        linkedCommand = link("pCommandValue");
        literal = element.first("CommandValue").isPresent();
        literalCommand = element.value("CommandValue")
                .map(text -> Numbers.parseLong(name, text))
                .orElse(0L);
    }

    @Override
    AccessMode ownAccess() {
        return pValue == null ? AccessMode.NI : pValue.access();
    }

    boolean executing() {
        return executing;
    }

    private long commandValue() {
        return literal
                ? literalCommand
                : required(linkedCommand, "CommandValue").number().readLong();
    }

    @Override
    public void execute() {
        map.enter(this);
        try {
            checkWritable();
            valueNode().writeLong(commandValue());
            executing = true;
            map.changed(this);
            checkError();
        } finally {
            map.exit();
        }
    }

    @Override
    public boolean isDone() {
        map.enter(this);
        try {
            boolean done = true;
            if (required(pValue, "pValue").access().readable()) {
                // What was written is what is cached: only the device knows whether it is done.
                dropDeep();
                done = valueNode().readLong() != commandValue();
            }
            if (done && executing) {
                executing = false;
                map.changed(this);
            }
            return done;
        } finally {
            map.exit();
        }
    }

    @Override
    public boolean isFloat() {
        return false;
    }

    @Override
    public long readLong() {
        return valueNode().readLong();
    }

    @Override
    public double readDouble() {
        return readLong();
    }

    @Override
    public void writeLong(long value) {
        valueNode().writeLong(value);
        map.changed(this);
    }

    @Override
    public void writeDouble(double value) {
        writeLong(NumberNode.round(name, value));
    }

    @Override
    public String valueAsText() {
        return isDone() ? "done" : "executing";
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
