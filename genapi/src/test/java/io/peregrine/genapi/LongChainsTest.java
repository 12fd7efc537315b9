package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chains of nodes far longer than real ones (19 links), which the reference follows; and how much work is allowed. */
@Timeout(60)
class LongChainsTest {
    private static final int LENGTH = 3_000;

    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String chain(String element, String link, String inside) {
        StringBuilder xml = new StringBuilder();
        for (int i = 1; i <= LENGTH; i++) {
            xml.append("<" + element + " Name=\"N" + i + "\">" + String.format(Locale.ROOT, link, "N" + (i - 1))
                    + inside + "</" + element + ">");
        }
        return xml.toString();
    }

    private static final String TOP = "N" + LENGTH;
    private static final String INTEGERS = register("N0", 0, "") + chain("Integer", "<pValue>%s</pValue>", "");

    /** With so little stack that following the chain on it would end it. */
    private static void onSmallStack(Runnable test) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, test, "small stack", 200_000);
        thread.setUncaughtExceptionHandler((failed, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    @Test
    void aChainOfIntegersIsReadAndWritten() throws InterruptedException {
        NodeMap nodes = load(INTEGERS);
        assertEquals(List.of(), nodes.problems());
        onSmallStack(() -> {
            port.put(0, 0, 0, 0, 7);
            assertEquals(AccessMode.RW, nodes.node(TOP).accessMode());
            assertEquals(7, nodes.integer(TOP).value());
            nodes.integer(TOP).set(9);
            assertEquals(9, port.get(0, 4)[3]);
            assertEquals(0xFFFF_FFFFL, nodes.integer(TOP).max());
            assertEquals(1, nodes.integer(TOP).increment());
            assertEquals(CachingMode.WRITE_THROUGH, nodes.node(TOP).cachingMode());
            assertTrue(nodes.node(TOP).valueCached());
        });
    }

    @Test
    void aChangeAtTheEndOfAChainIsSeenAtItsTop() {
        NodeMap nodes = load(INTEGERS);
        List<Long> seen = new ArrayList<>();
        nodes.node(TOP).onChange(node -> seen.add(((IntegerNode) node).value()));
        nodes.integer("N0").set(5);
        assertEquals(List.of(5L), seen);
        port.put(0, 0, 0, 0, 6);
        nodes.node(TOP).refresh();
        assertEquals(6, nodes.integer(TOP).value());
    }

    @Test
    void aChainOfFloatsEnumerationsAndTextsIsRead() throws InterruptedException {
        NodeMap floats = load("<FloatReg Name=\"N0\">" + at(0, 4) + "</FloatReg>"
                + chain("Float", "<pValue>%s</pValue>", "<Unit>us</Unit>"));
        NodeMap knives = load(value("N0", 1)
                + chain("IntSwissKnife", "<pVariable Name=\"X\">%s</pVariable>", "<Formula>X + 1</Formula>"));
        NodeMap texts = load(
                "<StringReg Name=\"N0\">" + at(16, 8) + "</StringReg>" + chain("String", "<pValue>%s</pValue>", ""));
        NodeMap converters = load(integer("N0", "<Value>1</Value><Max>" + Integer.MAX_VALUE + "</Max>")
                + chain(
                        "IntConverter",
                        "<FormulaTo>FROM - 1</FormulaTo><FormulaFrom>TO + 1</FormulaFrom><pValue>%s</pValue>",
                        "<Slope>Increasing</Slope>"));
        onSmallStack(() -> {
            floats.floating(TOP).set(2.5);
            assertEquals(2.5, floats.floating(TOP).value());
            assertEquals(LENGTH + 1, knives.integer(TOP).value());
            texts.string(TOP).set("abc");
            assertEquals("abc", texts.string(TOP).value());
            assertEquals(LENGTH + 1, converters.integer(TOP).value());
            assertEquals(
                    (long) LENGTH + Integer.MAX_VALUE, converters.integer(TOP).max());
        });
    }

    @Test
    void aChainOfConditionsIsFollowed() throws InterruptedException {
        NodeMap nodes = load(value("N0", 1) + chain("Integer", "<pIsAvailable>%s</pIsAvailable>", "<Value>1</Value>"));
        onSmallStack(() -> {
            assertEquals(AccessMode.RW, nodes.node(TOP).accessMode());
            nodes.integer("N0").set(0);
            assertEquals(AccessMode.NA, nodes.node("N1").accessMode());
            assertFalse(nodes.node("N2").readable());
        });
    }

    @Test
    void aChainOfConditionsOfAnEntryIsFollowed() throws InterruptedException {
        NodeMap nodes = load(INTEGERS + entry("<pIsAvailable>" + TOP + "</pIsAvailable>"));
        onSmallStack(() -> assertEquals(List.of(), nodes.enumeration("E").symbols()));
    }

    /** The name of the entry is taken, so that it is reached through its enumeration alone. */
    @Test
    void whatEndsTheStackAllTheSameIsGivenUp() throws InterruptedException {
        NodeMap nodes = load(INTEGERS + value("EnumEntry_E_A", 1) + entry("<pIsAvailable>" + TOP + "</pIsAvailable>"));
        Node entry = nodes.enumeration("E").entries().get(0);
        onSmallStack(() -> assertThrows(GivenUpException.class, entry::accessMode));
    }

    private static String entry(String condition) {
        return "<Enumeration Name=\"E\"><EnumEntry Name=\"A\">" + condition
                + "<Value>0</Value></EnumEntry><Value>0</Value></Enumeration>";
    }

    @Test
    void aChainCanBeUsedInsideAGroupOfOperations() {
        NodeMap nodes = load(INTEGERS);
        List<Long> seen = new ArrayList<>();
        nodes.node(TOP).onChange(node -> seen.add(((IntegerNode) node).value()));
        nodes.together(() -> {
            nodes.integer(TOP).set(1);
            nodes.integer(TOP).set(2);
            assertEquals(List.of(), seen);
        });
        assertEquals(List.of(2L), seen);
    }

    @Test
    void aChainIsFetchedAhead() {
        NodeMap nodes = load(INTEGERS);
        assertEquals(1, nodes.prefetch(List.of(nodes.node(TOP))));
        assertEquals(1, port.bursts);
    }

    @Test
    void anErrorAtTheEndOfAChainReachesTheCaller() {
        NodeMap nodes = load(INTEGERS);
        port.failing = true;
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer(TOP).value());
        assertTrue(e.getMessage().contains("N0"), e.getMessage());
    }

    @Test
    void aChainInterruptedIsFinishedAndTheInterruptKept() {
        NodeMap nodes = load(INTEGERS);
        Thread.currentThread().interrupt();
        assertEquals(0, nodes.integer(TOP).value());
        assertTrue(Thread.interrupted());
    }

    // ---- Work

    /** Each of its limits needs both of those below it. */
    @Test
    void limitsOfAChainOfConvertersAreFoundInOnePass() {
        StringBuilder xml = new StringBuilder(integer("C0", "<Value>1</Value><Min>0</Min><Max>8</Max>"));
        for (int i = 1; i <= 100; i++) {
            xml.append(
                    "<IntConverter Name=\"C" + i + "\"><FormulaTo>FROM - 1</FormulaTo><FormulaFrom>TO + 1</FormulaFrom>"
                            + "<pValue>C" + (i - 1) + "</pValue></IntConverter>");
        }
        NodeMap nodes = load(xml.toString());
        assertEquals(100, nodes.integer("C100").min());
        assertEquals(108, nodes.integer("C100").max());
        nodes.integer("C100").set(105);
        assertEquals(5, nodes.integer("C0").value());
    }

    @Test
    void operationsOfAGroupHaveTheirLimitsOneByOne() {
        NodeMap nodes = load(value("A", 1)
                + "<IntSwissKnife Name=\"K\"><pVariable Name=\"X\">A</pVariable><Formula>" + "X+".repeat(9_999)
                + "X</Formula></IntSwissKnife>");
        nodes.together(() -> {
            for (int i = 0; i < 300; i++) {
                assertEquals(10_000, nodes.integer("K").value());
            }
        });
    }

    @Test
    void operationsOfAListenerHaveTheirOwnLimits() {
        NodeMap nodes = load(value("A", 1) + value("B", 1)
                + "<IntSwissKnife Name=\"K\"><pVariable Name=\"X\">A</pVariable><Formula>" + "X+".repeat(9_999)
                + "X</Formula></IntSwissKnife>");
        List<Long> values = new ArrayList<>();
        nodes.node("B").onChange(node -> {
            for (int i = 0; i < 300; i++) {
                values.add(nodes.integer("K").value());
            }
        });
        nodes.integer("B").set(2);
        assertEquals(300, values.size());
    }
}
