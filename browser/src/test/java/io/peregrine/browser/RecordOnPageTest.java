package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.peregrine.recording.Recording;
import io.peregrine.virtualcamera.TestPattern;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Recording on the page, also of what came before a trigger, and replay of the recording as a device. */
@PageTimeout
class RecordOnPageTest {
    private static final Pattern SEVERAL = Pattern.compile("[1-9]\\d+");
    private static final String LAYER = """
            () => {
              const panel = document.querySelector('peregrine-app').shadowRoot.querySelector('frame-panel');
              const tile = panel.shadowRoot.querySelector('frame-tile');
              return tile?.layer ? { block: String(tile.layer.blockId), values: Array.from(tile.layer.pixels) } : null;
            }""";

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.6"));
    }

    private Page stream() {
        Page page = rig.openCamera();
        Rig.click(page.locator("frame-panel"), "Start");
        page.locator("frame-tile").first().waitFor();
        page.locator("work-panel [data-work=record]").click();
        return page;
    }

    private static Locator panel(Page page) {
        return page.locator("recording-panel");
    }

    private Path recording() throws IOException {
        try (Stream<Path> files = Files.list(rig.recordings())) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void aRecordingIsReplayedAsADevice() {
        Page page = stream();
        panel(page).locator("#label").fill("run");
        Rig.click(panel(page), "Record");
        assertThat(panel(page).locator("#frames")).hasText(SEVERAL);
        Rig.screenshot(page, "browser-record.png");
        Rig.click(panel(page), "Stop recording");
        Rig.click(panel(page).locator("tr[data-recording^=run-]"), "Replay");
        assertThat(page.locator("camera-list li.selected")).containsText("run-");
        Rig.click(page.locator("frame-panel"), "Start");
        assertThat(page.locator("frame-panel [role=alert]")).containsText("all frames were delivered");
        Map<?, ?> layer = (Map<?, ?>) page.evaluate(LAYER);
        ByteBuffer sent = ByteBuffer.allocate(Rig.WIDTH * Rig.HEIGHT);
        TestPattern.fill(1, 0x0108_0001, Long.parseLong((String) layer.get("block")), Rig.WIDTH, Rig.HEIGHT, sent);
        List<Integer> expected = new java.util.ArrayList<>();
        for (byte value : sent.array()) {
            expected.add(value & 0xFF);
        }
        assertEquals(expected, layer.get("values"));
    }

    @Test
    void aRecordingEndsAfterItsTime() {
        Page page = stream();
        panel(page).locator("#seconds").fill("1");
        Rig.click(panel(page), "Record");
        assertThat(panel(page).locator("#progress")).containsText("recorded");
        assertThat(panel(page).locator("#frames")).hasText(SEVERAL);
    }

    @Test
    void freeSpaceIsShown() {
        assertThat(panel(stream()).locator("#free")).hasText(Pattern.compile("[0-9.]+ [GM]B free in .*recordings"));
    }

    @Test
    void framesBeforeTheTriggerAreRecorded() throws IOException {
        Page page = stream();
        Rig.click(panel(page), "Keep");
        assertThat(panel(page).locator("#kept")).hasText(Pattern.compile("[1-9]\\d+ frames of the last .*"));
        Rig.click(panel(page), "Record these, and go on");
        Rig.click(panel(page), "Stop recording");
        assertThat(panel(page).locator("#progress")).containsText("recorded");
        try (Recording recording = Recording.open(recording())) {
            assertTrue(recording.frame(0).hostNanos() < 0, recording::toString);
            assertTrue(recording.frame(9).hostNanos() > recording.frame(0).hostNanos(), recording::toString);
        }
    }

    @Test
    void aStreamThatStopsEndsItsRecording() {
        Page page = stream();
        Rig.click(panel(page), "Record");
        assertThat(panel(page).locator("#frames")).hasText(SEVERAL);
        Rig.click(page.locator("frame-panel"), "Stop");
        assertThat(panel(page).locator("#progress")).containsText("recorded");
    }

    @Test
    void aNameThatIsAPathIsRefused() {
        Page page = stream();
        panel(page).locator("#label").fill("../x");
        Rig.click(panel(page), "Record");
        assertThat(panel(page).locator("[role=alert]")).containsText("letters, digits");
        PAGES.chromium().expectComplaint("400");
    }
}
