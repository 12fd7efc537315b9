package io.peregrine.cli;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.virtualcamera.TestPattern;
import java.nio.ByteBuffer;

/** Checks each byte of frames against the test pattern that a camera is known to send. */
enum Verification {
    /** The test pattern of the virtual camera. */
    VIRTUAL_CAMERA {
        @Override
        long countBadBytes(Composite composite, Item item) {
            return TestPattern.countBadBytes(
                    item.typeId(), item.format().code(), composite.id(), item.width(), item.height(), item.data());
        }
    },
    /** The diagonal ramp of the fake camera of Aravis. */
    ARAVIS_FAKE_CAMERA {
        @Override
        long countBadBytes(Composite composite, Item item) {
            if (item.format().code() != PfncCodes.MONO8) {
                throw new CliException(
                        ExitCodes.FAILED,
                        "Frames of the fake camera of Aravis can be verified in Mono8 only, not in " + item.format());
            }
            return badRampBytes(item.width(), item.height(), item.data());
        }
    };

    /** Bytes that differ from what the camera sent. */
    abstract long countBadBytes(Composite composite, Item item);

    /** The test pattern of a camera, by what it says about itself. */
    static Verification of(DiscoveryInformation info) {
        if (info.vendor().equals("Peregrine") && info.model().equals("VirtualCamera")) {
            return VIRTUAL_CAMERA;
        }
        if (info.vendor().equals("Aravis")) {
            return ARAVIS_FAKE_CAMERA;
        }
        throw new CliException(
                ExitCodes.FAILED,
                "--verify is not possible: what " + info.vendor() + " " + info.model()
                        + " sends is not known. It is for Peregrine's virtual camera and the fake camera of Aravis");
    }

    /** Counts bytes that differ from (x + y + k) mod 255, where k is what fits the first byte. */
    static long badRampBytes(int width, int height, ByteBuffer data) {
        long expected = (long) width * height;
        long bad = Math.abs(expected - data.remaining());
        if (width == 0 || !data.hasRemaining()) {
            return bad;
        }
        int base = data.position();
        int phase = data.get(base) & 0xFF;
        int count = (int) Math.min(expected, data.remaining());
        for (int i = 0; i < count; i++) {
            int ramp = (i % width + i / width + phase) % 255;
            if ((data.get(base + i) & 0xFF) != ramp) {
                bad++;
            }
        }
        return bad;
    }
}
