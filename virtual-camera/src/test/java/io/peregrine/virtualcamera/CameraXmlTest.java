package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class CameraXmlTest {
    @Test
    void everyReferenceHasANodeAndEveryNodeIsUsed() throws Exception {
        Document xml = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(CameraDevice.loadXml()));
        Set<String> names = new HashSet<>();
        Set<String> references = new TreeSet<>();
        int features = 0;
        NodeList elements = xml.getDocumentElement().getElementsByTagName("*");
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            String tag = element.getTagName();
            if (element.getParentNode() == xml.getDocumentElement()) {
                assertTrue(names.add(element.getAttribute("Name")), "twice: " + element.getAttribute("Name"));
            }
            if (tag.matches("p[A-Z].*")) {
                references.add(element.getTextContent());
            }
            if (tag.equals("pFeature")) {
                features++;
            }
        }
        Set<String> missing = new TreeSet<>(references);
        missing.removeAll(names);
        assertEquals(Set.of(), missing);
        names.removeAll(references);
        assertEquals(Set.of("Root"), names, "nodes that nothing refers to");
        assertTrue(features >= 100, "about a hundred features, not " + features);
    }
}
