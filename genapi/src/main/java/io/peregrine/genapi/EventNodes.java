package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** The nodes that events of a device concern, by the id of the event (R24). */
final class EventNodes {
    private final Map<Long, List<BaseNode>> byId = new HashMap<>();
    private final NodeContext context;

    EventNodes(Collection<BaseNode> nodes, NodeContext context) {
        this.context = context;
        for (BaseNode node : nodes) {
            try {
                OptionalLong id = node.eventId();
                if (id.isPresent()) {
                    List<BaseNode> same = byId.get(id.getAsLong());
                    if (same == null) {
                        same = new ArrayList<>();
                        byId.put(id.getAsLong(), same);
                    }
                    same.add(node);
                }
            } catch (GenApiException e) {
                context.problem(node.name, e.getMessage());
            }
        }
    }

    /** Connects an event with its ports, and makes the nodes of its id forget; to be called under the lock. */
    boolean deliver(long eventId, ByteBuffer data) {
        List<BaseNode> concerned = byId.getOrDefault(eventId, List.of());
        Refresh refresh = new Refresh(context.changes);
        for (BaseNode node : concerned) {
            if (node instanceof EventPortNode port) {
                port.deliver(data);
            }
        }
        concerned.forEach(refresh::forget);
        return !concerned.isEmpty();
    }

    /** All nodes that depend on the events of an id. */
    Set<Node> concernedBy(long eventId) {
        Set<Node> concerned = new HashSet<>();
        Deque<BaseNode> open = new ArrayDeque<>(byId.getOrDefault(eventId, List.of()));
        while (!open.isEmpty()) {
            BaseNode node = open.remove();
            if (concerned.add(node)) {
                open.addAll(node.dependents);
            }
        }
        return concerned;
    }
}
