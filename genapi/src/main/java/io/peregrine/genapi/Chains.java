package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds nodes whose value would need itself, and nodes that hang on longer chains than can be followed, so that no
 * description can make a read go on without end (R33). Real chains have up to 19 links.
 */
final class Chains {
    private static final int MAX_LINKS = 10_000;

    private static final int UNKNOWN = -2;
    /** Of a node on the way to the one that is looked at. */
    private static final int OPEN = -1;

    private final List<BaseNode> nodes = new ArrayList<>();
    /** For each node, where its links begin. */
    private int[] starts = new int[1024];

    private int[] targets = new int[4096];
    private byte[] kinds = new byte[4096];
    private int linkCount;
    private int allKinds;

    /** A link that closes a circle. */
    private record Circle(BaseNode node, BaseNode target) {}

    /** Begins with the links of a node; to be called for all nodes, in the order of their index. */
    void begin(BaseNode node) {
        nodes.add(node);
        if (nodes.size() == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
        }
        starts[nodes.size() - 1] = linkCount;
        starts[nodes.size()] = linkCount;
    }

    /**
     * Adds a link of the node that was begun last.
     *
     * @param kind as {@link Links#kind} gives it, or {@link Links#ENTRY}
     */
    void add(BaseNode target, int kind) {
        if (linkCount == targets.length) {
            targets = Arrays.copyOf(targets, linkCount * 2);
            kinds = Arrays.copyOf(kinds, linkCount * 2);
        }
        targets[linkCount] = target.index;
        kinds[linkCount] = (byte) kind;
        allKinds |= kind;
        starts[nodes.size()] = ++linkCount;
    }

    /**
     * Checks all nodes, and sets the length of the longest way from each.
     *
     * @param context notified of circles that are harmless: of ranges, conditions, categories and selectors
     * @return names of the nodes that must not be used, with the reason
     */
    Map<String, String> check(NodeContext context) {
        Map<String, String> refused = new LinkedHashMap<>();
        Walk needs = new Walk(Links.NEED | Links.ENTRY);
        if (!needs.circles.isEmpty()) {
            for (Circle circle : new Walk(Links.VALUE).circles) {
                refused.put(circle.node.name, "its value depends on itself, through " + circle.target.name);
            }
            // Selectors of real devices have entries that are there or not for what they select: that is no problem.
            for (Circle circle : new Walk(Links.NEED).circles) {
                BaseNode node = circle.node;
                if (!refused.containsKey(node.name)) {
                    context.problem(
                            node.name,
                            node instanceof CategoryNode
                                    ? "the category holds itself, through " + circle.target.name
                                    : "its range or access depends on itself, through " + circle.target.name
                                            + "; evaluation stops there");
                }
            }
        }
        for (int index : needs.order) {
            BaseNode node = nodes.get(index);
            node.links = needs.depths[index];
            if (node.links > MAX_LINKS) {
                refused.put(node.name, "it hangs on a chain of more than " + MAX_LINKS + " links");
            }
        }
        if ((allKinds & Links.SELECTION) != 0) {
            for (Circle circle : new Walk(Links.SELECTION).circles) {
                context.problem(circle.node.name, "it selects what selects it, through " + circle.target.name);
            }
        }
        return refused;
    }

    /** Depth first without recursion, along links of a kind: finds circles, and the longest way from each node. */
    private final class Walk {
        private final int[] depths = new int[nodes.size()];
        /** Nodes in the order in which they were come to. */
        private final int[] order = new int[nodes.size()];

        private final List<Circle> circles = new ArrayList<>();
        private final int kind;
        /** Of each node the link to be followed next, and the longest way that was found until now. */
        private final int[] next = Arrays.copyOf(starts, nodes.size());

        private final int[] reached = new int[nodes.size()];
        private final int[] open = new int[nodes.size()];
        private int found;

        Walk(int kind) {
            this.kind = kind;
            Arrays.fill(depths, UNKNOWN);
            for (int start = 0; start < depths.length; start++) {
                if (depths[start] == UNKNOWN) {
                    walk(start);
                }
            }
        }

        private void walk(int start) {
            int top = 0;
            meet(start);
            open[0] = start;
            while (top >= 0) {
                int node = open[top];
                int target = nextTarget(node);
                if (target < 0) {
                    depths[node] = reached[node];
                    top--;
                    if (top >= 0) {
                        reach(open[top], depths[node] + 1);
                    }
                } else if (depths[target] == UNKNOWN) {
                    meet(target);
                    open[++top] = target;
                } else if (depths[target] == OPEN) {
                    circles.add(new Circle(nodes.get(node), nodes.get(target)));
                } else {
                    reach(node, depths[target] + 1);
                }
            }
        }

        private void meet(int node) {
            depths[node] = OPEN;
            order[found++] = node;
        }

        private void reach(int node, int depth) {
            reached[node] = Math.max(reached[node], depth);
        }

        /** The target of the next link of the kind, or -1. */
        private int nextTarget(int node) {
            int end = starts[node + 1];
            int link = next[node];
            while (link < end && (kinds[link] & kind) == 0) {
                link++;
            }
            next[node] = link + 1;
            return link < end ? targets[link] : -1;
        }
    }
}
