package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.distribution.Announcement.Brief;
import io.peregrine.distribution.Announcement.Description;
import io.peregrine.recording.Camera;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class AnnouncementTest {
    /** Stream 2, session 7, 4096 bytes, one property, name "line", Model "M2"; by the documentation's table. */
    private static final String BRIEF =
            "5047414e 01 01 0200 07000000 0010000000000000 0100" + "0400 6c696e65 0500 4d6f64656c 0200 4d32";

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void aStreamIsReadAsItIsDocumented() {
        Brief brief = (Brief) Announcement.parse(ByteBuffer.wrap(hex(BRIEF))).orElseThrow();
        assertEquals(new Announcement(2, 7, 4096, "line", Map.of("Model", "M2")), brief.announcement());
    }

    @Test
    void aStreamIsWrittenAsItIsDocumented() {
        byte[] written = new Announcement(2, 7, 4096, "line", Map.of("Model", "M2")).toBytes();
        assertArrayEquals(hex(BRIEF), written);
    }

    @Test
    void whereThePublisherCanBeSpokenToComesAtTheEnd() {
        Announcement shared =
                new Announcement(2, 7, 4096, "line", Map.of("Model", "M2"), new Contact(true, true, 12345));
        assertArrayEquals(hex(BRIEF + "03 3930"), shared.toBytes());
        Brief brief = (Brief)
                Announcement.parse(ByteBuffer.wrap(hex(BRIEF + "03 3930"))).orElseThrow();
        assertEquals(shared, brief.announcement());
    }

    @Test
    void whereFeaturesAreForwardedComesBehindIt() {
        Contact contact = new Contact(true, false, 12345)
                .withFeatures(Optional.of(new Contact.Features(257, 0x0807060504030201L, 0x100f0e0d0c0b0a09L)));
        Announcement forwarding = new Announcement(2, 7, 4096, "line", Map.of("Model", "M2"), contact);
        byte[] bytes = hex(BRIEF + "05 3930 0101 0102030405060708090a0b0c0d0e0f10");
        assertArrayEquals(bytes, forwarding.toBytes());
        Brief brief = (Brief) Announcement.parse(ByteBuffer.wrap(bytes)).orElseThrow();
        assertEquals(forwarding, brief.announcement());
    }

    @Test
    void whatEndsEarlyIsNoAnnouncement() {
        byte[] whole = hex(BRIEF);
        for (int length = 0; length < whole.length; length++) {
            assertEquals(Optional.empty(), Announcement.parse(ByteBuffer.wrap(whole, 0, length)), "length " + length);
        }
    }

    @Test
    void moreThanIsAllowedIsNoAnnouncement() {
        assertEquals(
                Optional.empty(),
                Announcement.parse(ByteBuffer.wrap(hex(BRIEF.replace("0010000000000000", "00100000000000ff")))));
        assertEquals(
                Optional.empty(),
                Announcement.parse(ByteBuffer.wrap(hex(BRIEF.replace(" 0100" + "0400", " ffff0400")))));
        assertEquals(Optional.empty(), Announcement.parse(ByteBuffer.wrap(hex(BRIEF.replace("5047414e", "5047414f")))));
    }

    @Test
    void aCameraComesBackAsItWas() {
        byte[] xml = new byte[100_000];
        Arrays.fill(xml, (byte) '<');
        Camera camera =
                new Camera(Map.of("Model", "M"), "Width\t5\n", Optional.of(new byte[] {1, 2}), Optional.of(xml));
        Description description = (Description)
                Announcement.parse(ByteBuffer.wrap(Announcement.toBytes(0, 9, Announcement.zipped(camera))))
                        .orElseThrow();
        assertEquals(9, description.session());
        assertEquals(camera, description.camera(Map.of("Model", "M")));
    }

    @Test
    void aDescriptionThatUnzipsToTooMuchIsRefused() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream to = new GZIPOutputStream(bomb)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i <= Announcement.MAX_CAMERA_BYTES >> 20; i++) {
                to.write(zeros);
            }
        }
        Description description = new Description(1, bomb.toByteArray());
        DistributionException refusal = assertThrows(DistributionException.class, () -> description.camera(Map.of()));
        assertTrue(refusal.getMessage().contains("larger than"), refusal.getMessage());
    }

    @Test
    void aDamagedDescriptionIsRefused() {
        byte[] good = Announcement.toBytes(0, 9, Announcement.zipped(Camera.UNKNOWN));
        byte[] zipped = Arrays.copyOfRange(good, 12, good.length - 4);
        assertThrows(DistributionException.class, () -> new Description(9, zipped).camera(Map.of()));
    }
}
