package io.peregrine.genapi;

import java.util.Map;

/** Descriptions that are part of the project. */
class OwnSettingsTest extends SettingsContract {
    @Override
    Map<String, byte[]> descriptions() {
        return OwnDescriptions.all();
    }

    @Override
    NodeMap device(byte[] xml) {
        NodeMap nodes = super.device(xml);
        // Its register is 0 without a device, which is no component.
        nodes.find("ComponentSelector").ifPresent(selector -> selector.setFromText("Intensity"));
        return nodes;
    }

    @Override
    int least() {
        return 20;
    }
}
