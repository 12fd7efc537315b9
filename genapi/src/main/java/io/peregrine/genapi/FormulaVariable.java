package io.peregrine.genapi;

/** A variable of a formula: the value of another node, or something else of it, as the end of its name says (R30). */
final class FormulaVariable {
    /** What a variable takes from its node. */
    private enum Part {
        VALUE,
        MIN,
        MAX,
        INC,
        ENTRY,
        ACCESS_MODE,
        VISIBILITY,
        CACHING_MODE
    }

    private final String name;
    private final Link link;
    private final Part part;
    private final String entry;

    private FormulaVariable(String name, Link link, Part part, String entry) {
        this.name = name;
        this.link = link;
        this.part = part;
        this.entry = entry;
    }

    boolean real() {
        return switch (part) {
            case VALUE, MIN, MAX, INC -> link.nodeOrNull() instanceof NumberNode number && number.isFloat();
            default -> false;
        };
    }

    long longValue() {
        return switch (part) {
            case VALUE -> link.number().readLong();
            case MIN -> link.number().wholeRange().low();
            case MAX -> link.number().wholeRange().high();
            case INC -> link.number().stepLong();
            case ENTRY -> {
                if (link.node() instanceof EnumerationImpl enumeration) {
                    yield enumeration.entryValue(entry);
                }
                throw new GenApiException(link.node().name + " has no entries, as variable " + name + " needs them");
            }
            case ACCESS_MODE -> link.access().ordinal();
            case VISIBILITY -> {
                // A program can raise it without a change of the map.
                link.node().context.freshness.passing();
                yield link.node().visibility().ordinal();
            }
            // The numbers that descriptions compare with.
            case CACHING_MODE ->
                switch (link.node().cachingOnce()) {
                    case NO_CACHE -> 0;
                    case WRITE_THROUGH -> 1;
                    case WRITE_AROUND -> 2;
                };
        };
    }

    double doubleValue() {
        return switch (part) {
            case VALUE -> link.number().readDouble();
            case MIN -> link.number().realRange().low();
            case MAX -> link.number().realRange().high();
            case INC ->
                link.number() instanceof FloatAccess real
                        ? real.step().orElse(1)
                        : link.number().stepLong();
            default -> longValue();
        };
    }

    /**
     * Binds a variable to a node.
     *
     * @param owner the node with the formula
     * @param variable whole name of the variable
     * @param base its name without the end that says what is taken
     * @param target name of the node
     * @param declared the name that the description declares
     */
    static FormulaVariable bind(BaseNode owner, String variable, String base, String target, String declared) {
        String suffix = variable.substring(base.length());
        Link link = new Link(owner, target);
        if (suffix.startsWith(".Entry.")) {
            return new FormulaVariable(variable, link, Part.ENTRY, suffix.substring(".Entry.".length()));
        }
        Part part = switch (suffix) {
            case "", ".Value" -> Part.VALUE;
            case ".Min" -> Part.MIN;
            case ".Max" -> Part.MAX;
            case ".Inc" -> Part.INC;
            case ".AccessMode" -> Part.ACCESS_MODE;
            case ".Visibility" -> Part.VISIBILITY;
            case ".CachingMode" -> Part.CACHING_MODE;
            default -> {
                if (!variable.equals(declared)) {
                    throw new GenApiException("Node " + owner.name + " asks for " + variable + ", which is not known");
                }
                // A name with a dot in it.
                yield Part.VALUE;
            }
        };
        return new FormulaVariable(variable, link, part, "");
    }
}
