package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the nodes of one map share: lock and limits, what a change makes forget, writes, and the other nodes. */
final class NodeContext {
    private static final int MAX_PROBLEMS = 10_000;

    final NodeGraph graph;
    final Freshness freshness = new Freshness();
    final Changes changes = new Changes(freshness);
    final Operations operations = new Operations(changes);
    final Writes writes = new Writes();
    final MissingLines missing = new MissingLines();
    /** Whether the description follows schema 1.0. */
    final boolean oldSchema;
    /** Whether the description declares no byte order (R22). */
    final boolean bigEndianOnly;

    private final Map<String, String> broken = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    NodeContext(NodeGraph graph, Element root) {
        this.graph = graph;
        oldSchema = root.attribute("SchemaMajorVersion").orElse("1").equals("1")
                && root.attribute("SchemaMinorVersion").orElse("1").equals("0");
        bigEndianOnly =
                oldSchema && root.attribute("StandardNameSpace").orElse("").equals("GEV");
    }

    /** Notes something that was skipped. */
    void problem(String node, String message) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new Problem(node, message));
        }
    }

    /** Notes that a node must not be used. */
    void problemOfBroken(String node, String message) {
        broken.put(node, message);
        problem(node, message);
    }

    /** Why a node must not be used, behind a colon; empty text where it may be. */
    String reason(String node) {
        String reason = broken.get(node);
        return reason == null ? "" : ": " + reason;
    }

    List<Problem> problems() {
        return List.copyOf(problems);
    }
}
