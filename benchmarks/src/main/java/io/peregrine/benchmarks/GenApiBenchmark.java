package io.peregrine.benchmarks;

import io.peregrine.genapi.Description;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to load a device description, to make a second node map of it, and to read features from what is known:
 * an integer behind a register with a predicate, and a formula of four variables. Give the description by {@code -p
 * file=PATH}; without, it is one of two thousand registers made here.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class GenApiBenchmark {
    private static final String READ = "<Integer Name=\"BenchmarkYes\"><Value>1</Value></Integer>"
            + "<IntReg Name=\"BenchmarkReg\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
            + "<pPort>BenchmarkPort</pPort><Endianess>BigEndian</Endianess></IntReg>"
            + "<Integer Name=\"BenchmarkInteger\"><pIsAvailable>BenchmarkYes</pIsAvailable>"
            + "<pValue>BenchmarkReg</pValue></Integer>"
            + "<SwissKnife Name=\"BenchmarkKnife\"><pVariable Name=\"A\">BenchmarkReg</pVariable>"
            + "<pVariable Name=\"B\">BenchmarkYes</pVariable><Formula>(A > 5 ? A * 0.5 : A + B) / (B + 1.0)</Formula>"
            + "</SwissKnife><Port Name=\"BenchmarkPort\"/></RegisterDescription>";

    /** Path of a GenICam XML file. */
    @Param("")
    public String file;

    private byte[] xml;
    private Description description;
    private Port port;
    private IntegerNode integer;
    private FloatNode knife;

    /** Loads the description, with the nodes to be read added to it. */
    @Setup
    public void load() throws IOException {
        String text = file.isEmpty() ? made() : Files.readString(Path.of(file), StandardCharsets.UTF_8);
        int end = text.lastIndexOf("</RegisterDescription>");
        xml = (text.substring(0, end) + READ).getBytes(StandardCharsets.UTF_8);
        port = Port.memory(1 << 20);
        description = Description.parse(xml);
        NodeMap nodes = description.nodeMap(port);
        integer = nodes.integer("BenchmarkInteger");
        knife = nodes.floating("BenchmarkKnife");
    }

    private static String made() {
        StringBuilder text = new StringBuilder("<RegisterDescription>");
        for (int i = 0; i < 2000; i++) {
            text.append("<IntReg Name=\"R")
                    .append(i)
                    .append("\"><Description>A register</Description><Address>")
                    .append(4 * i)
                    .append("</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>BenchmarkPort</pPort>")
                    .append("<Endianess>BigEndian</Endianess></IntReg>");
        }
        return text.append("</RegisterDescription>").toString();
    }

    /** From the bytes of the XML to a node map. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public NodeMap loadXml() {
        return NodeMap.load(xml, port);
    }

    /** A further node map of a description that is parsed. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public NodeMap furtherNodeMap() {
        return description.nodeMap(port);
    }

    /** An integer whose register is known. */
    @Benchmark
    public long cachedInteger() {
        return integer.value();
    }

    /** A formula whose variables are known. */
    @Benchmark
    public double formula() {
        return knife.value();
    }
}
