package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.export.Axis;
import io.peregrine.export.Coordinates;
import io.peregrine.export.Images;
import io.peregrine.export.PixelView;
import io.peregrine.export.PointCloud;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exported files, read by a Python program that knows the descriptions of the formats and nothing of this project. */
@Timeout(60)
class ExportedFilesTest {
    /** Prints size, bits of a sample, and all samples of a picture; or fields and all numbers of a cloud. */
    private static final String READER = """
            import struct, sys, zlib
            data = open(sys.argv[1], 'rb').read()

            def png():
                at, idat = 8, b''
                while at < len(data):
                    size, kind = struct.unpack('>I4s', data[at:at + 8])
                    body = data[at + 8:at + 8 + size]
                    assert zlib.crc32(kind + body) == struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0]
                    if kind == b'IHDR':
                        width, height, bits, colour = struct.unpack('>IIBB', body[:10])
                    if kind == b'IDAT':
                        idat += body
                    at += 12 + size
                bands = {0: 1, 2: 3}[colour]
                pixel = bands * bits // 8
                line = width * pixel
                raw, above, lines = zlib.decompress(idat), bytes(line), b''
                for y in range(height):
                    kind, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
                    for i in range(line):
                        a = row[i - pixel] if i >= pixel else 0
                        b = above[i]
                        c = above[i - pixel] if i >= pixel else 0
                        p = a + b - c
                        nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                        row[i] = (row[i] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
                    lines += row
                    above = row
                return width, height, bits, struct.unpack('>%d%s' % (width * height * bands, 'BH'[bits // 8 - 1]),
                    lines)

            def tiff():
                e = {b'II': '<', b'MM': '>'}[data[:2]]
                first, = struct.unpack(e + 'I', data[4:8])
                tags = {}
                for i in range(struct.unpack(e + 'H', data[first:first + 2])[0]):
                    at = first + 2 + 12 * i
                    tag, kind, count = struct.unpack(e + 'HHI', data[at:at + 8])
                    if kind in (3, 4):
                        size = count * (2, 4)[kind - 3]
                        start = at + 8 if size <= 4 else struct.unpack(e + 'I', data[at + 8:at + 12])[0]
                        tags[tag] = struct.unpack('%s%d%s' % (e, count, 'HI'[kind - 3]), data[start:start + size])
                assert tags[259] == (8,) and tags.get(317, (1,)) == (1,)
                lines = b''.join(zlib.decompress(data[o:o + n]) for o, n in zip(tags[273], tags[279]))
                bits = tags[258][0]
                letter = 'f' if tags.get(339, (1,))[0] == 3 else 'BH'[bits // 8 - 1]
                return tags[256][0], tags[257][0], bits, struct.unpack('%s%d%s' % (e, len(lines) * 8 // bits,
                    letter), lines)

            def cloud(end):
                header, body = data.split(end, 1)
                return header.decode().split('\\n'), struct.unpack('<%df' % (len(body) // 4), body)

            if data[:4] == b'\\x89PNG':
                print(*png())
            elif data[:2] in (b'II', b'MM'):
                print(*tiff())
            elif data[:4] == b'ply\\n':
                lines, numbers = cloud(b'end_header\\n')
                fields = [line.split()[2] for line in lines if line.startswith('property float ')]
                count, = [int(line.split()[2]) for line in lines if line.startswith('element vertex ')]
                assert lines[1] == 'format binary_little_endian 1.0' and len(numbers) == count * len(fields)
                print(fields, numbers)
            else:
                lines, numbers = cloud(b'DATA binary\\n')
                words = dict(line.split(' ', 1) for line in lines if line and line[0] != '#')
                fields = words['FIELDS'].split()
                assert len(numbers) == int(words['POINTS']) * len(fields)
                print(words['WIDTH'], words['HEIGHT'], fields, numbers)
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void python() {
        Needs.that(installed(), "python3: apt-get install -y --no-install-recommends python3");
    }

    private static boolean installed() {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String read(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("python3", "-c", READER, file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0, output);
        return output.strip();
    }

    private static PixelView view(int code, int width, int height, int... bytes) {
        byte[] data = new byte[bytes.length];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) bytes[i];
        }
        return new PixelView(PixelFormat.of(code), width, height, 0, ByteBuffer.wrap(data));
    }

    /** 0, 1, 255, 256, 4660 and 65535. */
    private static PixelView mono16() {
        return view(PfncCodes.MONO16, 3, 2, 0, 0, 1, 0, 255, 0, 0, 1, 0x34, 0x12, 255, 255);
    }

    private static PointCloud cloud() {
        return PointCloud.ofPoints(
                        view(PfncCodes.COORD3D_ABC16, 2, 1, 2, 0, 4, 0, 6, 0, 9, 0, 9, 0, 0, 0),
                        new Coordinates(
                                Axis.of(0.5, 0), Axis.of(1, -8), Axis.of(1, 0).withInvalidValue(0)))
                .withAttribute("intensity", view(PfncCodes.MONO8, 2, 1, 200, 100));
    }

    @Test
    void pngHasTheSamplesOfSixteenBits() throws IOException, InterruptedException {
        Path file = folder.resolve("grey.png");
        Images.writePng(Images.of(mono16()), file);
        assertEquals("3 2 16 (0, 1, 255, 256, 4660, 65535)", read(file));
    }

    @Test
    void tiffHasTheSamplesOfSixteenBits() throws IOException, InterruptedException {
        Path file = folder.resolve("grey.tiff");
        Images.writeTiff(Images.of(mono16()), file);
        assertEquals("3 2 16 (0, 1, 255, 256, 4660, 65535)", read(file));
    }

    @Test
    void pngHasTheColoursInTheirOrder() throws IOException, InterruptedException {
        Path file = folder.resolve("colour.png");
        Images.writePng(Images.of(view(PfncCodes.BGR8, 2, 1, 1, 2, 3, 253, 254, 255)), file);
        assertEquals("2 1 8 (3, 2, 1, 255, 254, 253)", read(file));
    }

    @Test
    void tiffHasFloatingPointNumbers() throws IOException, InterruptedException {
        Path file = folder.resolve("depth.tiff");
        // 1.5 and -2.
        Images.writeTiff(Images.ofFloats(view(PfncCodes.COORD3D_C32F, 2, 1, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0)), file);
        assertEquals("2 1 32 (1.5, -2.0)", read(file));
    }

    @Test
    void plyHasTheValidPoints() throws IOException, InterruptedException {
        Path file = folder.resolve("cloud.ply");
        cloud().writePly(file);
        assertEquals("['x', 'y', 'z', 'intensity'] (1.0, -4.0, 6.0, 200.0)", read(file));
    }

    @Test
    void pcdHasAllPoints() throws IOException, InterruptedException {
        Path file = folder.resolve("cloud.pcd");
        cloud().writePcd(file);
        assertEquals("2 1 ['x', 'y', 'z', 'intensity'] (1.0, -4.0, 6.0, 200.0, nan, nan, nan, 100.0)", read(file));
    }
}
