package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes nodes forget their value whose polling time is over (R25). */
final class Polling {
    /** A node whose value changes by itself. */
    private static final class Polled {
        private final BaseNode node;
        private final String text;
        private long periodMillis = -1;
        private long waitedMillis;

        Polled(BaseNode node, String text) {
            this.node = node;
            this.text = text;
        }

        long periodMillis() {
            if (periodMillis < 0) {
                periodMillis = Math.max(0, Numbers.parseLong(node.name, text));
            }
            return periodMillis;
        }
    }

    private final List<Polled> polled = new ArrayList<>();
    private final NodeContext context;

    Polling(Collection<BaseNode> nodes, NodeContext context) {
        this.context = context;
        for (BaseNode node : nodes) {
            String text = node.element.valueOrNull("PollingTime");
            if (text != null) {
                polled.add(new Polled(node, text));
            }
        }
    }

    /** Lets time pass; to be called as one operation, so that all conditions together are bounded. */
    void poll(long elapsedMillis) {
        Refresh refresh = new Refresh(context.changes);
        for (Polled entry : polled) {
            try {
                poll(entry, elapsedMillis, refresh);
            } catch (RuntimeException | StackOverflowError e) {
                Changes.log().log(System.Logger.Level.DEBUG, "Node " + entry.node.name + " is not polled", e);
            }
        }
    }

    private static void poll(Polled entry, long elapsedMillis, Refresh refresh) {
        BaseNode node = entry.node;
        if (!node.changesByItself()) {
            return;
        }
        entry.waitedMillis += elapsedMillis;
        if (entry.waitedMillis < entry.periodMillis()) {
            return;
        }
        entry.waitedMillis = 0;
        node.run(() -> {
            Link block = node.link("pBlockPolling");
            if (block == null || !block.access().readable() || block.number().readLong() == 0) {
                refresh.forget(node);
            }
        });
    }
}
