package io.peregrine.browser;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/** A virtual camera, a server that finds it, and what a user does on a page. */
final class Rig implements AutoCloseable {
    static final int WIDTH = 64;
    static final int HEIGHT = 48;

    private final Chromium chromium;
    private final VirtualCamera camera;
    private final Path folder;
    private final Devices devices;
    private final CameraBrowser browser;

    /** Starts camera and server; a class takes an address of loopback for itself. */
    Rig(Chromium chromium, ScenarioBuilder scenario) {
        this.chromium = chromium;
        camera = VirtualCamera.start(scenario.build());
        try {
            folder = Files.createTempDirectory("peregrine-rig");
            devices = DeviceFactory.create(PeregrineSettings.load()
                    .with(
                            PeregrineSettings.DISCOVERY_ADDRESSES,
                            camera.address().getAddress().getHostAddress() + ":"
                                    + camera.address().getPort())
                    .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")
                    .with(PeregrineSettings.DEVICES, configuration().toString()));
            browser = CameraBrowser.start(devices, BrowserOptions.loopback().withRecordings(recordings()));
        } catch (IOException e) {
            camera.close();
            throw new UncheckedIOException(e);
        }
    }

    /** A small camera that sends one component. */
    static ScenarioBuilder scenario(String address) {
        return Scenario.builder()
                .bindAddress(address)
                .port(0)
                .serial("PG-60")
                .userName("left")
                .size(WIDTH, HEIGHT)
                .components(Set.of(ComponentKind.INTENSITY))
                .frameRate(30);
    }

    VirtualCamera camera() {
        return camera;
    }

    /** The file of configured devices. */
    Path configuration() {
        return folder.resolve("devices.json");
    }

    /** Where recordings go. */
    Path recordings() {
        return folder.resolve("recordings");
    }

    /** What a program on the same host finds devices with. */
    Devices devices() {
        return devices;
    }

    CameraBrowser browser() {
        return browser;
    }

    /** A page that is logged in. */
    Page newPage(boolean control) {
        Page page = chromium.newPage();
        page.navigate(browser.newAddress(control));
        page.locator("#role").waitFor();
        return page;
    }

    /** A page with control that has opened the camera. */
    Page openCamera() {
        Page page = newPage(true);
        click(page.locator("camera-list"), "Open");
        page.locator("feature-tree").waitFor();
        return page;
    }

    /** An image of a page for the documentation, which gets it with -Dperegrine.updateScreenshots=true. */
    static void screenshot(Page page, String name) {
        Path folder = Boolean.getBoolean("peregrine.updateScreenshots")
                ? Path.of("..", "docs", "images")
                : Path.of("target", "screenshots");
        page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name)));
    }

    /** Clicks a button by its text. */
    static void click(Locator inside, String text) {
        button(inside, text).click();
    }

    /** A button by its text. */
    static Locator button(Locator inside, String text) {
        return inside.locator("button").getByText(text, new Locator.GetByTextOptions().setExact(true));
    }

    /** The row of a feature, found by searching for it. */
    static Locator feature(Page page, String name) {
        page.locator("feature-tree #search").fill("/^" + name + "$/");
        return page.locator("feature-row[data-feature=" + name + "]");
    }

    static void set(Page page, String name, String value) {
        Locator input = feature(page, name).locator("input");
        input.fill(value);
        input.press("Enter");
    }

    static void choose(Page page, String name, String value) {
        feature(page, name).locator("select").selectOption(value);
    }

    static void seesValue(Page page, String name, String value) {
        PlaywrightAssertions.assertThat(feature(page, name).locator("input, select"))
                .hasValue(value);
    }

    @Override
    public void close() {
        try {
            chromium.closePages();
        } finally {
            try {
                browser.close();
            } finally {
                camera.close();
                delete();
            }
        }
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
