package io.peregrine.testing;

import java.nio.charset.StandardCharsets;

/**
 * Small GenDC 1.1 containers, one per feature of the standard. All are linear: the descriptor, then the data. Offsets
 * and sizes are worked out by hand; a container header has 56 bytes and 8 for each component, a component header 48 and
 * 8 for each part.
 */
public enum SyntheticContainer {
    /** Mono8, 16x8, with source, region, offset and timestamp; pixels 0 to 127. */
    MONO8_2D,
    /** Mono8, 13x4; 3 bytes 0xEE after each line, 5 bytes 0xDD after the image. */
    MONO8_PADDED,
    /** Mono10p, 5x3, each line ends on a byte; the pixel in column x of line y is 100 y + 7 x. */
    MONO10P_LINEPAD,
    /** RGB8_Planar, 8x4, a part for each plane; red from 0 on, green from 64 on, blue from 128 on. */
    RGB8_PLANAR,
    /** RGB8, 4x4, of group 1, and metadata of all groups with two chunks. */
    IMAGE_CHUNK,
    /** Metadata alone: two chunks, and XML that describes them. */
    CHUNK_XML,
    /** Ten points and their confidence, in one dimension; timestamps are of PTP. */
    POINTCLOUD_1D,
    /** Mono8 in flow 0 and Mono16 in flow 1, 8x8 each, with a gap before the data; see {@link TwoFlows}. */
    TWO_FLOWS,
    /** Mono8, 4x4, and an infrared component that is invalid and has no data. */
    INVALID_COMPONENT,
    /** Mono8, 16x100 at most: a preliminary descriptor, with room for the data. */
    VARIABLE_PRELIM,
    /** The outcome: Mono8, 16x37. */
    VARIABLE_FINAL,
    /** H.264, 640x480, with what a decoder must know. */
    H264_HEADER,
    /** JPEG, 2x2; no more than its first and last marker. */
    JPEG,
    /** A vendor's component and two-dimensional part, with two fields of the vendor's. */
    CUSTOM_2D,
    /** Version 1.7.3: a part that is known, and one of a type from the future. */
    NEWER_MINOR;

    private static final int MONO8 = 0x01080001;
    private static final int MONO10P = 0x010A0046;
    private static final int MONO16 = 0x01100007;
    private static final int RGB8 = 0x02180014;
    private static final int RGB8_PLANES = 0x02180021;
    private static final int R8 = 0x010800C9;
    private static final int G8 = 0x010800CD;
    private static final int B8 = 0x010800D1;
    private static final int DATA8 = 0x01080116;
    private static final int CONFIDENCE8 = 0x010800C6;
    private static final int COORD3D_ABC32F = 0x026000C0;

    private static final int INTENSITY = 1;
    private static final int INFRARED = 2;
    private static final int RANGE = 4;
    private static final int CONFIDENCE = 6;
    private static final int METADATA = 0x8001;
    private static final int VENDORS = 0xFF00;

    private static final int CHUNK_PART = 0x4000;
    private static final int XML_PART = 0x4001;
    private static final int ARRAY_PART = 0x4100;
    private static final int IMAGE_PART = 0x4200;
    private static final int JPEG_PART = 0x4201;
    private static final int H264_PART = 0x4203;

    /** The container, a copy for the caller. */
    public byte[] bytes() {
        return layout().bytes();
    }

    private RawContainer layout() {
        return switch (this) {
            case MONO8_2D -> mono8();
            case MONO8_PADDED -> mono8Padded();
            case MONO10P_LINEPAD -> mono10p();
            case RGB8_PLANAR -> planes();
            case IMAGE_CHUNK -> imageWithChunks();
            case CHUNK_XML -> chunksWithXml();
            case POINTCLOUD_1D -> points();
            case TWO_FLOWS -> twoFlows();
            case INVALID_COMPONENT -> invalidComponent();
            case VARIABLE_PRELIM -> preliminary();
            case VARIABLE_FINAL -> finalOfPreliminary();
            case H264_HEADER -> h264();
            case JPEG -> jpeg();
            case CUSTOM_2D -> custom();
            case NEWER_MINOR -> newerMinor();
        };
    }

    /** One component with one part, whose headers are at 64 and 120. */
    private static RawContainer one(
            long id, int variableFields, long timestamp, int typeId, int format, int dataSize, int dataAt) {
        return RawContainer.begin(1, 0, id, variableFields, dataSize, dataAt, 64)
                .component(64, 0, 0, 0, 0, 0, 0, timestamp, typeId, format, 120);
    }

