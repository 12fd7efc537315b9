package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A browser for the tests of a class, and the rigs and further cameras of each test, which are closed after it. A test
 * fails if a page complained of something that the test did not expect.
 */
final class Pages implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final List<Rig> rigs = new ArrayList<>();
    private final List<VirtualCamera> cameras = new ArrayList<>();
    private Chromium chromium;

    /** A camera and a server for the test that runs. */
    Rig rig(ScenarioBuilder scenario) {
        Rig rig = new Rig(chromium, scenario);
        rigs.add(rig);
        return rig;
    }

    /** One more camera for the test that runs. */
    VirtualCamera camera(ScenarioBuilder scenario) {
        VirtualCamera camera = VirtualCamera.start(scenario.build());
        cameras.add(camera);
        return camera;
    }

    /** The browser. */
    Chromium chromium() {
        return chromium;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        chromium = Chromium.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        rigs.forEach(Rig::close);
        rigs.clear();
        // After the rigs, which may have a connection to them.
        cameras.forEach(VirtualCamera::close);
        cameras.clear();
        assertEquals(List.of(), chromium.complaints());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Chromium.stop(chromium);
    }
}
