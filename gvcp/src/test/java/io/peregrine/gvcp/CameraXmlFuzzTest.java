package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

class CameraXmlFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void understandsOrRejectsAnyUrl(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        try {
            CameraXmlUrl url = CameraXmlUrl.parse(text);
            assertTrue(url.lengthBytes() <= 64 << 20);
        } catch (GvcpException e) {
            assertTrue(e.getMessage().contains(text.strip()) || !text.isEmpty());
        }
        try {
            assertTrue(CameraXmlUrl.parse("Local:" + text).lengthBytes() > 0);
        } catch (GvcpException e) {
            assertTrue(e.getMessage().contains("Local:"));
        }
    }

    @FuzzTest(maxDuration = "60s")
    void unpacksOrRejectsAnyArchive(byte[] bytes) {
        byte[] archive = new byte[bytes.length + 4];
        archive[0] = 'P';
        archive[1] = 'K';
        archive[2] = 3;
        archive[3] = 4;
        System.arraycopy(bytes, 0, archive, 4, bytes.length);
        try {
            assertTrue(CameraXml.unpack(archive, "fuzz", new CameraXml.Limit("the limit", 1 << 20)).length > 0);
        } catch (GvcpException e) {
            assertTrue(e.getMessage().contains("fuzz"));
        }
    }
}
