package io.peregrine.browser.frames;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import java.util.List;
import java.util.Locale;

/** Says in JSON what the items of a frame are: what the page makes tabs of. */
final class FrameLayout {
    private String key = "";
    private String json = "";

    /** The description of a frame; the same object as long as frames are alike. */
    String of(Composite composite, List<Integer> shown) {
        List<Item> items = composite.items();
        StringBuilder now = new StringBuilder();
        for (int index : shown) {
            Item item = items.get(index);
            now.append(index)
                    .append(' ')
                    .append(item.typeId())
                    .append(' ')
                    .append(item.format().code())
                    .append(' ')
                    .append(item.sourceId())
                    .append(' ')
                    .append(item.regionId())
                    .append(';');
        }
        if (!now.toString().equals(key)) {
            key = now.toString();
            json = describe(items, shown).toString();
        }
        return json;
    }

    private static ObjectNode describe(List<Item> items, List<Integer> shown) {
        ObjectNode layout = JsonNodeFactory.instance.objectNode().put("type", "layout");
        ArrayNode array = layout.putArray("items");
        for (int index : shown) {
            Item item = items.get(index);
            ObjectNode object = array.addObject()
                    .put("index", index)
                    .put("component", item.componentType().name().toLowerCase(Locale.ROOT))
                    .put("format", item.format().name())
                    .put("family", item.format().family().name().toLowerCase(Locale.ROOT))
                    .put("source", item.sourceId())
                    .put("region", item.regionId());
            item.format()
                    .colourFilter()
                    .ifPresent(filter -> object.put(
                            "filter", "" + filter.at(0, 0) + filter.at(1, 0) + filter.at(0, 1) + filter.at(1, 1)));
            if (item instanceof PlaneItem plane) {
                object.put("role", plane.role().name().toLowerCase(Locale.ROOT));
            }
            ArrayNode components = object.putArray("values");
            item.format().components().forEach(component -> components.add(component.name()));
        }
        return layout;
    }
}
