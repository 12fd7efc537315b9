package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands (R18). */
class CommandTest {
    private final CountingPort port = new CountingPort(4096);
    private final AtomicInteger told = new AtomicInteger();

    private NodeMap load(String nodes) {
        NodeMap map = NodeMap.load(Xml.description(nodes), port);
        map.node("C").onChange(node -> told.incrementAndGet());
        return map;
    }

    private static String command(String inside) {
        return "<Command Name=\"C\">" + inside + "</Command>";
    }

    private static final String LINKED = "<pValue>V</pValue><pCommandValue>Value</pCommandValue>";

    private static final String PARTS = value("V", 0) + value("Value", 42);

    @Test
    void aListenerIsToldOfExecutionChangeAndCompletionOnceEach() {
        NodeMap nodes = load(command(LINKED) + PARTS);
        assertTrue(nodes.command("C").isDone());
        assertEquals(0, told.get());
        nodes.command("C").execute();
        assertEquals(1, told.get());
        assertFalse(nodes.command("C").isDone());
        assertEquals(1, told.get());
        nodes.integer("V").set(0);
        assertEquals(2, told.get());
        assertTrue(nodes.command("C").isDone());
        assertEquals(3, told.get());
    }

    /** As in the reference: registers that keep what was written, such as AcquisitionStop of 0, are no order. */
    @Test
    void aCommandThatWasNotExecutedIsDone() {
        NodeMap nodes = load(register("R", 0, "") + command("<pValue>R</pValue><CommandValue>0</CommandValue>"));
        assertTrue(nodes.command("C").isDone());
        nodes.command("C").execute();
        assertFalse(nodes.command("C").isDone());
    }

    @Test
    void aCommandThatCannotBeReadIsDoneAtOnceAndSilently() {
        NodeMap nodes = load(command("<ImposedAccessMode>WO</ImposedAccessMode>" + LINKED) + PARTS);
        nodes.command("C").execute();
        assertEquals(1, told.get());
        assertTrue(nodes.command("C").isDone());
        assertEquals(1, told.get());
    }

    private static final String INDEXED = command("<pValue>V</pValue><CommandValue>1</CommandValue>")
            + integer(
                    "V",
                    "<pIndex>One</pIndex><pValueIndexed Index=\"1\">R</pValueIndexed><ValueDefault>0</ValueDefault>")
            + value("One", 1)
            + register("R", 0, "");

    @Test
    void aCommandBehindAnIndexIsDoneWhenItsRegisterSaysSo() {
        NodeMap nodes = load(INDEXED);
        nodes.command("C").execute();
        assertFalse(nodes.command("C").isDone());
        port.put(0, 0, 0, 0, 0);
        assertTrue(nodes.command("C").isDone());
    }

    @Test
    void aCommandBehindAnIndexMakesWhatItsRegisterInvalidatesForgetWhenItIsDone() {
        NodeMap nodes = load(INDEXED + register("Balance", 4, "<pInvalidator>R</pInvalidator>"));
        nodes.command("C").execute();
        assertEquals(0, nodes.integer("Balance").value());
        port.put(0, 0, 0, 0, 0, 0, 0, 0, 9);
        assertTrue(nodes.command("C").isDone());
        assertEquals(9, nodes.integer("Balance").value());
    }

    @Test
    void onlyARunningCommandIsPolled() {
        NodeMap nodes = load(command(LINKED + "<PollingTime>1000</PollingTime>") + PARTS);
        nodes.poll(Duration.ofSeconds(5));
        assertEquals(0, told.get());
        nodes.command("C").execute();
        nodes.poll(Duration.ofMillis(500));
        assertEquals(1, told.get());
        nodes.poll(Duration.ofMillis(500));
        assertEquals(2, told.get());
    }

    @Test
    void aCommandThatCannotBeReadIsNotPolled() {
        NodeMap nodes =
                load(command("<ImposedAccessMode>WO</ImposedAccessMode>" + LINKED + "<PollingTime>1000</PollingTime>")
                        + PARTS);
        nodes.command("C").execute();
        nodes.poll(Duration.ofSeconds(5));
        assertEquals(1, told.get());
    }

    @Test
    void aCommandIsOneWhileItRunsAndZeroWhenItIsDone() {
        NodeMap nodes = load(register("R", 0, "") + command("<pValue>R</pValue><CommandValue>0x4321</CommandValue>"));
        assertEquals("0", nodes.node("C").valueAsText());
        nodes.node("C").setFromText("1");
        assertEquals("1", nodes.node("C").valueAsText());
        assertEquals(0x43, port.get(0, 4)[2]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "foo", "42", ""})
    void aTextThatIsNoOrderIsRefused(String text) {
        NodeMap nodes = load(command(LINKED) + PARTS);
        assertThrows(GenApiRangeException.class, () -> nodes.node("C").setFromText(text));
        assertEquals(0, told.get());
    }

    @Test
    void aCommandWithoutDeviceIsDoneAtOnce() {
        NodeMap nodes = load(command("<Value>0</Value><CommandValue>1</CommandValue>"));
        nodes.command("C").execute();
        assertTrue(nodes.command("C").isDone());
        assertEquals(1, told.get());
    }

    @Test
    void aLockedCommandThatIsWriteOnlyIsNotAvailable() {
        NodeMap nodes = load(command("<pIsLocked>Lock</pIsLocked><ImposedAccessMode>WO</ImposedAccessMode>" + LINKED)
                + PARTS
                + value("Lock", 1));
        assertEquals(AccessMode.NA, nodes.node("C").accessMode());
        assertThrows(GenApiAccessException.class, () -> nodes.command("C").execute());
    }

    @Test
    void aCommandNeedsItsValue() {
        NodeMap nodes = load(command(LINKED)
                + value("V", 0)
                + integer(
                        "Value",
                        "<pIsImplemented>Impl</pIsImplemented><pIsAvailable>Avail</pIsAvailable><Value>42</Value>")
                + value("Impl", 1)
                + value("Avail", 0));
        assertEquals(AccessMode.NA, nodes.node("C").accessMode());
        nodes.integer("Impl").set(0);
        assertEquals(AccessMode.NI, nodes.node("C").accessMode());
    }

    @Test
    void aCommandWhoseValueCannotBeReadIsNotExecuted() {
        NodeMap nodes = load(command(LINKED)
                + value("V", 0)
                + integer("Value", "<ImposedAccessMode>WO</ImposedAccessMode><Value>42</Value>"));
        assertThrows(GenApiAccessException.class, () -> nodes.command("C").execute());
        assertEquals(0, nodes.integer("V").value());
    }

    @Test
    void aReadOnlyCommandIsNotExecuted() {
        NodeMap nodes = load(command("<ImposedAccessMode>RO</ImposedAccessMode>" + LINKED) + PARTS);
        assertThrows(GenApiAccessException.class, () -> nodes.command("C").execute());
    }

    @Test
    void aCommandMakesRegistersBehindItForget() {
        NodeMap nodes = load(register("Binning", 4, "<pInvalidator>Load</pInvalidator>")
                + register("Load", 8, "<Cachable>NoCache</Cachable>")
                + command("<pValue>Load</pValue><CommandValue>42</CommandValue>"));
        nodes.integer("Binning").value();
        port.put(4, 0, 0, 0, 7);
        nodes.command("C").execute();
        assertEquals(7, nodes.integer("Binning").value());
    }
}