    private static RawContainer mono8() {
        return RawContainer.begin(1, 0, 7, 0, 128, 176, 64)
                .component(64, 0, 0, 1, 2, 4, 6, 1_000_000_001, INTENSITY, MONO8, 120)
                .part(120, IMAGE_PART, 56, MONO8, 128, 176)
                .image(16, 8, 0, 0)
                .count(0, 128)
                .expect(304);
    }

    private static RawContainer mono8Padded() {
        // (13 + 3) * 4 + 5 = 69.
        RawContainer raw = one(8, 0, 5, INTENSITY, MONO8, 69, 176)
                .part(120, IMAGE_PART, 56, MONO8, 69, 176)
                .image(13, 4, 3, 5);
        for (int line = 0; line < 4; line++) {
            raw.count(16 * line, 13).u8(0xEE, 0xEE, 0xEE);
        }
        return raw.u8(0xDD, 0xDD, 0xDD, 0xDD, 0xDD).expect(245);
    }

    private static RawContainer mono10p() {
        // 5 pixels of 10 bits are 50 bits, in 7 bytes.
        RawContainer raw = one(9, 0, 6, INTENSITY, MONO10P, 21, 176)
                .part(120, IMAGE_PART, 56, MONO10P, 21, 176)
                .image(5, 3, 0, 0);
        for (int y = 0; y < 3; y++) {
            long line = 0;
            for (int x = 0; x < 5; x++) {
                line |= (100L * y + 7L * x) << (10 * x);
            }
            for (int i = 0; i < 7; i++) {
                raw.u8((int) (line >> (8 * i)));
            }
        }
        return raw.expect(197);
    }

    private static RawContainer planes() {
        // Component header of 48 + 24 = 72 bytes.
        return RawContainer.begin(1, 0, 10, 0, 96, 304, 64)
                .component(64, 0, 0, 0, 0, 0, 0, 7, INTENSITY, RGB8_PLANES, 136, 192, 248)
                .part(136, IMAGE_PART, 56, R8, 32, 304)
                .image(8, 4, 0, 0)
                .part(192, IMAGE_PART, 56, G8, 32, 336)
                .image(8, 4, 0, 0)
                .part(248, IMAGE_PART, 56, B8, 32, 368)
                .image(8, 4, 0, 0)
                .count(0, 32)
                .count(64, 32)
                .count(128, 32)
                .expect(400);
    }

    private static RawContainer imageWithChunks() {
        RawContainer raw = RawContainer.begin(1, 0, 11, 0, 76, 304, 72, 184)
                .component(72, 0, 1, 0, 0, 0, 0, 8, INTENSITY, RGB8, 128)
                .part(128, IMAGE_PART, 56, RGB8, 48, 304)
                .image(4, 4, 0, 0)
                .component(184, 0, 0xFFFF, 0, 0, 0, 0, 8, METADATA, DATA8, 240)
                .part(240, CHUNK_PART, 64, DATA8, 28, 352)
                .array(28, 0, 5)
                .count(0, 48);
        return chunks(raw).expect(380);
    }

    private static RawContainer chunksWithXml() {
        RawContainer raw = RawContainer.begin(1, 0, 12, 0, 52, 256, 64)
                .component(64, 0, 0, 0, 0, 0, 0, 8, METADATA, DATA8, 128, 192)
                .part(128, CHUNK_PART, 64, DATA8, 28, 256)
                .array(28, 0, 5)
                .part(192, XML_PART, 0x0200, 64, DATA8, 0, 284, 24, 284)
                .array(22, 2, 9);
        chunks(raw);
        for (byte letter : "<RegisterDescription/>".getBytes(StandardCharsets.US_ASCII)) {
            raw.u8(letter);
        }
        return raw.u8(0, 0).expect(308);
    }

    /** Two chunks in 28 bytes, each after its data: its id, then the length of its data. */
    private static RawContainer chunks(RawContainer raw) {
        return raw.u64(123_456_789).u32(0x1001).u32(8).u32(42).u32(0x1002).u32(4);
    }

