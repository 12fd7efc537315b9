package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.genapi.Settings;
import io.peregrine.genapi.Settings.Failure;
import io.peregrine.genapi.Settings.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsJsonTest {
    @Test
    void settingsComeBackAsTheyWere() {
        Settings settings = new Settings(
                "Vendor::Model",
                List.of(
                        new Setting("Width", List.of(), "640"),
                        new Setting("Gain", List.of(Map.entry("GainSelector", "Red")), "1.5")),
                List.of(new Failure("Odd", "cannot be read")));
        assertEquals(settings, SettingsJson.parse(SettingsJson.of(settings)));
    }

    @Test
    void aSettingWithoutValueIsRefused() {
        assertThrows(DeviceException.class, () -> SettingsJson.parse("{\"settings\":[{\"feature\":\"Width\"}]}"));
    }

    @Test
    void textThatIsNoJsonIsRefused() {
        assertThrows(DeviceException.class, () -> SettingsJson.parse("Width\t640"));
    }

    @Test
    void aPlaceThatIsNoJsonIsNamed() {
        DeviceException refusal =
                assertThrows(DeviceException.class, () -> SettingsJson.parse("{\"settings\":[{\n\"feature\":3}"));
        assertEquals("The settings are no JSON: look at line 2, column 13", refusal.getMessage());
    }
}
