package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.register;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes of descriptions of real cameras that are easy to get wrong; values are those of the reference (3.4). */
class CameraShapesTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    /** White balance of a Baumer TXG: the gains that the camera finds are known when the command is done. */
    @Test
    void gainsAreReadAgainWhenWhiteBalanceIsDone() {
        NodeMap nodes = load("<Command Name=\"WhiteBalance\"><pValue>RegBalance</pValue><CommandValue>2</CommandValue>"
                + "</Command>" + register("RegBalance", 0xAC, "")
                + register("RegGain", 0xB0, invalidatedBy("RegBalance"))
                + "<Converter Name=\"Gain\"><FormulaTo>FROM * 100</FormulaTo><FormulaFrom>TO / 100</FormulaFrom>"
                + "<pValue>RegGain</pValue></Converter>");
        nodes.command("WhiteBalance").execute();
        port.put(0xB0, 0, 0, 0, 100);
        assertFalse(nodes.command("WhiteBalance").isDone());
        assertEquals(1.0, nodes.floating("Gain").value());
        port.put(0xB0, 0, 0, 0, 150);
        port.put(0xAC, 0, 0, 0, 0);
        assertTrue(nodes.command("WhiteBalance").isDone());
        assertEquals(1.5, nodes.floating("Gain").value());
    }

    private static String invalidatedBy(String node) {
        return "<pInvalidator>" + node + "</pInvalidator>";
    }

    /** Temperatures of a FLIR AX5: hundredths of a degree in the lower 16 bits. */
    @ParameterizedTest
    @CsvSource({"65336,-2.0", "2512,25.12", "32768,-327.68", "0,0"})
    void temperaturesBelowZeroAreNegative(int raw, double degrees) {
        port.put(0, 0, 0, raw >> 8, raw & 0xFF);
        NodeMap nodes =
                load(register("Raw", 0, "") + "<SwissKnife Name=\"Degrees\"><pVariable Name=\"V\">Raw</pVariable>"
                        + "<Formula>(V &gt; 32767 ? (V &lt;&lt; 16) &gt;&gt; 16 : V) / 100</Formula></SwissKnife>");
        assertEquals(degrees, nodes.floating("Degrees").value());
    }

    private static final String SHUTTER = "<Enumeration Name=\"Mode\"><ImposedAccessMode>RW</ImposedAccessMode>"
            + "<EnumEntry Name=\"Global\"><pIsImplemented>HasGlobal</pIsImplemented><Value>0</Value></EnumEntry>"
            + "<EnumEntry Name=\"Rolling\"><pIsImplemented>HasRolling</pIsImplemented><Value>1</Value></EnumEntry>"
            + "<pValue>ModeInt</pValue></Enumeration><IntConverter Name=\"ModeInt\"><pVariable"
            + " Name=\"OLD\">Val</pVariable><pVariable Name=\"TRIGGER\">Trigger</pVariable><FormulaTo>( TRIGGER = 0)"
            + " ? 1 : FROM</FormulaTo><FormulaFrom>( TRIGGER = 0) ? 1 :"
            + " OLD</FormulaFrom><pValue>Val</pValue><Slope>Varying</Slope></IntConverter>"
            + register("Val", 0x100, "") + register("Trigger", 0x104, "") + register("HasGlobal", 0x108, "")
            + register("HasRolling", 0x10C, "");

    /** SensorShutterMode of a PointGrey camera: its current entry can be one that the camera does not have. */
    @Test
    void theCurrentEntryCanBeOneThatCannotBeSelected() {
        port.put(0x108, 0, 0, 0, 1);
        NodeMap nodes = load(SHUTTER);
        assertEquals(AccessMode.RW, nodes.node("Mode").accessMode());
        assertEquals("Rolling", nodes.enumeration("Mode").value());
        nodes.enumeration("Mode").set("Global");
        assertArrayEquals(new byte[] {0, 0, 0, 1}, port.get(0x100, 4));
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("Mode").set("Rolling"));
    }

    @Test
    void aModeGoesThroughAConverterThatReadsTheOldOne() {
        port.put(0x104, 0, 0, 0, 1);
        port.put(0x108, 0, 0, 0, 1, 0, 0, 0, 1);
        NodeMap nodes = load(SHUTTER);
        nodes.enumeration("Mode").set("Rolling");
        assertArrayEquals(new byte[] {0, 0, 0, 1}, port.get(0x100, 4));
        nodes.enumeration("Mode").set("Global");
        assertEquals("Global", nodes.enumeration("Mode").value());
        assertArrayEquals(new byte[4], port.get(0x100, 4));
    }

    // ---- The descriptions themselves, where the optional test data is there

    /** Whatever a command's registers invalidate is asked of the device again once the command is done. */
    @Test
    void everyRealCommandThatIsDoneMakesWhatItInvalidatesForget() {
        List<String> stale = new ArrayList<>();
        int forgotten = 0;
        for (Map.Entry<String, byte[]> file : Corpus.descriptions().entrySet()) {
            SyntheticRegisters registers = new SyntheticRegisters(true, 7);
            NodeMap nodes = NodeMap.load(file.getValue(), registers);
            Map<String, List<Node>> invalidated = new HashMap<>();
            for (Node node : nodes.nodes()) {
                for (Node.Property property : node.properties()) {
                    if (property.name().equals("pInvalidator")) {
                        invalidated
                                .computeIfAbsent(property.value(), key -> new ArrayList<>())
                                .add(node);
                    }
                }
            }
            for (Node node : nodes.nodes()) {
                if (node instanceof CommandNode command && command.accessMode() == AccessMode.RW) {
                    forgotten += runToItsEnd(nodes, registers, command, invalidated, file.getKey(), stale);
                }
            }
        }
        assertEquals(List.of(), stale);
        assertTrue(forgotten > 100, "values that were forgotten: " + forgotten);
    }

    private static int runToItsEnd(
            NodeMap nodes,
            SyntheticRegisters registers,
            CommandNode command,
            Map<String, List<Node>> invalidated,
            String file,
            List<String> stale) {
        List<Node> dependents = new ArrayList<>();
        Node end = command;
        while (end.property("pValue").isPresent()) {
            end = nodes.node(end.property("pValue").orElseThrow());
            dependents.addAll(invalidated.getOrDefault(end.name(), List.of()));
        }
        if (dependents.isEmpty() || !(end instanceof RegisterBacked register)) {
            return 0;
        }
        try {
            command.execute();
        } catch (GenApiException e) {
            return 0;
        }
        List<Node> known = new ArrayList<>();
        for (Node dependent : dependents) {
            if (dependent instanceof IntegerNode integer && dependent != register && integer.readable()) {
                integer.value();
                if (integer.valueCached()) {
                    known.add(integer);
                }
            }
        }
        registers.write(register.address(), ByteBuffer.allocate((int) register.lengthBytes()));
        if (!command.isDone()) {
            return 0;
        }
        known.stream().filter(Node::valueCached).forEach(node -> stale.add(file + " " + command + ": " + node));
        return known.size();
    }

    /** One symbol that can be selected is current where the register has its value. */
    @Test
    void everyRealEnumerationWithEntriesOfOneValueShowsOneThatCanBeSelected() {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (Map.Entry<String, byte[]> file : Corpus.descriptions().entrySet()) {
            NodeMap nodes = NodeMap.load(file.getValue(), new SyntheticRegisters(true, 7));
            for (Problem warning : nodes.warnings()) {
                if (nodes.node(warning.node()) instanceof EnumerationNode enumeration && enumeration.writable()) {
                    for (EnumEntryNode entry : enumeration.entries()) {
                        if (entry.readable()) {
                            enumeration.setIntValue(entry.intValue());
                            checked++;
                            if (enumeration.readable() && !enumeration.symbols().contains(enumeration.value())) {
                                wrong.add(file.getKey() + " " + enumeration + " " + enumeration.value());
                            }
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(checked > 50, "entries: " + checked);
    }
}
