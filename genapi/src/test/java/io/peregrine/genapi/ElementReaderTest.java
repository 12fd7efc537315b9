package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements are read as the parser of the JDK reads them. */
class ElementReaderTest {
    /** What was read, to be compared. */
    private record Read(String name, Map<String, String> attributes, String text, List<Read> children) {
        static Read of(Element element) {
            Map<String, String> attributes = new HashMap<>();
            String[] pairs = element.attributes();
            for (int i = 0; i < pairs.length; i += 2) {
                attributes.put(pairs[i], pairs[i + 1]);
            }
            return new Read(
                    element.name(),
                    attributes,
                    element.raw(),
                    Arrays.stream(element.children()).map(Read::of).toList());
        }
    }

    private static Element element(String xml) {
        Encoding document = Encoding.of(xml.getBytes(StandardCharsets.UTF_8));
        return ElementReader.read(document, 0, document.text().length);
    }

    private static Read ours(String xml) {
        return Read.of(element(xml));
    }

    private static Read theirs(String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLReporter((message, type, information, location) -> {});
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
        while (!reader.isStartElement()) {
            reader.next();
        }
        return read(reader);
    }

    private static Read read(XMLStreamReader reader) throws XMLStreamException {
        String name = local(reader.getLocalName());
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.putIfAbsent(local(reader.getAttributeLocalName(i)), reader.getAttributeValue(i));
        }
        List<Read> children = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        while (reader.next() != XMLStreamReader.END_ELEMENT) {
            if (reader.isStartElement()) {
                children.add(read(reader));
            } else if (reader.isCharacters()) {
                text.append(reader.getText());
            }
        }
        return new Read(name, attributes, children.isEmpty() ? text.toString() : "", children);
    }

    private static String local(String name) {
        return name.substring(name.indexOf(':') + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<A/>",
                "<A></A >",
                "<?xml version=\"1.0\"?><!-- a - comment --><?pi some > thing?><A><B/></A><junk",
                "<a:A xmlns:a='urn:x' a:N=\"1\" M = '2'  K\t=\n\"3\"/>",
                "<A N=\"a&lt;b&amp;&quot;&apos;'&#65;&#x1F600;\" M='\"'/>",
                "<A N=\"two\r\nlines\tand\na tab\"/>",
                "<A>text &gt; &#10;&#xA;&#13; \r\nline\rline</A>",
                "<A>one<!-- in between -->two<![CDATA[<three> & ]] >]]>four<?five?>six</A>",
                "<A><![CDATA[]]></A>",
                "<A><![CDATA[a\r\nb\rc]]></A>",
                "<A> <B> blanks </B> &amp; dropped <C/> </A>",
                "<A>\u00e4\u20ac\ud83d\ude00<B\u00e4.-_9/></A>",
                "<A>a > b ]] c</A>",
                "<A><B><C><D>deep</D></C></B><B>again</B></A>"
            })
    void whatIsWellFormedIsReadAsByTheJdk(String xml) throws XMLStreamException {
        assertEquals(theirs(xml), ours(xml));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<A",
                "<A>",
                "<A><B></A></B>",
                "<A></AB>",
                "<A></ A>",
                "<AB></A>",
                "</A>",
                "< A/>",
                "<1A/>",
                "<-A/>",
                "<A N/>",
                "<A N=1/>",
                "<A N=\"1\"M=\"2\"/>",
                "<A N=\"1/>",
                "<A N='<'/>",
                "<A / >",
                "<A>&unknown;</A>",
                "<A>&amp</A>",
                "<A>& b</A>",
                "<A>&#xD800;</A>",
                "<A>&#x110000;</A>",
                "<A>&#;</A>",
                "<A N='&unknown;'/>",
                "<A><B/>&unknown;</A>",
                "<A><!-- open </A>",
                "<A><![CDATA[ open </A>",
                "<A><!ELEMENT B></A>",
                "<?open <A/>",
                "<!-- c -->text<A/>",
                "<![CDATA[x]]><A/>"
            })
    void whatIsNotWellFormedIsRefused(String xml) {
        assertThrows(XMLStreamException.class, () -> theirs(xml));
        GenApiException e = assertThrows(GenApiException.class, () -> ours(xml));
        assertTrue(e.getMessage().contains("not well-formed"), e.getMessage());
    }

    @Test
    void theLineOfAnErrorIsNamed() {
        GenApiException e = assertThrows(GenApiException.class, () -> ours("<A>\n<B>\n</A>"));
        assertTrue(e.getMessage().endsWith("the end tag is not that of B in line 3"), e.getMessage());
    }

    @Test
    void documentTypesAreRefused() {
        GenApiException e = assertThrows(GenApiException.class, () -> ours("<!DOCTYPE A><A/>"));
        assertTrue(e.getMessage().contains("DOCTYPE"), e.getMessage());
    }

    @Test
    void depthIsBounded() {
        assertEquals("A", ours("<A>".repeat(64) + "</A>".repeat(64)).name());
        assertThrows(GenApiException.class, () -> ours("<A>".repeat(65) + "</A>".repeat(65)));
    }

    @Test
    void attributesAreBounded() {
        assertEquals(64, ours("<A" + attributes(64) + "/>").attributes().size());
        assertThrows(GenApiException.class, () -> ours("<A" + attributes(65) + "/>"));
    }

    private static String attributes(int count) {
        return IntStream.range(0, count).mapToObj(i -> " a" + i + "=''").collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<A\u0001N='a\u0000b'>a\u0001b</A>",
                "<A N='a&#31;b'>a<![CDATA[\u0002]]>b</A>",
                "<A N='a b'><!-- \u0003 -->a&#x1;b</A>"
            })
    void controlCharactersAreBlanks(String xml) {
        Element read = element(xml);
        assertEquals("a b", read.raw().replaceAll(" +", " "));
        assertEquals("a b", String.valueOf(read.attributeOrNull("N")).replaceAll(" +", " "));
    }

    @Test
    void namesAreThoseOfXml() {
        GenApiException e = assertThrows(GenApiException.class, () -> ours("<A\u00b0/>"));
        assertTrue(e.getMessage().contains("not well-formed"), e.getMessage());
    }

    @Test
    void equalTextsAreOneString() {
        Element root = element("<A><B>same text</B><B>same text</B><B><![CDATA[same text]]></B></A>");
        assertEquals(
                1,
                Arrays.stream(root.children())
                        .map(child -> System.identityHashCode(child.raw()))
                        .distinct()
                        .count());
    }

    /** To find each would take as many steps as there are others. */
    @Test
    void textsOfOneHashAreAllReadAndTheLastOfManyNotSearchedFor() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 4096; i++) {
            texts.add(Integer.toBinaryString(4096 + i).replace("0", "Aa").replace("1", "BB"));
        }
        assertEquals(1, texts.stream().map(String::hashCode).distinct().count());
        String last = texts.get(texts.size() - 1);
        texts.add(last);
        Element[] read =
                element("<A><B>" + String.join("</B><B>", texts) + "</B></A>").children();
        assertEquals(texts, Arrays.stream(read).map(Element::raw).toList());
        assertNotSame(read[texts.size() - 2].raw(), read[texts.size() - 1].raw());
    }

    @Test
    void randomDocumentsAreReadAsByTheJdkOrRefusedByBoth() throws XMLStreamException {
        Random random = new Random(4711);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            String xml = document(random);
            Read expected;
            try {
                expected = theirs(xml);
            } catch (XMLStreamException e) {
                continue;
            }
            assertEquals(expected, ours(xml), xml);
            read++;
        }
        assertTrue(read > 2_000, "well-formed documents: " + read);
    }

    private static final List<String> PIECES = List.of(
            "<A>",
            "</A>",
            "<B x='1'>",
            "</B>",
            "<C/>",
            "<p:D p:y=\"a\nb\">",
            "</p:D>",
            "text",
            " ",
            "\r\n",
            "&lt;",
            "&#65;",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?p",
            "?>",
            "\"",
            "'",
            "=",
            "/",
            ">");

    private static String document(Random random) {
        StringBuilder xml = new StringBuilder("<R>");
        for (int i = random.nextInt(10); i > 0; i--) {
            int picked = random.nextInt(PIECES.size() + 12);
            xml.append(
                    switch (picked - PIECES.size()) {
                        case 0, 1, 2 -> "<A>" + PIECES.get(random.nextInt(12)) + "</A>";
                        case 3, 4, 5 -> "<B x='1'>text</B>";
                        case 6, 7 -> "<![CDATA[" + PIECES.get(random.nextInt(12)) + "]]>";
                        case 8, 9 -> "<!-- c -->";
                        case 10 -> "<?p q?>";
                        case 11 -> "text";
                        default -> PIECES.get(picked);
                    });
        }
        return xml.append("</R>").toString();
    }
}
