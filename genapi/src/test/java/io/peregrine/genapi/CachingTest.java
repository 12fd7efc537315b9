package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CachingTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String cachable(String mode) {
        return "<Cachable>" + mode + "</Cachable>";
    }

    @ParameterizedTest
    @CsvSource({
        "NoCache,WriteThrough,NO_CACHE",
        "WriteThrough,NoCache,NO_CACHE",
        "WriteThrough,WriteAround,WRITE_AROUND",
        "WriteAround,WriteThrough,WRITE_AROUND",
        "WriteThrough,WriteThrough,WRITE_THROUGH"
    })
    void theWeakestModeOnTheWayCounts(String own, String address, CachingMode expected) {
        NodeMap nodes = load(register("A", 64, cachable(address))
                + register("R", 0, "<pAddress>A</pAddress>" + cachable(own))
                + integer("I", "<pValue>R</pValue>"));
        assertEquals(expected, nodes.node("R").cachingMode());
        assertEquals(expected, nodes.node("I").cachingMode());
    }

    @Test
    void aFloatIsNotRememberedAsItWasWritten() {
        NodeMap nodes = load("<FloatReg Name=\"F\">" + at(0, 4) + "</FloatReg>");
        assertEquals(CachingMode.WRITE_AROUND, nodes.node("F").cachingMode());
    }

    /** As in the reference. */
    @ParameterizedTest
    @CsvSource({
        "IntSwissKnife,WriteThrough,WRITE_THROUGH",
        "IntSwissKnife,WriteAround,WRITE_THROUGH",
        "IntSwissKnife,NoCache,NO_CACHE",
        "SwissKnife,WriteThrough,WRITE_AROUND",
        "SwissKnife,NoCache,NO_CACHE"
    })
    void aFormulaIsReadAgainWhereItsVariablesAre(String kind, String register, CachingMode expected) {
        NodeMap nodes = load(register("R", 0, cachable(register)) + "<" + kind
                + " Name=\"K\"><pVariable Name=\"X\">R</pVariable><Formula>X</Formula></" + kind + ">");
        assertEquals(expected, nodes.node("K").cachingMode());
    }

    /** As in the reference: what is read back may be another value than was written. */
    @ParameterizedTest
    @CsvSource({
        "IntConverter,WriteThrough,WRITE_AROUND",
        "Converter,WriteThrough,WRITE_AROUND",
        "Converter,NoCache,NO_CACHE"
    })
    void aConverterIsNotRememberedAsItWasWritten(String kind, String register, CachingMode expected) {
        NodeMap nodes = load(register("R", 0, cachable(register)) + "<" + kind
                + " Name=\"C\"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>R</pValue></" + kind
                + ">");
        assertEquals(expected, nodes.node("C").cachingMode());
    }

    @Test
    void aCopyOfTheValueIsOnTheWay() {
        NodeMap nodes = load(register("R", 0, "")
                + register("C", 4, cachable("WriteAround"))
                + integer("I", "<pValue>R</pValue><pValueCopy>C</pValueCopy>"));
        assertEquals(CachingMode.WRITE_AROUND, nodes.node("I").cachingMode());
    }

    @ParameterizedTest
    @CsvSource({"NoCache,7", "WriteAround,0", "WriteThrough,0"})
    void aChangeBehindTheBackIsSeenOnlyWithoutCache(String mode, long seen) {
        NodeMap nodes = load(register("R", 0, cachable(mode)));
        nodes.integer("R").value();
        port.put(0, 0, 0, 0, 7);
        assertEquals(seen, nodes.integer("R").value());
    }

    @ParameterizedTest
    @CsvSource({"NoCache,7", "WriteAround,7", "WriteThrough,5"})
    void aChangeAfterAWriteIsNotSeenByWriteThrough(String mode, long seen) {
        NodeMap nodes = load(register("R", 0, cachable(mode)));
        nodes.integer("R").set(5);
        port.put(0, 0, 0, 0, 7);
        assertEquals(seen, nodes.integer("R").value());
    }

    @Test
    void aFailedWriteLeavesTheCacheAsItWas() {
        NodeMap nodes = load(register("R", 0, ""));
        nodes.integer("R").set(5);
        port.failing = true;
        assertThrows(GenApiException.class, () -> nodes.integer("R").set(6));
        assertEquals(5, nodes.integer("R").value());
    }

    @Test
    void aFailedReadSaysWhichNodeAndWhatTheDeviceSaid() {
        NodeMap nodes = load(register("R", 0, ""));
        port.failing = true;
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("R").value());
        assertEquals("Node R could not be read: the device does not answer", e.getMessage());
    }

    @Test
    void aBitIsChangedWithoutReadingWhatIsKnown() {
        NodeMap nodes = load("<MaskedIntReg Name=\"M\">" + at(0, 4)
                + "<Bit>3</Bit></MaskedIntReg><IntConverter Name=\"C\"><FormulaTo>FROM</FormulaTo>"
                + "<FormulaFrom>TO</FormulaFrom><pValue>M</pValue></IntConverter>"
                + "<Boolean Name=\"B\"><pValue>C</pValue></Boolean>");
        nodes.bool("B").value();
        assertEquals(1, port.reads);
        nodes.bool("B").value();
        assertEquals(1, port.reads);
        nodes.bool("B").set(true);
        assertEquals(1, port.reads);
        assertEquals(1, port.writes);
    }

    @Test
    void theFirstChangeOfABitReadsTheOthersOnce() {
        NodeMap nodes = load("<MaskedIntReg Name=\"M\">" + at(0, 4) + "<Bit>3</Bit></MaskedIntReg>");
        nodes.integer("M").set(1);
        assertEquals(1, port.reads);
        assertEquals(1, port.writes);
        nodes.integer("M").set(0);
        assertEquals(1, port.reads);
        assertEquals(2, port.writes);
    }

    @Test
    void registersThatOverlapDoNotKeepOldBytes() {
        NodeMap nodes = load(register("Whole", 0, "") + "<IntReg Name=\"Half\">" + at(2, 2)
                + "<Endianess>BigEndian</Endianess></IntReg>");
        nodes.integer("Whole").value();
        nodes.integer("Half").set(0x1234);
        assertEquals(0x1234, nodes.integer("Whole").value());
        nodes.integer("Whole").set(0x55667788);
        assertEquals(0x7788, nodes.integer("Half").value());
    }

    @Test
    void valuesOfDifferentSelectionsAreKeptApart() {
        NodeMap nodes = load(value("S", 0) + register("R", 0, "<pIndex Offset=\"4\">S</pIndex>"));
        port.put(0, 0, 0, 0, 1, 0, 0, 0, 2);
        assertEquals(1, nodes.integer("R").value());
        nodes.integer("S").set(1);
        assertEquals(2, nodes.integer("R").value());
    }

    @Test
    void invalidatorsReachThroughOthersAndEndInCircles() {
        NodeMap nodes = load(register("A", 0, "<pInvalidator>B</pInvalidator>")
                + register("B", 4, "<pInvalidator>C</pInvalidator>")
                + register("C", 8, "<pInvalidator>A</pInvalidator>"));
        nodes.integer("A").value();
        port.put(0, 0, 0, 0, 9);
        nodes.integer("C").set(1);
        assertEquals(9, nodes.integer("A").value());
        assertEquals(1, nodes.integer("C").value());
    }

    @Test
    void anInvalidatorOfThePortDropsEveryRegister() {
        String xml = register("A", 0, "") + register("Load", 8, "")
                + "<Port Name=\"Other\"><pInvalidator>Load</pInvalidator></Port>";
        NodeMap nodes = load(xml.replaceFirst("<pPort>Device", "<pPort>Other"));
        nodes.integer("A").value();
        port.put(0, 0, 0, 0, 9);
        nodes.integer("Load").set(1);
        assertEquals(9, nodes.integer("A").value());
    }

    @Test
    void aCommandInvalidatesWhatNamesIt() {
        NodeMap nodes = load(register("R", 0, "<pInvalidator>Load</pInvalidator>") + register("Trigger", 8, "")
                + "<Command Name=\"Load\"><pValue>Trigger</pValue><CommandValue>1</CommandValue></Command>");
        nodes.integer("R").value();
        port.put(0, 0, 0, 0, 9);
        nodes.command("Load").execute();
        assertEquals(9, nodes.integer("R").value());
    }

    @Test
    void pollingDropsWhatIsOldEnough() {
        NodeMap nodes = load(register("R", 0, "<PollingTime>1000</PollingTime>"));
        nodes.integer("R").value();
        nodes.poll(Duration.ofMillis(900));
        nodes.integer("R").value();
        assertEquals(1, port.reads);
        nodes.poll(Duration.ofMillis(200));
        nodes.integer("R").value();
        assertEquals(2, port.reads);
    }

    @Test
    void pollingCanBeBlocked() {
        NodeMap nodes = load(value("Busy", 1)
                + register("R", 0, "<PollingTime>1000</PollingTime><pBlockPolling>Busy</pBlockPolling>"));
        nodes.integer("R").value();
        nodes.poll(Duration.ofSeconds(2));
        nodes.integer("R").value();
        assertEquals(1, port.reads);
        nodes.integer("Busy").set(0);
        nodes.poll(Duration.ofSeconds(2));
        nodes.integer("R").value();
        assertEquals(2, port.reads);
    }

    @Test
    void invalidatingAnIntegerLeavesItsRegisterAlone() {
        NodeMap nodes = load(register("R", 0, "") + integer("I", "<pValue>R</pValue>"));
        nodes.integer("I").value();
        nodes.node("I").invalidate();
        nodes.integer("I").value();
        assertEquals(1, port.reads);
        nodes.node("R").invalidate();
        nodes.integer("I").value();
        assertEquals(2, port.reads);
    }

    @Test
    void refreshingAnIntegerReadsItsRegisterAgain() {
        NodeMap nodes = load(register("R", 0, "") + integer("I", "<pValue>R</pValue>"));
        nodes.integer("I").value();
        nodes.node("I").refresh();
        nodes.integer("I").value();
        assertEquals(2, port.reads);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Integer Name='V'><pIndex>One</pIndex><pValueIndexed Index='1'>R</pValueIndexed>"
                        + "<ValueDefault>0</ValueDefault></Integer>",
                "<Integer Name='V'><pIndex>One</pIndex><ValueIndexed Index='0'>0</ValueIndexed>"
                        + "<pValueDefault>R</pValueDefault></Integer>",
                "<Integer Name='V'><pIndex>R</pIndex><ValueIndexed Index='0'>5</ValueIndexed>"
                        + "<ValueDefault>0</ValueDefault></Integer>",
                "<IntSwissKnife Name='V'><pVariable Name='X'>R</pVariable><Formula>2 * X</Formula></IntSwissKnife>",
                "<IntConverter Name='V'><pVariable Name='X'>R</pVariable><FormulaTo>FROM - X</FormulaTo>"
                        + "<FormulaFrom>TO + X</FormulaFrom><pValue>One</pValue></IntConverter>",
                "<IntReg Name='V'><pAddress>R</pAddress><Length>4</Length><pPort>Device</pPort></IntReg>",
                "<IntReg Name='V'><Address>0</Address><pLength>Four</pLength><pPort>Device</pPort>"
                        + "<pIndex pOffset='R'>One</pIndex></IntReg><IntSwissKnife Name='Four'>"
                        + "<Formula>4</Formula></IntSwissKnife>",
                "<IntReg Name='V'><IntSwissKnife><pVariable Name='X'>R</pVariable><Formula>X</Formula></IntSwissKnife>"
                        + "<Length>4</Length><pPort>Device</pPort></IntReg>"
            })
    void refreshingForgetsAllThatTheValueIsMadeOf(String node) {
        NodeMap nodes = load(node + value("One", 1) + register("R", 64, ""));
        nodes.integer("V").value();
        assertTrue(nodes.node("R").valueCached());
        nodes.node("V").refresh();
        assertFalse(nodes.node("R").valueCached());
    }

    /** Two ways from each knife to the one below make more ways to the register than can be walked one by one. */
    @Test
    void refreshingComesToEachNodeOnce() {
        StringBuilder xml = new StringBuilder(register("K0", 0, ""));
        for (int i = 1; i <= 64; i++) {
            String below = ">K" + (i - 1) + "</pVariable>";
            xml.append("<IntSwissKnife Name=\"K" + i + "\"><pVariable Name=\"X\"" + below + "<pVariable Name=\"Y\""
                    + below + "<Formula>X + Y</Formula></IntSwissKnife>");
        }
        NodeMap nodes = load(xml.toString());
        nodes.integer("K0").value();
        nodes.node("K64").refresh();
        assertFalse(nodes.node("K0").valueCached());
    }

    @Test
    void pollingAFormulaReadsItsRegistersAgain() {
        NodeMap nodes = load(register("R", 0, "")
                + "<IntSwissKnife Name=\"K\"><pVariable Name=\"X\">R</pVariable><Formula>X</Formula>"
                + "<PollingTime>1000</PollingTime></IntSwissKnife>");
        nodes.integer("K").value();
        port.put(0, 0, 0, 0, 9);
        nodes.poll(Duration.ofSeconds(1));
        assertEquals(9, nodes.integer("K").value());
    }

    @Test
    void readingAheadTakesFewTransfersAndReadingThenNone() {
        StringBuilder many = new StringBuilder(register("Has", 400, ""));
        for (int i = 0; i < 50; i++) {
            many.append(register("R" + i, 4 * i, "<pIsImplemented>Has</pIsImplemented>"));
        }
        port.put(400, 0, 0, 0, 1);
        NodeMap nodes = load(many.toString());
        assertEquals(
                51,
                nodes.prefetch(nodes.nodes().stream()
                        .filter(IntegerNode.class::isInstance)
                        .toList()));
        assertEquals(2, port.bursts);
        for (int i = 0; i < 50; i++) {
            nodes.integer("R" + i).value();
        }
        assertEquals(0, port.reads);
    }

    @Test
    void readingAheadLeavesOutWhatIsNotImplemented() {
        NodeMap nodes = load(register("Has", 400, "") + register("R", 5000, "<pIsImplemented>Has</pIsImplemented>"));
        assertEquals(1, nodes.prefetch(List.of(nodes.node("R"))));
        assertEquals(AccessMode.NI, nodes.node("R").accessMode());
    }

    @Test
    void readingAheadLeavesOutWhatFailsAndFetchesTheRest() {
        NodeMap nodes = load(register("Bad", 5000, "") + register("Good", 0, ""));
        assertEquals(1, nodes.prefetch(List.of(nodes.node("Bad"), nodes.node("Good"))));
        assertThrows(GenApiException.class, () -> nodes.integer("Bad").value());
    }
}
