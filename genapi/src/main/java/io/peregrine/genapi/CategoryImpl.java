package io.peregrine.genapi;

import java.util.List;

/** Category (R4). */
final class CategoryImpl extends BaseNode implements CategoryNode {
    CategoryImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    @Override
    AccessMode ownAccess() {
        List<BaseNode> features = links("pFeature");
        boolean none = !features.isEmpty() && features.stream().allMatch(feature -> feature.access() == AccessMode.NI);
        return none ? AccessMode.NI : AccessMode.RO;
    }

    @Override
    public List<Node> features() {
        return List.copyOf(links("pFeature"));
    }
}
