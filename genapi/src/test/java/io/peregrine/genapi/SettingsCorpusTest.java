package io.peregrine.genapi;

import java.util.Map;

/** Descriptions of real devices, of the optional test data. */
class SettingsCorpusTest extends SettingsContract {
    @Override
    Map<String, byte[]> descriptions() {
        return Corpus.descriptions();
    }

    @Override
    int least() {
        return 500;
    }
}
