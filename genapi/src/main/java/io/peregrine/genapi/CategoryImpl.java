package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Category (R4). */
final class CategoryImpl extends BaseNode implements CategoryNode {
    private final List<Link> features = links("pFeature");

    CategoryImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
    }

    /** A category is there or not there; it is never just not available. */
    @Override
    AccessMode access() {
        return super.access() == AccessMode.NI ? AccessMode.NI : AccessMode.RO;
    }

    @Override
    AccessMode ownAccess() {
        for (Link feature : features) {
            if (feature.access() != AccessMode.NI) {
                return AccessMode.RO;
            }
        }
        return AccessMode.NI;
    }

    /** A category is for everyone whom one of its features is for, whatever it says of itself. */
    @Override
    public Visibility visibility() {
        Visibility widest = Visibility.INVISIBLE;
        if (isBroken()) {
            return widest;
        }
        Set<BaseNode> seen = new HashSet<>();
        Deque<CategoryImpl> open = new ArrayDeque<>(List.of(this));
        while (!open.isEmpty()) {
            for (BaseNode feature : open.remove().targets("pFeature")) {
                if (!seen.add(feature)) {
                    continue;
                }
                if (feature instanceof CategoryImpl category) {
                    if (!category.isBroken()) {
                        open.add(category);
                    }
                } else if (feature.visibility().ordinal() < widest.ordinal()) {
                    widest = feature.visibility();
                }
            }
        }
        return atLeast(widest);
    }

    @Override
    public List<Node> features() {
        return List.copyOf(targets("pFeature"));
    }
}
