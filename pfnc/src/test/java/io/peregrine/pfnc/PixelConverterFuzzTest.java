package io.peregrine.pfnc;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * Whatever the geometry and the buffer: an image, or a PixelFormatException; and never more memory than was asked for.
 */
class PixelConverterFuzzTest {
    private static final List<PixelFormat> FORMATS = PixelFormat.all().stream()
            .sorted(Comparator.comparingInt(PixelFormat::code))
            .toList();

    private static final int MAX_VALUES = 1 << 16;

    private final PixelConverter converter = new PixelConverter();

    @FuzzTest(maxDuration = "60s")
    void convertsAnythingWithoutHarm(FuzzedDataProvider input) {
        try {
            PixelLayout layout = layout(input);
            int values = input.consumeInt(0, MAX_VALUES);
            int target = input.consumeInt(0, PixelConverter.Target.values().length - 1);
            int component = input.consumeInt(-1, 4);
            int position = input.consumeInt(0, 3);
            byte[] bytes = input.consumeRemainingAsBytes();
            ByteBuffer source = ByteBuffer.wrap(bytes).position(Math.min(position, bytes.length));
            convert(layout, PixelConverter.Target.values()[target], component, source, values);
            if (layout.completeLines(source.remaining()) < layout.height() && layout.neededBytes() > 0) {
                throw new AssertionError("Converted " + layout.format() + " with lines missing");
            }
        } catch (PixelFormatException e) {
            // The declared answer to what fits nowhere.
        }
    }

    private static PixelLayout layout(FuzzedDataProvider input) {
        PixelFormat format = input.consumeBoolean()
                ? FORMATS.get(input.consumeInt(0, FORMATS.size() - 1))
                : PixelFormat.of(input.consumeInt());
        boolean small = input.consumeProbabilityDouble() < 0.9;
        long width = small ? input.consumeInt(0, 300) : input.consumeLong();
        long height = small ? input.consumeInt(0, 20) : input.consumeLong();
        long paddingX = small ? input.consumeInt(0, 9) : input.consumeLong();
        long paddingY = small ? input.consumeInt(0, 9) : input.consumeLong();
        return switch (input.consumeInt(0, 2)) {
            case 0 -> PixelLayout.padded(format, width, height, paddingX, paddingY);
            case 1 -> PixelLayout.strided(format, width, height, paddingX + 3 * width);
            default -> {
                long size = small ? input.consumeInt(0, 20_000) : input.consumeLong();
                yield PixelLayout.resolve(format, width, height, paddingX, paddingY, size);
            }
        };
    }

    private void convert(
            PixelLayout layout, PixelConverter.Target target, int component, ByteBuffer source, int values) {
        switch (target) {
            case MONO8 -> converter.toMono8(layout, source, new byte[values]);
            case MONO16 -> converter.toMono16(layout, source, new short[values]);
            case RGB8 -> converter.toRgb8(layout, source, new byte[values]);
            case RGB16 -> converter.toRgb16(layout, source, new short[values]);
            case RAW16 -> converter.toRaw16(layout, component, source, new short[values]);
            case FLOAT -> {
                if (component < 0) {
                    converter.toFloat(layout, source, new float[values]);
                } else {
                    converter.toFloat(layout, component, source, new float[values]);
                }
            }
            case DOUBLE -> {
                if (component < 0) {
                    converter.toDouble(layout, source, new double[values]);
                } else {
                    converter.toDouble(layout, component, source, new double[values]);
                }
            }
        }
    }
}
