package io.peregrine.genapi;

import java.util.Map;

/** Descriptions that are part of the project. */
class OwnSettingsTest extends SettingsContract {
    @Override
    Map<String, byte[]> descriptions() {
        return OwnDescriptions.all();
    }

    @Override
    int least() {
        return 20;
    }
}
