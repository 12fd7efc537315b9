package io.peregrine.genapi;

import java.util.List;

/** Category (R4). */
final class CategoryImpl extends BaseNode implements CategoryNode {
    private final List<Link> features = links("pFeature");

    CategoryImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    @Override
    AccessMode ownAccess() {
        for (Link feature : features) {
            if (feature.access() != AccessMode.NI) {
                return AccessMode.RO;
            }
        }
        return features.isEmpty() ? AccessMode.RO : AccessMode.NI;
    }

    @Override
    public List<Node> features() {
        return List.copyOf(targets("pFeature"));
    }
}
