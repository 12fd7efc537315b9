package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.virtualcamera.DeviceFeature;
import io.peregrine.virtualcamera.VirtualDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device whose features are declared in code, without XML, is a device like any other. */
@Timeout(60)
class OwnDeviceTest {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger temperature = new AtomicInteger(21);
    private VirtualDevice device;
    private Device opened;

    @BeforeEach
    void start() {
        device = VirtualDevice.builder("Own Maker", "Own <1>")
                .bindAddress("127.50.7.1")
                .port(0)
                .serial("OWN-1")
                .category(
                        "Control",
                        DeviceFeature.enumeration("LampSelector", "Left", "Right"),
                        DeviceFeature.integer("Current")
                                .range(-10, 90)
                                .increment(5)
                                .unit("mA")
                                .toolTip("What flows & <how>.")
                                .selectedBy("LampSelector")
                                .set((lamp, v) -> calls.add(lamp + "=" + v)),
                        DeviceFeature.floating("Gain").range(0.5, 2).unit("dB").set(v -> calls.add("Gain " + v)),
                        DeviceFeature.enumeration("Mode", "Steady", "Pulse").set(v -> calls.add(v)),
                        DeviceFeature.bool("Enable").initial(true).set(on -> calls.add("Enable " + on)),
                        DeviceFeature.string("Label", 20).initial("über"),
                        DeviceFeature.integer("Largest").readOnly().initial(Long.MAX_VALUE),
                        DeviceFeature.command("Fire", () -> calls.add("Fire")))
                .category(
                        "State", DeviceFeature.integer("Temperature").unit("C").get(temperature::get))
                .start();
        opened = DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .open("127.50.7.1:" + device.address().getPort());
    }

    @AfterEach
    void stop() {
        opened.close();
        device.close();
    }

    @Test
    void itsFeaturesStandInItsCategories() {
        NodeMap nodes = opened.nodes();
        assertEquals(List.of(), nodes.problems());
        assertEquals("Own Maker", nodes.string("DeviceVendorName").value());
        assertEquals("Own <1>", nodes.string("DeviceModelName").value());
        List<String> names = new ArrayList<>();
        for (Node node : nodes.category("Control").features()) {
            names.add(node.name());
        }
        assertEquals(List.of("LampSelector", "Current", "Gain", "Mode", "Enable", "Label", "Largest", "Fire"), names);
        assertEquals("What flows & <how>.", nodes.integer("Current").toolTip());
    }

    @Test
    void aSelectorLeadsToTheInstances() {
        NodeMap nodes = opened.nodes();
        IntegerNode current = nodes.integer("Current");
        current.set(40);
        nodes.enumeration("LampSelector").set("Right");
        assertEquals(0, current.value());
        current.set(-10);
        nodes.enumeration("LampSelector").set("Left");
        assertEquals(40, current.value());
        assertEquals(List.of("0=40", "1=-10"), calls);
        assertEquals(
                List.of("Current"),
                nodes.enumeration("LampSelector").selected().stream()
                        .map(Node::name)
                        .toList());
    }

    @Test
    void rangesAndUnitsAreTold() {
        IntegerNode current = opened.nodes().integer("Current");
        assertEquals(-10, current.min());
        assertEquals(90, current.max());
        assertEquals(5, current.increment());
        assertEquals("mA", current.unit().orElseThrow());
        FloatNode gain = opened.nodes().floating("Gain");
        assertEquals(0.5, gain.min());
        assertEquals(2, gain.max());
        assertThrows(GenApiException.class, () -> current.set(41));
        assertThrows(GenApiException.class, () -> gain.set(2.5));
        assertEquals(List.of(), calls);
    }

    @Test
    void everyKindOfFeatureIsSet() {
        NodeMap nodes = opened.nodes();
        nodes.floating("Gain").set(1.25);
        nodes.enumeration("Mode").set("Pulse");
        nodes.bool("Enable").set(false);
        nodes.string("Label").set("größer");
        nodes.command("Fire").execute();
        assertEquals(List.of("Gain 1.25", "Pulse", "Enable false", "Fire"), calls);
        nodes.invalidateAll();
        assertEquals(1.25, nodes.floating("Gain").value());
        assertEquals("Pulse", nodes.enumeration("Mode").value());
        assertFalse(nodes.bool("Enable").value());
        assertEquals("größer", nodes.string("Label").value());
        assertEquals(Long.MAX_VALUE, nodes.integer("Largest").value());
    }

    @Test
    void aLiveValueIsReadEachTimeAndCannotBeSet() {
        IntegerNode live = opened.nodes().integer("Temperature");
        assertEquals(21, live.value());
        temperature.set(45);
        assertEquals(45, live.value());
        assertFalse(live.writable());
    }

    @Test
    void itHasNoStreams() {
        assertEquals(0, opened.streamCount());
        assertThrows(DeviceException.class, () -> opened.stream(CompositeStream.class, 0));
    }
}
