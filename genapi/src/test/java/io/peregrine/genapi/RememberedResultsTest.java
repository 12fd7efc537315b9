package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of formulas and access modes are remembered like the registers they come from: they change with all that
 * changes those, and with nothing else.
 */
class RememberedResultsTest {
    private static final String NODES = register(
                    "R", 0, "<pInvalidator>Trigger</pInvalidator><PollingTime>100</PollingTime>")
            + register("Trigger", 4, "")
            + "<MaskedIntReg Name=\"Low\">" + at(0, 4) + "<LSB>31</LSB><MSB>24</MSB><Endianess>BigEndian</Endianess>"
            + "</MaskedIntReg>"
            + "<StringReg Name=\"Text\">" + at(0, 4) + "</StringReg>"
            + "<Command Name=\"Load\"><pValue>LoadReg</pValue><CommandValue>1</CommandValue></Command>"
            + register("LoadReg", 8, "")
            + register("Loaded", 0, "<pInvalidator>LoadReg</pInvalidator>")
            + "<SwissKnife Name=\"Knife\"><pVariable Name=\"A\">R</pVariable><Formula>A / 2</Formula></SwissKnife>"
            + "<IntSwissKnife Name=\"Whole\"><pVariable Name=\"K\">Knife</pVariable><Formula>K * 4</Formula>"
            + "</IntSwissKnife>"
            + "<Converter Name=\"Converted\"><FormulaTo>FROM / 3</FormulaTo><FormulaFrom>TO * 3</FormulaFrom>"
            + "<pValue>R</pValue></Converter>"
            + integer(
                    "Guarded", "<pIsAvailable>Big</pIsAvailable><pIsLocked>Bigger</pIsLocked><pValue>Trigger</pValue>")
            + "<IntSwissKnife Name=\"Big\"><pVariable Name=\"A\">R</pVariable><Formula>A &gt; 5</Formula>"
            + "</IntSwissKnife><IntSwissKnife Name=\"Bigger\"><pVariable Name=\"A\">R</pVariable>"
            + "<Formula>A &gt; 100</Formula></IntSwissKnife>";

    private final CountingPort port = new CountingPort(64);
    private final NodeMap nodes = NodeMap.load(Xml.description(NODES), port);

    /** Reads everything often enough that what can be remembered is. */
    private void read(long register, AccessMode guarded) {
        for (int i = 0; i < 3; i++) {
            assertEquals(register / 2.0, nodes.floating("Knife").value());
            assertEquals(2 * register, nodes.integer("Whole").value());
            assertEquals(3.0 * register, nodes.floating("Converted").value());
            assertEquals(guarded, nodes.node("Guarded").accessMode());
        }
    }

    private static Named<BiConsumer<NodeMap, CountingPort>> way(String name, BiConsumer<NodeMap, CountingPort> change) {
        return Named.of(name, change);
    }

