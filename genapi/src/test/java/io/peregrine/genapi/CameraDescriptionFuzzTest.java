package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.code_intelligence.jazzer.junit.FuzzTest;

class CameraDescriptionFuzzTest {

    @FuzzTest(maxDuration = "120s")
    void anyDescriptionEndsInANodeMapOrInOneKindOfError(byte[] xml) {
        NodeMap nodes;
        try {
            nodes = NodeMap.load(xml, new MemoryPort(65536));
        } catch (GenApiException e) {
            return;
        }
        for (Node node : nodes.nodes()) {
            try {
                if (node.accessMode().readable()) {
                    assertNotNull(node.valueAsText());
                }
            } catch (GenApiException e) {
                assertNotNull(e.getMessage(), "a node that cannot be used says why");
            }
        }
    }
}
