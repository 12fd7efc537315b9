package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@ExpectedWarning("A listener of node R failed")
class ChangeTest {
    private final CountingPort port = new CountingPort(4096);
    private final List<String> told = new ArrayList<>();

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    @Test
    void aListenerIsToldOnceForOneChange() {
        NodeMap nodes = load(register("R", 0, "") + integer("I", "<pValue>R</pValue>"));
        nodes.node("I").onChange(node -> told.add(node.name()));
        nodes.integer("I").set(3);
        assertEquals(List.of("I"), told);
    }

    @Test
    void aListenerSeesTheNewValue() {
        NodeMap nodes = load(register("R", 0, ""));
        List<Long> seen = new ArrayList<>();
        nodes.node("R").onChange(node -> seen.add(nodes.integer("R").value()));
        nodes.integer("R").set(3);
        assertEquals(List.of(3L), seen);
    }

    @Test
    void whatDependsOnAChangeIsToldToo() {
        NodeMap nodes = load(register("W", 0, "") + "<IntSwissKnife Name=\"K\"><pVariable Name=\"A\">W</pVariable>"
                + "<Formula>A*2</Formula></IntSwissKnife>" + integer("Max", "<Value>1</Value><pMax>K</pMax>"));
        nodes.node("K").onChange(node -> told.add(node.name()));
        nodes.node("Max").onChange(node -> told.add(node.name()));
        nodes.integer("W").set(3);
        assertEquals(List.of("K", "Max"), told.stream().sorted().toList());
    }

    @Test
    void severalChangesDoneTogetherAreToldOnceAfterAll() {
        NodeMap nodes = load(register("R", 0, ""));
        nodes.node("R").onChange(node -> told.add(node.name()));
        nodes.together(() -> {
            nodes.integer("R").set(1);
            nodes.integer("R").set(2);
            assertTrue(told.isEmpty());
        });
        assertEquals(List.of("R"), told);
    }

    @Test
    void aListenerCanTakeItselfAway() {
        NodeMap nodes = load(register("R", 0, ""));
        AtomicInteger calls = new AtomicInteger();
        Registration[] registration = new Registration[1];
        registration[0] = nodes.node("R").onChange(node -> {
            calls.incrementAndGet();
            registration[0].close();
        });
        nodes.integer("R").set(1);
        nodes.integer("R").set(2);
        assertEquals(1, calls.get());
    }

    @Test
    void aListenerThatFailsHindersNoOther() {
        NodeMap nodes = load(register("R", 0, ""));
        nodes.node("R").onChange(node -> {
            throw new IllegalStateException("on purpose");
        });
        nodes.node("R").onChange(node -> told.add(node.name()));
        nodes.integer("R").set(1);
        assertEquals(List.of("R"), told);
    }

