package io.peregrine.genapi;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the XML of a camera description into elements. Names count without their namespace. A document type is refused,
 * nesting and number of elements are bounded, and what surrounds the document (a byte order mark, junk, padding) is cut
 * off first.
 */
final class DescriptionParser {
    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_ELEMENTS = 2_000_000;

    private DescriptionParser() {}

    static Element parse(byte[] xml) {
        if (xml.length > MAX_BYTES) {
            throw new GenApiException("The camera description has " + xml.length + " bytes: at most " + MAX_BYTES);
        }
        int start = 0;
        while (start < xml.length && !startsDocument(xml, start)) {
            start++;
        }
        int end = xml.length;
        while (end > start && xml[end - 1] != '>') {
            end--;
        }
        if (start >= end) {
            throw new GenApiException("The camera description holds no XML");
        }
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // The JDK's parser would print what it throws as well.
        factory.setXMLReporter((message, type, information, location) -> {});
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(xml, start, end - start));
            return read(reader);
        } catch (XMLStreamException | IllegalArgumentException e) {
            throw new GenApiException("The camera description is not well-formed XML: " + e.getMessage(), e);
        }
    }

    private static boolean startsDocument(byte[] xml, int at) {
        if (xml[at] != '<' || at + 1 >= xml.length) {
            return false;
        }
        byte next = xml[at + 1];
        // A comment before the declaration is junk that tools leave; one inside does not matter here.
        return next == '?' || (next == '!' && at + 2 < xml.length && xml[at + 2] == 'D') || Character.isLetter(next);
    }

    private static Element read(XMLStreamReader reader) throws XMLStreamException {
        Deque<Element> open = new ArrayDeque<>();
        Deque<StringBuilder> texts = new ArrayDeque<>();
        int count = 0;
        while (true) {
            switch (next(reader)) {
                case XMLStreamConstants.DTD ->
                    throw new GenApiException("The camera description has a DOCTYPE, which is refused");
                case XMLStreamConstants.START_ELEMENT -> {
                    count++;
                    if (count > MAX_ELEMENTS || open.size() >= MAX_DEPTH) {
                        throw new GenApiException(
                                "The camera description is larger or nested deeper than any real one");
                    }
                    Map<String, String> attributes = new HashMap<>();
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                    }
                    open.push(new Element(reader.getLocalName(), attributes, "", new ArrayList<>()));
                    texts.push(new StringBuilder());
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (!texts.isEmpty()) {
                        texts.peek().append(reader.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    Element ended = open.pop();
                    Element whole = new Element(
                            ended.name(),
                            Map.copyOf(ended.attributes()),
                            texts.pop().toString().strip(),
                            List.copyOf(ended.children()));
                    if (open.isEmpty()) {
                        return whole;
                    }
                    open.peek().children().add(whole);
                }
                default -> {}
            }
        }
    }

    private static int next(XMLStreamReader reader) throws XMLStreamException {
        try {
            return reader.next();
        } catch (RuntimeException e) {
            // The JDK's parser lacks texts for some of its own errors, inside a DOCTYPE for example.
            throw new XMLStreamException("the XML parser failed: " + e.getMessage(), e);
        }
    }
}
