package io.peregrine.genapi;

/** Command (R18). */
final class CommandImpl extends BaseNode implements CommandNode, NumberNode {
    CommandImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    @Override
    AccessMode ownAccess() {
        return link("pValue").map(BaseNode::access).orElse(AccessMode.NI);
    }

    private long commandValue() {
        return element.value("CommandValue")
                .map(text -> Numbers.parseLong(name, text))
                .orElseGet(() -> number("pCommandValue").readLong());
    }

    @Override
    public void execute() {
        lockedRun(() -> {
            checkWritable();
            number("pValue").writeLong(commandValue());
            changed();
        });
    }

    @Override
    public boolean isDone() {
        return locked(() -> {
            BaseNode target = required("pValue");
            if (!target.access().readable()) {
                return true;
            }
            target.dropCache();
            boolean done = number("pValue").readLong() != commandValue();
            if (done) {
                changed();
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
        return number("pValue").readLong();
    }

    @Override
    public double readDouble() {
        return readLong();
    }

    @Override
    public void writeLong(long value) {
        number("pValue").writeLong(value);
        changed();
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
