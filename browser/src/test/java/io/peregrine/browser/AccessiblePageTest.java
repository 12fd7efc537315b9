package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.peregrine.virtualcamera.ComponentKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The page by keyboard, for a screen reader, in light and dark, on small screens, and with few clicks. */
@PageTimeout
class AccessiblePageTest {
    /** All elements that are visible, also those in shadow roots. */
    private static final String ALL = """
            const all = [];
            const walk = (root) => root.querySelectorAll('*').forEach((e) => {
              if (e.shadowRoot) walk(e.shadowRoot);
              if (e.checkVisibility()) all.push(e);
            });
            walk(document);
            """;

    /** Controls without a name: by ARIA, a label, text, an image's text or a title. */
    private static final String NAMELESS = "() => {" + ALL + """
              const named = (e) => e.getAttribute('aria-label')
                || (e.getAttribute('aria-labelledby') ?? '').split(' ')
                  .map((id) => id && e.getRootNode().getElementById(id)?.textContent).join('').trim()
                || [...(e.labels ?? [])].map((l) => l.textContent).join('').trim()
                || (e.matches('input, select') ? '' : e.textContent.trim()) || e.title;
              const controls = 'button, input, select, textarea, a[href], summary, [tabindex], [role]';
              return all.filter((e) => e.matches(controls))
                .filter((e) => !e.matches('[role=alert], [role=status], [role=presentation]'))
                .filter((e) => !named(e)).map((e) => e.outerHTML.slice(0, 120));
            }""";

    /** Texts whose contrast is below 4.5 (WCAG 2.2, 1.4.3), which disabled controls need not have. */
    private static final String PALE = "() => {" + ALL + """
              const parse = (c) => c.match(/[\\d.]+/g).map(Number);
              const light = ([r, g, b]) => {
                const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
                return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
              };
              const behind = (e) => {
                for (let n = e; n; n = n.parentNode ?? n.host) {
                  if (n instanceof ShadowRoot) n = n.host;
                  if (!(n instanceof Element)) continue;
                  const c = parse(getComputedStyle(n).backgroundColor);
                  if (c.length === 3 || c[3] === 1) return c;
                }
                return [255, 255, 255];
              };
              const texts = all.filter((e) => !e.disabled && !e.closest('[disabled]')
                && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
              if (texts.length < 20) return ['only ' + texts.length + ' texts'];
              return texts.map((e) => {
                const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
                return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 120)];
              }).filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => ratio.toFixed(2) + ' ' + text);
            }""";

    /** What the focus is on, inside of shadow roots. */
    private static final String FOCUSED = """
            () => {
              let e = document.activeElement;
              while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
              return e?.textContent.trim() ?? '';
            }""";

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.16").components(Set.of(ComponentKind.values())));
    }

    /** A page with as much on it as fits. */
    private Page everything() {
        Page page = rig.openCamera();
        Rig.click(page.locator("frame-panel"), "Start");
        page.locator("frame-panel [role=tab]").first().waitFor();
        page.locator("frame-tile #tool-region").click();
        page.locator("feature-tree [data-category=AcquisitionControl]").click();
        page.locator("feature-row[data-feature=ExposureTime] input").waitFor();
        page.locator("chunk-table summary").click();
        return page;
    }

    private static void press(Page page, String text) {
        for (int i = 0; i < 60; i++) {
            page.keyboard().press("Tab");
            if (page.evaluate(FOCUSED).equals(text)) {
                page.keyboard().press("Enter");
                return;
            }
        }
        throw new AssertionError("the key Tab does not reach " + text);
    }

    @Test
    void theFirstLiveFrameTakesAtMostThreeClicks() {
        Page page = rig.newPage(true);
        page.evaluate("() => { window.clicks = 0;"
                + " addEventListener('click', (e) => { if (e.isTrusted) window.clicks++; }, true); }");
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        long first = Textures.block(page, 0);
        page.waitForCondition(() -> Textures.block(page, 0) > first);
        int clicks = (Integer) page.evaluate("window.clicks");
        assertTrue(clicks >= 1 && clicks <= 3, () -> clicks + " clicks");
    }

    @Test
    void theFirstLiveFrameNeedsNoMouse() {
        Page page = rig.newPage(true);
        page.locator("camera-list li").first().waitFor();
        press(page, "Open");
        page.locator("frame-panel #start").waitFor();
        press(page, "Start");
        Textures.block(page, 0);
    }

    @Test
    void everyControlHasAName() {
        assertEquals(List.of(), everything().evaluate(NAMELESS));
    }

    @Test
    void theDialogOfParametersHasNames() {
        Page page = rig.newPage(true);
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters input#UseRdma").waitFor();
        assertEquals(List.of(), page.evaluate(NAMELESS));
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void textsCanBeRead(ColorScheme scheme) {
        Page page = everything();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        assertEquals(List.of(), page.evaluate(PALE));
        if (scheme == ColorScheme.DARK) {
            Rig.screenshot(page, "browser-dark.png");
        }
    }

    /** Desk, tablet across, tablet upright. */
    @ParameterizedTest
    @CsvSource({"1280, 800", "1024, 768", "768, 1024"})
    void nothingIsCutOffAtTheSide(int width, int height) {
        Page page = everything();
        page.setViewportSize(width, height);
        assertEquals(0, page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"));
    }

    @ParameterizedTest
    @CsvSource({"1280, 800", "1024, 768", "768, 1024"})
    void theImageIsLargeEnoughToSee(int width, int height) {
        Page page = everything();
        page.setViewportSize(width, height);
        page.locator("frame-tile #tool-region").click();
        double shown = page.locator("frame-tile canvas.image").boundingBox().height;
        assertTrue(shown >= 180, () -> shown + " pixels high");
    }
}