    static List<Named<BiConsumer<NodeMap, CountingPort>>> ways() {
        return List.of(
                way("register written", (nodes, port) -> nodes.integer("R").set(7)),
                way(
                        "converter written",
                        (nodes, port) -> nodes.floating("Converted").set(21)),
                way("overlapping register written", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 9);
                    nodes.integer("Low").set(7);
                }),
                way(
                        "overlapping text written",
                        (nodes, port) -> nodes.string("Text").set("\0\0\0\u0007")),
                way("register invalidated", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 7);
                    nodes.node("R").invalidate();
                }),
                way("formula refreshed", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 7);
                    nodes.node("Converted").refresh();
                }),
                way("invalidator written", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 7);
                    nodes.integer("Trigger").set(1);
                }),
                way("polling time over", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 7);
                    nodes.poll(Duration.ofMillis(100));
                }),
                way("command done", (nodes, port) -> {
                    nodes.command("Load").execute();
                    nodes.integer("Loaded").value();
                    port.put(0, 0, 0, 0, 7);
                    port.put(8, 0, 0, 0, 0);
                    assertEquals(true, nodes.command("Load").isDone());
                }),
                way("everything invalidated", (nodes, port) -> {
                    port.put(0, 0, 0, 0, 7);
                    nodes.invalidateAll();
                }),
                way("port written", (nodes, port) -> {
                    if (nodes.node("Device") instanceof PortNode device) {
                        device.write(0, ByteBuffer.wrap(new byte[] {0, 0, 0, 7}));
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void resultsFollowWhatTheyComeFrom(BiConsumer<NodeMap, CountingPort> change) {
        port.put(0, 0, 0, 0, 3);
        read(3, AccessMode.NA);
        change.accept(nodes, port);
        read(7, AccessMode.RW);
    }

    @Test
    void aPredicateThatTurnsLocksAtOnce() {
        port.put(0, 0, 0, 0, 9);
        read(9, AccessMode.RW);
        nodes.integer("R").set(101);
        read(101, AccessMode.RO);
    }

    @Test
    void withoutAChangeNothingIsAskedAgain() {
        port.put(0, 0, 0, 0, 9);
        read(9, AccessMode.RW);
        int reads = port.reads;
        port.put(0, 0, 0, 0, 1);
        read(9, AccessMode.RW);
        assertEquals(reads, port.reads);
    }

    @Test
    void whatMustNotBeRememberedIsAskedEachTime() {
        NodeMap uncached = NodeMap.load(
                Xml.description(register("R", 0, "<Cachable>NoCache</Cachable>")
                        + "<SwissKnife Name=\"K\"><pVariable Name=\"A\">R</pVariable><Formula>A * 2</Formula>"
                        + "</SwissKnife>"
                        + "<IntSwissKnife Name=\"On\"><pVariable Name=\"K\">K</pVariable><Formula>K &gt; 5</Formula>"
                        + "</IntSwissKnife>"
                        + integer("F", "<pIsAvailable>On</pIsAvailable><Value>1</Value>")),
                port);
        for (int i = 1; i < 6; i++) {
            port.put(0, 0, 0, 0, i);
            assertEquals(2 * i, uncached.floating("K").value());
            assertEquals(
                    i > 2 ? AccessMode.RW : AccessMode.NA, uncached.node("F").accessMode());
        }
    }

    @Test
    void anAccessModeFollowsThatOfThePort() {
        AtomicBoolean open = new AtomicBoolean(true);
        Port changing = new Port() {
            @Override
            public AccessMode accessMode() {
                return open.get() ? AccessMode.RW : AccessMode.NI;
            }

            @Override
            public void read(long address, ByteBuffer destination) {
                port.read(address, destination);
            }

            @Override
            public void write(long address, ByteBuffer source) {
                port.write(address, source);
            }
        };
        NodeMap map = NodeMap.load(
                Xml.description(register("R", 0, "") + integer("F", "<pValue>R</pValue>")
                        + "<IntSwissKnife Name=\"Mode\"><pVariable Name=\"X.AccessMode\">F</pVariable>"
                        + "<Formula>X.AccessMode</Formula></IntSwissKnife>"),
                changing);
        for (int i = 0; i < 6; i++) {
            boolean now = i % 2 == 0;
            open.set(now);
            AccessMode expected = now ? AccessMode.RW : AccessMode.NI;
            for (int again = 0; again < 3; again++) {
                assertEquals(expected, map.node("F").accessMode());
            }
        }
    }

    @Test
    void anAccessModeFollowsTheOneThatIsImposed() {
        read(0, AccessMode.NA);
        nodes.integer("R").set(9);
        read(9, AccessMode.RW);
        nodes.node("Trigger").imposeAccessMode(AccessMode.RO);
        read(9, AccessMode.RO);
        nodes.node("Trigger").imposeAccessMode(AccessMode.RW);
        read(9, AccessMode.RW);
    }

    @Test
    void aFormulaFollowsLimitsAndVisibility() {
        NodeMap map = NodeMap.load(
                Xml.description(value("Top", 9) + integer("V", "<Value>5</Value><pMax>Top</pMax>")
                        + "<IntSwissKnife Name=\"Max\"><pVariable Name=\"X\">V</pVariable>"
                        + "<Formula>X.Max</Formula></IntSwissKnife><IntSwissKnife Name=\"Seen\">"
                        + "<pVariable Name=\"X\">V</pVariable><Formula>X.Visibility</Formula></IntSwissKnife>"),
                port);
        assertEquals(9, map.integer("Max").value());
        map.integer("Top").set(8);
        assertEquals(8, map.integer("Max").value());
        assertEquals(0, map.integer("Seen").value());
        map.node("V").imposeVisibility(Visibility.GURU);
        assertEquals(2, map.integer("Seen").value());
    }

    @Test
    void resultsFromChunksFollowTheFrame() {
        NodeMap map = NodeMap.load(
                Xml.description("<IntReg Name=\"R\"><Address>0</Address><Length>4</Length><AccessMode>RO</AccessMode>"
                        + "<pPort>Chunk</pPort><Endianess>BigEndian</Endianess></IntReg>"
                        + "<IntSwissKnife Name=\"K\"><pVariable Name=\"A\">R</pVariable><Formula>A * 2</Formula>"
                        + "</IntSwissKnife><Port Name=\"Chunk\"><ChunkID>A01</ChunkID></Port>"),
                port);
        AtomicBoolean valid = new AtomicBoolean(true);
        assertEquals(AccessMode.NA, map.node("K").accessMode());
        assertEquals(AccessMode.NA, map.node("K").accessMode());
        map.attachChunks(chunk("00000005 00000A01 00000004"), valid::get);
        assertEquals(10, map.integer("K").value());
        assertEquals(10, map.integer("K").value());
        map.attachChunks(chunk("00000006 00000A01 00000004"), valid::get);
        assertEquals(12, map.integer("K").value());
        assertEquals(AccessMode.RO, map.node("K").accessMode());
        valid.set(false);
        assertThrows(GenApiException.class, () -> map.integer("K").value());
        map.detachChunks();
        assertEquals(AccessMode.NA, map.node("K").accessMode());
    }

    private static ByteBuffer chunk(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void resultsFromEventsFollowTheEvent() {
        NodeMap map = NodeMap.load(
                Xml.description("<IntReg Name=\"R\"><Address>0</Address><Length>4</Length><AccessMode>RO</AccessMode>"
                        + "<pPort>Event</pPort><Endianess>BigEndian</Endianess></IntReg>"
                        + "<IntSwissKnife Name=\"K\"><pVariable Name=\"A\">R</pVariable><Formula>A * 2</Formula>"
                        + "</IntSwissKnife><Port Name=\"Event\"><EventID>9001</EventID></Port>"),
                port);
        for (int i = 0; i < 3; i++) {
            assertEquals(AccessMode.NI, map.node("K").accessMode());
        }
        for (int data = 1; data < 4; data++) {
            map.deliverEvent(0x9001, ByteBuffer.wrap(new byte[] {0, 0, 0, (byte) data}));
            assertEquals(AccessMode.RO, map.node("K").accessMode());
            assertEquals(2L * data, map.integer("K").value());
            assertEquals(2L * data, map.integer("K").value());
        }
    }

    @Test
    void aCircleOfPredicatesGivesEachNodeTheModeThatItHasByItself() {
        String circle = integer("A", "<pIsLocked>B</pIsLocked><Value>1</Value>")
                + integer("B", "<pIsLocked>A</pIsLocked><Value>1</Value>");
        AccessMode a = NodeMap.load(Xml.description(circle), port).node("A").accessMode();
        NodeMap map = NodeMap.load(Xml.description(circle), port);
        for (int i = 0; i < 3; i++) {
            assertEquals(a, map.node("B").accessMode());
            assertEquals(a, map.node("A").accessMode());
        }
    }

    @Test
    void aWriteThatFailsLeavesResultsTrue() {
        port.put(0, 0, 0, 0, 9);
        read(9, AccessMode.RW);
        port.failing = true;
        assertThrows(GenApiException.class, () -> nodes.integer("R").set(1));
        port.failing = false;
        read(9, AccessMode.RW);
    }

    @Test
    void aFormulaThatFailedIsTriedAgain() {
        port.failing = true;
        assertThrows(GenApiException.class, () -> nodes.floating("Knife").value());
        port.failing = false;
        read(0, AccessMode.NA);
    }
}
