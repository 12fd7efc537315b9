package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first load of a process, before anything is compiled: lambdas, streams, joined strings, regular expressions and
 * loggers each take as long at their first use as dozens of nodes.
 */
class FirstLoadTest {
    private static final String NODES = "<Category Name=\"Root\"><pFeature>I</pFeature></Category>"
            + "<Integer Name=\"I\"><ToolTip>a &gt; b</ToolTip><ImposedAccessMode>RO</ImposedAccessMode>"
            + "<pIsAvailable>B</pIsAvailable><pValue>R</pValue><Min>0x10</Min><pMax>K</pMax></Integer>"
            + "<Integer Name=\"Chosen\"><pIndex>E</pIndex><ValueIndexed Index=\"0\">1</ValueIndexed>"
            + "<pValueIndexed Index=\"1\">R</pValueIndexed><ValueDefault>0</ValueDefault></Integer>"
            + "<IntReg Name=\"R\"><Address>0x10</Address><pIndex Offset=\"4\">E</pIndex><Length>4</Length>"
            + "<AccessMode>RW</AccessMode><pPort>Device</pPort><Cachable>WriteAround</Cachable>"
            + "<PollingTime>1000</PollingTime><pInvalidator>B</pInvalidator><Sign>Signed</Sign></IntReg>"
            + "<MaskedIntReg Name=\"M\"><Address>8</Address><Length>4</Length><pPort>Device</pPort><LSB>0</LSB>"
            + "<MSB>3</MSB></MaskedIntReg>"
            + "<StructReg Comment=\"S\"><Address>12</Address><Length>4</Length><pPort>Device</pPort>"
            + "<StructEntry Name=\"S1\"><Bit>1</Bit></StructEntry></StructReg>"
            + "<Float Name=\"F\"><Value>0.5</Value><Min>-1e3</Min><Max>INF</Max><Unit>\u00b5s</Unit></Float>"
            + "<FloatReg Name=\"FR\"><Address>16</Address><Length>4</Length><pPort>Device</pPort></FloatReg>"
            + "<SwissKnife Name=\"SK\"><pVariable Name=\"X\">F</pVariable><Formula>X * 2</Formula></SwissKnife>"
            + "<IntSwissKnife Name=\"K\"><pVariable Name=\"X\">M</pVariable><Formula>X + 1</Formula></IntSwissKnife>"
            + "<Converter Name=\"C\"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>R</pValue>"
            + "<Slope>Increasing</Slope></Converter>"
            + "<Boolean Name=\"B\"><Value>true</Value><OnValue>1</OnValue><OffValue>0</OffValue></Boolean>"
            + "<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>0</Value></EnumEntry>"
            + "<EnumEntry Name=\"B\"><Value>1</Value><NumericValue>1.5</NumericValue></EnumEntry><Value>0</Value>"
            + "<pSelected>I</pSelected></Enumeration>"
            + "<Command Name=\"Start\"><pValue>R</pValue><CommandValue>1</CommandValue></Command>"
            + "<String Name=\"T\"><Value>text</Value></String>"
            + "<StringReg Name=\"TR\"><Address>32</Address><Length>16</Length><pPort>Device</pPort></StringReg>"
            + "<Register Name=\"Raw\"><Address>64</Address><Length>16</Length><pPort>Device</pPort></Register>"
            + "<Port Name=\"Chunk\"><ChunkID>1F</ChunkID></Port><Port Name=\"Event\"><EventID>9001</EventID></Port>";

    private static final String BEGIN = "the load begins";
    private static final String END = "the load has ended";

    /** What the other process runs. */
    static final class Loading {
        private Loading() {}

        public static void main(String[] arguments) throws IOException {
            byte[] xml = Files.readAllBytes(Path.of(arguments[0]));
            Port port = new MemoryPort(256);
            System.out.println(BEGIN);
            NodeMap nodes = NodeMap.load(xml, port);
            System.out.println(END);
            if (nodes.nodes().size() != 22 || !nodes.problems().isEmpty()) {
                throw new IllegalStateException(nodes + " " + nodes.problems());
            }
        }
    }

    @Test
    void theFirstLoadOfAProcessLinksNothingThatTakesLong(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("camera.xml"), Xml.description(NODES));
        List<String> command =
                ChildProcess.java(List.of("-Xlog:class+load"), Loading.class.getName(), List.of(file.toString()));

        List<String> loaded = ChildProcess.runToEnd(Duration.ofMinutes(1), command)
                .lines()
                .dropWhile(line -> !line.contains(BEGIN))
                .takeWhile(line -> !line.contains(END))
                .toList();

        assertEquals(
                1,
                loaded.stream()
                        .filter(line -> line.contains("genapi.NodeBuilder "))
                        .count());
        assertEquals(
                List.of(),
                loaded.stream()
                        .filter(line -> line.matches(
                                ".*(Lambda|java\\.lang\\.invoke|java\\.util\\.(stream|regex)|[Ll]ogger).*"))
                        .toList());
    }
}
