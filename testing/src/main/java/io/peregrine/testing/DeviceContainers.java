package io.peregrine.testing;

/** Small GenDC containers, laid out as real devices lay out theirs. */
public final class DeviceContainers {
    private static final int MONO8 = 0x01080001;
    private static final int MONO16 = 0x01100007;
    private static final int DATA8 = 0x01080116;
    private static final int DATA16 = 0x01100118;
    private static final int COORD3D_ABC32F = 0x026000C0;
    private static final int CONFIDENCE16 = 0x011000C7;
    private static final long TIMESTAMP = 62_653_150_103_775L;

    private DeviceContainers() {}

    /**
     * A time-of-flight camera by the book, 2x2 at 80,60: number i of the coordinates is 1.5 i, intensity is 20388,
     * 65535, 3 and 4, confidence 0x0201, 0x0403, 0x0605 and 0x0807. 32 bytes at the end belong to no part.
     */
    public static byte[] timeOfFlight() {
        // Header 80, then component 56 and part 56, three times: 416.
        RawContainer raw = RawContainer.begin(1, 1, 50, 0, 96, 416, 80, 192, 304)
                .component(80, 0, 1, 2, 3, 80, 60, TIMESTAMP, 4, COORD3D_ABC32F, 136)
                .part(136, 0x4200, 56, COORD3D_ABC32F, 48, 416)
                .image(2, 2, 0, 0)
                .component(192, 0, 1, 2, 3, 80, 60, TIMESTAMP, 1, MONO16, 248)
                .part(248, 0x4200, 56, MONO16, 8, 464)
                .image(2, 2, 0, 0)
                .component(304, 0, 1, 2, 3, 80, 60, TIMESTAMP, 6, CONFIDENCE16, 360)
                .part(360, 0x4200, 56, CONFIDENCE16, 8, 472)
                .image(2, 2, 0, 0)
                .expect(416);
        for (int i = 0; i < 12; i++) {
            raw.f32(1.5f * i);
        }
        return raw.u16(20_388)
                .u16(65_535)
                .u16(3)
                .u16(4)
                .count(1, 8)
                .count(0, 32)
                .expect(512)
                .bytes();
    }

    /**
     * A device that bends the standard: FlowOffset is 0 everywhere, part headers end with fields of the vendor's,
     * metadata is not Data8. A Mono8 image of 4x4 with pixels 0 to 15, metadata of 4 bytes 16 to 19, and metadata that
     * is invalid.
     */
    public static byte[] bendingTheStandard() {
        return RawContainer.begin(0, 2, 1, 0, 20, 456, 80, 208, 336)
                .component(80, 0, 0, 0x1001, 0, 0, 0, 195_054_959_330L, 1, MONO8, 136)
                .part(136, 0x4200, 0, 72, MONO8, 0, 0, 16, 456)
                .image(4, 4, 0, 0)
                .u64(11_520)
                .u64(0)
                .component(208, 0, 0, 0x2001, 0, 0, 0, 195_054_959_450L, 0x8001, DATA16, 264)
                .part(264, 0x41F1, 0, 72, DATA16, 0, 0, 4, 472)
                .array(2, 0, 11_520)
                .u64(17_179_869_441L)
                .component(336, 1, 0, 1, 0, 0, 0, 195_054_960_050L, 0x8001, DATA8, 392)
                .part(392, 0x41F0, 0, 64, DATA8, 0, 0, 0, 476)
                .array(0, 0, 0)
                .count(0, 20)
                .expect(476)
                .bytes();
    }
}
