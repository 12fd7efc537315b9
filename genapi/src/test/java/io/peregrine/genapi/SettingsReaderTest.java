package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.Settings.Setting;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Saving of what selectors select, and of what is locked. */
class SettingsReaderTest {
    private static final String STREAMABLE = "<Streamable>Yes</Streamable>";

    private final MemoryPort port = new MemoryPort(256);
    private final NodeMap nodes = NodeMap.load(
            Xml.description(integer("Line", "<pValue>LineReg</pValue><Max>1</Max><pSelected>Mode</pSelected>")
                    + register("LineReg", 0, "")
                    + "<IntReg Name=\"Mode\">" + STREAMABLE + at(0x10, 4) + "<pIndex Offset=\"4\">LineReg</pIndex>"
                    + "<Endianess>BigEndian</Endianess></IntReg>"
                    + integer("Bank", "<pValue>BankReg</pValue><Max>1</Max><pSelected>Level</pSelected>")
                    + register("BankReg", 4, "")
                    + integer("Level", STREAMABLE + "<pValue>LevelReg</pValue>")
                    + register("LevelReg", 0x40, "")
                    + integer("Width", STREAMABLE + "<pValue>WidthReg</pValue><pIsLocked>Lock</pIsLocked>")
                    + register("WidthReg", 0x50, "")
                    + register("Lock", 0x60, "")),
            port);

    SettingsReaderTest() {
        put(4, 1);
        put(0x10, 11);
        put(0x14, 12);
        put(0x40, 7);
        put(0x50, 640);
    }

    private void put(int address, int value) {
        port.write(address, ByteBuffer.allocate(4).putInt(0, value));
    }

    private static Setting setting(String feature, String selector, String choice, String value) {
        return new Setting(feature, List.of(Map.entry(selector, choice)), value);
    }

    @Test
    void whatASelectorAddressesIsReadThroughAllSelectionsWithoutControl() {
        List<Setting> settings = Settings.saveWithoutControl(nodes).settings();
        assertTrue(
                settings.containsAll(List.of(setting("Mode", "Line", "0", "11"), setting("Mode", "Line", "1", "12"))),
                settings::toString);
    }

    @Test
    void whatTheDeviceSwitchesIsReadThroughThePresentSelectionWithoutControl() {
        List<Setting> level = Settings.saveWithoutControl(nodes).settings().stream()
                .filter(setting -> setting.feature().equals("Level"))
                .toList();
        assertEquals(List.of(setting("Level", "Bank", "1", "7")), level);
    }

    @Test
    void whatCannotBeReadWithoutControlIsNamed() {
        assertEquals(
                "[Level: was read for the present selection of Bank alone: to move it, control of the device is needed,"
                        + " which another application has]",
                Settings.saveWithoutControl(nodes).failures().toString());
    }

    @Test
    void aLockedFeatureIsSaved() {
        put(0x60, 1);
        assertTrue(
                Settings.save(nodes).settings().contains(new Setting("Width", List.of(), "640")),
                () -> Settings.save(nodes).toText());
    }
}