    private static RawContainer points() {
        RawContainer raw = RawContainer.begin(1, 1, 13, 0, 130, 312, 72, 192)
                .component(72, 0, 0, 0, 0, 0, 0, 9, RANGE, COORD3D_ABC32F, 128)
                .part(128, ARRAY_PART, 64, COORD3D_ABC32F, 120, 312)
                .array(10, 0, 0)
                .component(192, 0, 0, 0, 0, 0, 0, 9, CONFIDENCE, CONFIDENCE8, 248)
                .part(248, ARRAY_PART, 64, CONFIDENCE8, 10, 432)
                .array(10, 0, 0);
        for (int i = 0; i < 10; i++) {
            raw.f32(i).f32(2.5f * i).f32(-i);
        }
        return raw.count(0, 25, 10).expect(442);
    }

    private static RawContainer twoFlows() {
        return RawContainer.begin(1, 0, 14, 0, 216, 296, 72, 184)
                .component(72, 0, 0, 0, 0, 0, 0, 10, INTENSITY, MONO8, 128)
                .part(128, IMAGE_PART, 0, 56, MONO8, 0, 320, 64, 320)
                .image(8, 8, 0, 0)
                .component(184, 0, 0, 0, 0, 0, 0, 10, RANGE, MONO16, 240)
                .part(240, IMAGE_PART, 0, 56, MONO16, 1, 0, 128, 384)
                .image(8, 8, 0, 0)
                .zerosTo(320)
                .count(0, 64)
                .count(0, 3, 128)
                .expect(512);
    }

    private static RawContainer invalidComponent() {
        return RawContainer.begin(1, 2, 15, 0, 16, 296, 72, 184)
                .component(72, 0, 0, 0, 0, 0, 0, 11, INTENSITY, MONO8, 128)
                .part(128, IMAGE_PART, 56, MONO8, 16, 296)
                .image(4, 4, 0, 0)
                .component(184, 1, 0, 0, 0, 0, 0, 11, INFRARED, MONO8, 240)
                .part(240, IMAGE_PART, 56, MONO8, 0, 312)
                .image(4, 4, 0, 0)
                .count(0, 16)
                .expect(312);
    }

    private static RawContainer preliminary() {
        // DataSize, SizeY and Timestamp may still change.
        return one(16, 0x0001 | 0x0004 | 0x0020, 0, INTENSITY, MONO8, 1600, 176)
                .part(120, IMAGE_PART, 56, MONO8, 1600, 176)
                .image(16, 100, 0, 0)
                .zerosTo(1776);
    }

    private static RawContainer finalOfPreliminary() {
        return one(16, 0, 12, INTENSITY, MONO8, 592, 176)
                .part(120, IMAGE_PART, 56, MONO8, 592, 176)
                .image(16, 37, 0, 0)
                .count(0, 592)
                .expect(768);
    }

    private static RawContainer h264() {
        return one(17, 0, 13, INTENSITY, RGB8, 32, 192)
                .part(120, H264_PART, 72, RGB8, 32, 192)
                .image(640, 480, 0, 0)
                // ProfileIDC, parameter sets 0 and 2 with packetization mode 1, LevelIDC.
                .u8(0, 0x42, 0x15, 0x1E)
                // Interleaving depth, largest difference, bytes to buffer, time to buffer.
                .u16(3)
                .u16(4)
                .u32(5)
                .u32(6)
                .u8(0, 0, 0, 1, 0x67)
                .count(0, 27)
                .expect(224);
    }

    private static RawContainer jpeg() {
        return one(18, 0, 14, INTENSITY, RGB8, 4, 176)
                .part(120, JPEG_PART, 56, RGB8, 4, 176)
                .image(2, 2, 0, 0)
                .u8(0xFF, 0xD8, 0xFF, 0xD9)
                .expect(180);
    }

    private static RawContainer custom() {
        return one(19, 0, 15, VENDORS, MONO8, 8, 192)
                .part(120, 0x42F3, 72, MONO8, 8, 192)
                .image(4, 2, 0, 0)
                .u64(1)
                .u64(2)
                .count(0, 8)
                .expect(200);
    }

    private static RawContainer newerMinor() {
        return RawContainer.begin(7, 0, 20, 0, 16, 240, 64)
                .subMinor(3)
                .component(64, 0, 0, 0, 0, 0, 0, 16, INTENSITY, MONO8, 128, 184)
                .part(128, IMAGE_PART, 56, MONO8, 8, 240)
                .image(4, 2, 0, 0)
                .part(184, 0x4207, 56, MONO8, 8, 248)
                .image(4, 2, 0, 0)
                .count(0, 8)
                .count(0, 8)
                .expect(256);
    }
}
