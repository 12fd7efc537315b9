package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.SyntheticContainer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of every header, and the checksum of every part's data, as an independent reader has them. */
class ListedContainersTest {
    /**
     * Name, version, flags, header size, id, variable fields, data size and offset, descriptor size, file size.
     *
     * <p>Component: place, flags, header size, group/source/region, region offset, timestamp, type, format.
     *
     * <p>Part: place, header type, flags, header size, format, flow and place in it, data size and offset, size and
     * padding, checksum.
     */
    private static final String OF_CAMERAS = """
            little_boxes.gendc 1.1.0 1 80 50 0x0 307200@416 416 307616
              80 0 56 0/0/0 80,60 62653150103775 4 026000c0
                136 4200 0 56 026000c0 0:416 230400@416 160x120+0+0 5a1ee0eb
              192 0 56 0/0/0 80,60 62653150103775 1 01100007
                248 4200 0 56 01100007 0:230816 38400@230816 160x120+0+0 9ad288d9
              304 0 56 0/0/0 80,60 62653150103775 6 011000c7
                360 4200 0 56 011000c7 0:269216 38400@269216 160x120+0+0 9b3062a5
            sensing-dev_output.bin 1.0.0 2 128 1 0x0 2076992@1520 1520 2078512
              128 0 56 0/1001/0 0,0 195054959330 1 01080001
                184 4200 0 72 01080001 0:0 2073600@1520 1920x1080+0+0 3e9ddf4e
              256 0 64 0/2001/0 0,0 195054959450 8001 01100118
                320 41f1 0 72 01100118 0:0 1600@2075120 800+0 ef9e8b35
                392 41f1 0 72 01100118 0:0 1600@2076720 800+0 f7a392d2
              464 0 56 0/3001/0 0,0 195054959570 8001 01100118
                520 41f0 0 72 01100118 0:0 32@2078320 16+0 a3878b0e
              592 0 56 0/3002/0 0,0 195054959690 8001 01100118
                648 41f0 0 72 01100118 0:0 32@2078352 16+0 a3878b0e
              720 0 56 0/3003/0 0,0 195054959810 8001 01100118
                776 41f0 0 72 01100118 0:0 32@2078384 16+0 a3878b0e
              848 0 72 0/4001/0 0,0 195054959930 8001 01100118
                920 41f0 0 72 01100118 0:0 32@2078416 16+0 3e5b23a8
                992 41f0 0 72 01100118 0:0 32@2078448 16+0 88bd8207
                1064 41f0 0 72 01100118 0:0 32@2078480 16+0 ad72781b
              1136 1 56 0/1/0 0,0 195054960050 8001 01080116
                1192 41f0 0 72 01080116 0:0 0@2078512 0+0 00000000
              1264 1 56 0/5001/0 0,0 195054960170 8001 01080116
                1320 41f0 0 72 01080116 0:0 0@2078512 0+0 00000000
              1392 1 56 0/6001/0 0,0 195054960290 8001 01080116
                1448 41f0 0 72 01080116 0:0 0@2078512 0+0 00000000
            """;