    @Test
    void listenersRunOutsideTheLock() throws InterruptedException {
        NodeMap nodes = load(register("R", 0, "") + register("S", 4, ""));
        AtomicInteger other = new AtomicInteger();
        nodes.node("R").onChange(node -> {
            Thread thread = new Thread(() -> other.set((int) nodes.integer("S").value() + 1), "other");
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        nodes.integer("R").set(1);
        assertEquals(1, other.get());
    }

    @Test
    void anImposedModeIsAChange() {
        NodeMap nodes = load(register("R", 0, ""));
        nodes.node("R").onChange(node -> told.add(node.name()));
        nodes.node("R").imposeAccessMode(AccessMode.RO);
        assertEquals(List.of("R"), told);
    }

    @Test
    void aCommandIsToldWhenItIsExecutedAndWhenItIsDone() {
        NodeMap nodes = load(register("R", 0, "")
                + "<Command Name=\"C\"><pValue>R</pValue><CommandValue>1</CommandValue></Command>");
        nodes.node("C").onChange(node -> told.add(node.name()));
        nodes.command("C").execute();
        assertEquals(1, told.size());
        assertFalse(nodes.command("C").isDone());
        assertEquals(1, told.size());
        port.put(0, 0, 0, 0, 0);
        assertTrue(nodes.command("C").isDone());
        assertTrue(nodes.command("C").isDone());
        assertEquals(2, told.size());
    }

    @Test
    void aFrameWithChunksIsAChangeOfItsFeatures() {
        NodeMap nodes = load("<IntReg Name=\"Chunk\"><Address>0</Address><Length>4</Length><pPort>P</pPort></IntReg>"
                + "<Port Name=\"P\"><ChunkID>1</ChunkID></Port>");
        nodes.node("Chunk").onChange(node -> told.add(node.name()));
        nodes.attachChunks(ByteBuffer.allocate(0));
        assertEquals(List.of("Chunk"), told);
    }

    @Test
    void anEventConnectsItsPortAndTellsItsNodes() {
        NodeMap nodes = load("<IntReg Name=\"Line\"><Address>2</Address><Length>2</Length><AccessMode>RO</AccessMode>"
                + "<pPort>P</pPort><Endianess>BigEndian</Endianess></IntReg>"
                + "<Port Name=\"P\"><EventID>9001</EventID></Port>");
        nodes.node("Line").onChange(node -> told.add(node.name()));
        assertEquals(AccessMode.NI, nodes.node("Line").accessMode());
        assertFalse(nodes.deliverEvent(0x9002, ByteBuffer.allocate(4)));
        assertTrue(nodes.deliverEvent(0x9001, ByteBuffer.wrap(new byte[] {0, 0, 1, 2})));
        assertEquals(0x102, nodes.integer("Line").value());
        assertEquals(List.of("Line"), told);
    }

    @Test
    void aNodeWithAnEventForgetsItsValueWhenTheEventComes() {
        NodeMap nodes = load(register("R", 0, "<EventID>9001</EventID>"));
        nodes.integer("R").value();
        nodes.deliverEvent(0x9001, ByteBuffer.allocate(0));
        nodes.integer("R").value();
        assertEquals(2, port.reads);
    }

    @Test
    void theValueOfACommandIsAskedForEachTime() {
        NodeMap nodes = load(register("R", 0, "") + value("V", 5)
                + "<Command Name=\"C\"><pValue>R</pValue><pCommandValue>V</pCommandValue></Command>");
        nodes.command("C").execute();
        assertEquals(5, port.get(0, 4)[3]);
        nodes.integer("V").set(6);
        nodes.command("C").execute();
        assertEquals(6, port.get(0, 4)[3]);
    }

    @Test
    void aCommandThatCannotBeReadIsAlwaysDone() {
        NodeMap nodes = load("<IntReg Name=\"R\"><Address>0</Address><Length>4</Length><AccessMode>WO</AccessMode>"
                + "<pPort>Device</pPort></IntReg>"
                + "<Command Name=\"C\"><pValue>R</pValue><CommandValue>1</CommandValue></Command>");
        nodes.command("C").execute();
        assertTrue(nodes.command("C").isDone());
        assertEquals(0, port.reads);
    }

    @Test
    void whoeverWritesIsToldAndNotWhatIsWrittenForItsSake() {
        NodeMap nodes = load(register("R", 0, "") + integer("I", "<pValue>R</pValue>"));
        nodes.onWrite(node -> told.add(node.name()));
        nodes.integer("I").set(3);
        assertEquals(List.of("I"), told);
    }

    @Test
    void aListenerToWritesSeesTheNewValueBeforeTheNextWrite() {
        NodeMap nodes = load(register("R", 0, ""));
        List<Long> seen = new ArrayList<>();
        nodes.onWrite(node -> seen.add(nodes.integer("R").value()));
        nodes.together(() -> {
            nodes.integer("R").set(1);
            nodes.integer("R").set(2);
        });
        assertEquals(List.of(1L, 2L), seen);
    }

    @Test
    void aWriteThatFailsIsNotTold() {
        NodeMap nodes = load(integer("I", "<Value>1</Value><Max>3</Max>"));
        Registration registration = nodes.onWrite(node -> told.add(node.name()));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(4));
        assertEquals(List.of(), told);
        nodes.integer("I").set(2);
        registration.close();
        nodes.integer("I").set(3);
        assertEquals(List.of("I"), told);
    }
}
