package io.peregrine.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.peregrine.testing.Needs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The browser of the system, driven by Playwright; nothing is downloaded. */
final class Chromium implements AutoCloseable {
    /** A busy host takes many seconds for what takes tenths otherwise. */
    private static final double PATIENCE_MILLIS = 40_000;
    /** To start takes a minute there, more than Playwright allows. */
    private static final double START_MILLIS = 120_000;

    private final Playwright playwright;
    private final Browser browser;
    /** What pages reported that they should not. */
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts it; skips the test where it, or Node for its driver, is missing. */
    static Chromium start() {
        Path chromium = Needs.program("tests in a browser", "chromium", "chromium-browser", "google-chrome");
        Path node = Needs.program("tests in a browser", "node", "nodejs");
        System.setProperty("playwright.nodejs.path", node.toString());
        System.setProperty("playwright.driver.tmpdir", temporary().toString());
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_NODEJS_PATH", node.toString(), "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        return new Chromium(
                playwright,
                playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium)
                                .setTimeout(START_MILLIS)
                                .setArgs(List.of("--disable-quic", "--disable-background-networking"))));
    }

    private static Path temporary() {
        Path folder = Path.of("target", "playwright").toAbsolutePath();
        Needs.that(folder.toFile().isDirectory() || folder.toFile().mkdirs(), "a folder " + folder);
        return folder;
    }

    /** A page with cookies and storage of its own. */
    Page newPage() {
        return newPage(new Browser.NewContextOptions());
    }

    /** A page with options of its own. */
    Page newPage(Browser.NewContextOptions options) {
        BrowserContext context = browser.newContext(options.setViewportSize(1280, 800));
        Page page = context.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        return page;
    }

    /** Errors in the console of any page, and exceptions of scripts, since the last call. */
    List<String> complaints() {
        List<String> since = List.copyOf(complaints);
        complaints.clear();
        return since;
    }

    /** Forgets a complaint that a test is about. */
    void expectComplaint(String part) {
        complaints.removeIf(complaint -> complaint.contains(part));
    }

    /** Closes all pages. */
    void closePages() {
        List.copyOf(browser.contexts()).forEach(BrowserContext::close);
    }

    /** Ends it, if it was started. That it has crashed, or does not end in order, is no failure of what was tested. */
    static void stop(Chromium chromium) {
        if (chromium != null) {
            try {
                chromium.close();
            } catch (PlaywrightException e) {
                System.getLogger(Chromium.class.getName()).log(System.Logger.Level.DEBUG, "It did not end in order", e);
            }
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