    /** The same of the synthetic containers. */
    private static final String SYNTHETIC = """
            CHUNK_XML 1.1.0 0 64 12 0x0 52@256 256 308
              64 0 64 0/0/0 0,0 8 8001 01080116
                128 4000 0 64 01080116 0:256 28@256 28+0 37985269
                192 4001 200 64 01080116 0:284 24@284 22+2 36869ade
            CUSTOM_2D 1.1.0 0 64 19 0x0 8@192 192 200
              64 0 56 0/0/0 0,0 15 ff00 01080001
                120 42f3 0 72 01080001 0:192 8@192 4x2+0+0 88aa689f
            H264_HEADER 1.1.0 0 64 17 0x0 32@192 192 224
              64 0 56 0/0/0 0,0 13 1 02180014
                120 4203 0 72 02180014 0:192 32@192 640x480+0+0 350e0a55
            IMAGE_CHUNK 1.1.0 0 72 11 0x0 76@304 304 380
              72 0 56 1/0/0 0,0 8 1 02180014
                128 4200 0 56 02180014 0:304 48@304 4x4+0+0 05202171
              184 0 56 ffff/0/0 0,0 8 8001 01080116
                240 4000 0 64 01080116 0:352 28@352 28+0 37985269
            INVALID_COMPONENT 1.1.0 2 72 15 0x0 16@296 296 312
              72 0 56 0/0/0 0,0 11 1 01080001
                128 4200 0 56 01080001 0:296 16@296 4x4+0+0 cecee288
              184 1 56 0/0/0 0,0 11 2 01080001
                240 4200 0 56 01080001 0:312 0@312 4x4+0+0 00000000
            JPEG 1.1.0 0 64 18 0x0 4@176 176 180
              64 0 56 0/0/0 0,0 14 1 02180014
                120 4201 0 56 02180014 0:176 4@176 2x2+0+0 10f02a67
            MONO10P_LINEPAD 1.1.0 0 64 9 0x0 21@176 176 197
              64 0 56 0/0/0 0,0 6 1 010a0046
                120 4200 0 56 010a0046 0:176 21@176 5x3+0+0 93d5c3ed
            MONO8_2D 1.1.0 0 64 7 0x0 128@176 176 304
              64 0 56 0/1/2 4,6 1000000001 1 01080001
                120 4200 0 56 01080001 0:176 128@176 16x8+0+0 24650d57
            MONO8_PADDED 1.1.0 0 64 8 0x0 69@176 176 245
              64 0 56 0/0/0 0,0 5 1 01080001
                120 4200 0 56 01080001 0:176 69@176 13x4+3+5 1f0f62e0
            NEWER_MINOR 1.7.3 0 64 20 0x0 16@240 240 256
              64 0 64 0/0/0 0,0 16 1 01080001
                128 4200 0 56 01080001 0:240 8@240 4x2+0+0 88aa689f
                184 4207 0 56 01080001 0:248 8@248 4x2+0+0 88aa689f
            POINTCLOUD_1D 1.1.0 1 72 13 0x0 130@312 312 442
              72 0 56 0/0/0 0,0 9 4 026000c0
                128 4100 0 64 026000c0 0:312 120@312 10+0 22c9cd38
              192 0 56 0/0/0 0,0 9 6 010800c6
                248 4100 0 64 010800c6 0:432 10@432 10+0 6e0bab60
            RGB8_PLANAR 1.1.0 0 64 10 0x0 96@304 304 400
              64 0 72 0/0/0 0,0 7 1 02180021
                136 4200 0 56 010800c9 0:304 32@304 8x4+0+0 91267e8a
                192 4200 0 56 010800cd 0:336 32@336 8x4+0+0 5e268e58
                248 4200 0 56 010800d1 0:368 32@368 8x4+0+0 d456996f
            TWO_FLOWS 1.1.0 0 72 14 0x0 216@296 296 512
              72 0 56 0/0/0 0,0 10 1 01080001
                128 4200 0 56 01080001 0:320 64@320 8x8+0+0 100ece8c
              184 0 56 0/0/0 0,0 10 4 01100007
                240 4200 0 56 01100007 1:0 128@384 8x8+0+0 dd0bbe78
            VARIABLE_FINAL 1.1.0 0 64 16 0x0 592@176 176 768
              64 0 56 0/0/0 0,0 12 1 01080001
                120 4200 0 56 01080001 0:176 592@176 16x37+0+0 318dbda2
            VARIABLE_PRELIM 1.1.0 0 64 16 0x25 1600@176 176 1776
              64 0 56 0/0/0 0,0 0 1 01080001
                120 4200 0 56 01080001 0:176 1600@176 16x100+0+0 c5117d35
            """;

    private static Stream<String> split(String listing) {
        return Arrays.stream(listing.split("\n(?! )", -1))
                .map(String::stripTrailing)
                .filter(text -> !text.isEmpty());
    }

    static Stream<String> ofCameras() {
        return split(OF_CAMERAS);
    }

    static Stream<String> synthetic() {
        return split(SYNTHETIC);
    }

    private static String name(String listed) {
        return listed.substring(0, listed.indexOf(' '));
    }

    @ParameterizedTest
    @MethodSource("ofCameras")
    void everyFieldOfACamerasContainerIsAsListed(String expected) {
        String file = name(expected);
        assertEquals(expected, describe(file, GenDcContainer.parse(Samples.read(file))));
    }

    @ParameterizedTest
    @MethodSource("synthetic")
    void everyFieldOfASyntheticContainerIsAsListed(String expected) {
        String name = name(expected);
        ByteBuffer bytes = ByteBuffer.wrap(SyntheticContainer.valueOf(name).bytes());
        assertEquals(expected, describe(name, GenDcContainer.parse(bytes)));
    }

    private static String describe(String name, GenDcContainer container) {
        GenDcDescriptor descriptor = container.descriptor();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s %d.%d.%d %d %d %d %#x %d@%d %d %d",
                name,
                descriptor.versionMajor(),
                descriptor.versionMinor(),
                descriptor.versionSubMinor(),
                descriptor.flags(),
                descriptor.headerSizeBytes(),
                descriptor.id(),
                descriptor.variableFields(),
                descriptor.dataSize(),
                descriptor.dataOffset(),
                descriptor.descriptorSizeBytes(),
                descriptor.containerSizeBytes()));
        for (GenDcComponent component : container.components()) {
            text.append(String.format(
                    Locale.ROOT,
                    "\n  %d %d %d %x/%x/%x %d,%d %d %x %08x",
                    component.headerOffset(),
                    component.flags(),
                    component.headerSizeBytes(),
                    component.groupId(),
                    component.sourceId(),
                    component.regionId(),
                    component.regionOffsetX(),
                    component.regionOffsetY(),
                    component.timestamp(),
                    component.typeId(),
                    component.format()));
            for (GenDcPart part : component.parts()) {
                CRC32 crc = new CRC32();
                crc.update(container.data(part));
                text.append(String.format(
                        Locale.ROOT,
                        "\n    %d %04x %x %d %08x %d:%d %d@%d %s %08x",
                        part.headerOffset(),
                        part.headerType(),
                        part.flags(),
                        part.headerSizeBytes(),
                        part.format(),
                        part.flowId(),
                        part.flowOffset(),
                        part.dataSize(),
                        part.dataOffset(),
                        dimension(part),
                        crc.getValue()));
            }
        }
        return text.toString();
    }

    private static String dimension(GenDcPart part) {
        return part.is2d()
                ? part.sizeX() + "x" + part.sizeY() + "+" + part.paddingX() + "+" + part.paddingY()
                : part.size() + "+" + part.padding();
    }
}
