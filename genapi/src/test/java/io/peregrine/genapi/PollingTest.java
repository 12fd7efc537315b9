package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What polling costs where nodes have much in common. */
class PollingTest {
    private static final int POLLED = 50;

    /** Counts how often it is made to forget. */
    private static final class Counted extends BaseNode {
        private int drops;

        Counted(NodeContext context, String name, String... properties) {
            super(context, element(properties), name);
        }

        private static Element element(String... properties) {
            Element[] children = IntStream.range(0, properties.length / 2)
                    .mapToObj(i -> new Element(
                            properties[2 * i], Element.NO_ATTRIBUTES, properties[2 * i + 1], Element.NO_CHILDREN))
                    .toArray(Element[]::new);
            return new Element("Node", Element.NO_ATTRIBUTES, "", children);
        }

        @Override
        AccessMode ownAccess() {
            return AccessMode.RW;
        }

        @Override
        void dropCache() {
            drops++;
        }

        @Override
        public String valueAsText() {
            return "";
        }

        @Override
        public void setFromText(String text) {}
    }

    private static final class Graph implements NodeGraph {
        private final Map<String, BaseNode> nodes = new HashMap<>();

        @Override
        public BaseNode node(String name) {
            return nodes.get(name);
        }

        @Override
        public Optional<Node> find(String name) {
            return Optional.ofNullable(nodes.get(name));
        }

        @Override
        public List<Node> selectedBy(BaseNode selector) {
            return List.of();
        }

        @Override
        public List<Node> selectorsOf(BaseNode node) {
            return List.of();
        }

        @Override
        public List<Node> linked(BaseNode node, Node.Linkage linkage) {
            return List.of();
        }
    }

    private final Graph graph = new Graph();
    private final NodeContext context = new NodeContext(graph, Counted.element());

    private List<BaseNode> polled(String... properties) {
        return IntStream.range(0, POLLED)
                .mapToObj(i -> (BaseNode) new Counted(context, "P" + i, properties))
                .toList();
    }

    @Test
    void whatManyPolledValuesAreMadeOfIsForgottenOnce() {
        Counted shared = new Counted(context, "Shared");
        graph.nodes.put("Shared", shared);
        new Polling(polled("PollingTime", "1", "pValue", "Shared"), context).poll(1);
        assertEquals(1, shared.drops);
    }

    @Test
    void whatDependsOnManyPolledNodesIsForgottenOnce() {
        Counted shared = new Counted(context, "Shared");
        List<BaseNode> polled = polled("PollingTime", "1");
        polled.forEach(node -> node.addDependent(shared));
        new Polling(polled, context).poll(1);
        assertEquals(1, shared.drops);
    }

    @Test
    void whatIsForgottenWithAnotherNodeIsForgottenAgainByTheNextPoll() {
        Counted shared = new Counted(context, "Shared");
        graph.nodes.put("Shared", shared);
        Polling polling = new Polling(polled("PollingTime", "1", "pValue", "Shared"), context);
        polling.poll(1);
        polling.poll(1);
        assertEquals(2, shared.drops);
    }

    /** Nodes that are polled unless a sum of registers says otherwise, which must be read each time. */
    private static String blockedBySum(int polled, int summands) {
        String variables = IntStream.range(0, summands)
                .mapToObj(i -> "<pVariable Name=\"V" + i + "\">Never</pVariable>")
                .collect(Collectors.joining());
        String sum = IntStream.range(0, summands).mapToObj(i -> "V" + i).collect(Collectors.joining("+"));
        return register("Never", 0, "<Cachable>NoCache</Cachable>")
                + "<IntSwissKnife Name=\"Block\">" + variables + "<Formula>" + sum + "</Formula></IntSwissKnife>"
                + IntStream.range(0, polled)
                        .mapToObj(i -> integer(
                                "P" + i,
                                "<Value>1</Value><PollingTime>1</PollingTime><pBlockPolling>Block</pBlockPolling>"))
                        .collect(Collectors.joining());
    }

    @Test
    void conditionsOfPollingTakeNoMoreStepsTogetherThanOneOperationMay() {
        CountingPort port = new CountingPort(16);
        NodeMap nodes = NodeMap.load(Xml.description(blockedBySum(3_000, 1_000)), port);
        nodes.poll(Duration.ofMillis(1));
        assertTrue(port.reads <= 1_000_000, () -> port.reads + " reads");
    }
}
