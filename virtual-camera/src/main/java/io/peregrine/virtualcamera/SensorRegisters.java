package io.peregrine.virtualcamera;

/**
 * The features of the sensor: size, offset, pixel format, exposure, gain. Used by the holder of the device's monitor.
 */
final class SensorRegisters {
    private final GevDevice device;
    private final RegisterSpace space;
    private final Scenario scenario;

    SensorRegisters(GevDevice device, Scenario scenario) {
        this.device = device;
        this.scenario = scenario;
        space = device.space;
    }

    /**
     * Maps the features.
     *
     * @param formatChanged follows a change of size or format
     * @param chunksChanged follows a change of a value that chunks carry
     */
    void map(RegisterSpace.Action formatChanged, RegisterSpace.Action chunksChanged) {
        space.constant(Reg.SENSOR_WIDTH, scenario.sensorWidth());
        space.constant(Reg.SENSOR_HEIGHT, scenario.sensorHeight());
        device.lockable(
                Reg.WIDTH,
                v -> step(v, CameraLimits.MIN_WIDTH, scenario.sensorWidth() - space.get(Reg.OFFSET_X)),
                formatChanged);
        device.lockable(
                Reg.HEIGHT,
                v -> GevDevice.within(v, CameraLimits.MIN_HEIGHT, scenario.sensorHeight() - space.get(Reg.OFFSET_Y)),
                formatChanged);
        device.lockable(Reg.OFFSET_X, v -> step(v, 0, scenario.sensorWidth() - space.get(Reg.WIDTH)), formatChanged);
        device.lockable(Reg.OFFSET_Y, v -> step(v, 0, scenario.sensorHeight() - space.get(Reg.HEIGHT)), formatChanged);
        device.lockable(
                Reg.PIXEL_FORMAT,
                v -> {
                    GevDevice.require(available(v));
                    return v;
                },
                formatChanged);
        int formats = 0;
        for (int i = 0; i < Formats.OFFERED.size(); i++) {
            formats |= available(Formats.OFFERED.get(i)) ? 1 << i : 0;
        }
        space.constant(Reg.PIXEL_FORMATS_AVAILABLE, formats);
        device.register(Reg.TEST_PATTERN, v -> GevDevice.within(v, 1, 1));
        device.register(Reg.COMPONENT_SELECTOR, v -> {
            GevDevice.require(v == TestPattern.INTENSITY || v == TestPattern.RANGE || v == TestPattern.CONFIDENCE);
            return v;
        });
        device.floating(Reg.EXPOSURE_TIME, 10, 1_000_000, chunksChanged);
        device.register(Reg.EXPOSURE_MODE, v -> GevDevice.within(v, 1, 1));
        device.register(Reg.EXPOSURE_AUTO, v -> GevDevice.within(v, 0, 0));
        device.floating(Reg.GAIN, 0, 48, chunksChanged);
        device.floating(Reg.BLACK_LEVEL, 0, 255, () -> {});
        device.floating(Reg.GAMMA, 0.1, 4, () -> {});
        device.register(Reg.GAIN_AUTO, v -> GevDevice.within(v, 0, 0));
        device.register(Reg.GAIN_SELECTOR, v -> GevDevice.within(v, 0, 0));
    }

    private static int step(int value, int min, int max) throws RegisterException {
        GevDevice.require(value % CameraLimits.WIDTH_STEP == 0);
        return GevDevice.within(value, min, max);
    }

    private boolean available(int pixelFormat) {
        int fixed = scenario.content().fixedFormat();
        return fixed == 0 ? Formats.BY_NAME.containsValue(pixelFormat) : pixelFormat == fixed;
    }

    void loadDefaults() {
        space.set(Reg.WIDTH, scenario.width());
        space.set(Reg.HEIGHT, scenario.height());
        space.set(Reg.OFFSET_X, 0);
        space.set(Reg.OFFSET_Y, 0);
        int fixed = scenario.content().fixedFormat();
        space.set(Reg.PIXEL_FORMAT, fixed == 0 ? scenario.pixelFormat() : fixed);
        space.set(Reg.TEST_PATTERN, 1);
        space.set(Reg.COMPONENT_SELECTOR, (int) TestPattern.INTENSITY);
        space.setDouble(Reg.EXPOSURE_TIME, 10_000);
        space.set(Reg.EXPOSURE_MODE, 1);
        space.setDouble(Reg.GAIN, 0);
        space.setDouble(Reg.BLACK_LEVEL, 0);
        space.setDouble(Reg.GAMMA, 1);
    }
}
