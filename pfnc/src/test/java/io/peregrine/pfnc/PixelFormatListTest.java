package io.peregrine.pfnc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares the table with a list that was made independently and lies beside the project, not in it. */
class PixelFormatListTest {
    @Test
    void hasTheSameCodesAndNamesAsTheList() throws IOException {
        List<Map<String, String>> rows = rows();

        assertEquals(rows.size(), PixelFormat.all().size());
        for (Map<String, String> row : rows) {
            assertEquals(Optional.of(format(row)), PixelFormat.byName(row.get("name")), row.get("name"));
        }
    }

    @Test
    void hasTheSameSizesAndDepthsAsTheList() throws IOException {
        for (Map<String, String> row : rows()) {
            PixelFormat format = format(row);
            String name = row.get("name");
            assertEquals(Integer.parseInt(row.get("bits_per_pixel")), format.bitsPerPixel(), name);
            if (row.get("is_custom").equals("1")) {
                assertTrue(format.layoutAssumed(), name);
            } else if (row.get("bits_per_component").equals("5-6-5")) {
                assertEquals(
                        List.of(5, 6, 5),
                        List.of(format.significantBits(0), format.significantBits(1), format.significantBits(2)));
            } else {
                assertEquals(Integer.parseInt(row.get("bits_per_component")), format.significantBits(), name);
            }
        }
    }

    @Test
    void hasTheSameComponentsAsTheList() throws IOException {
        for (Map<String, String> row : published()) {
            assertEquals(components(row), format(row).components(), row.get("name"));
        }
    }

    @Test
    void hasTheSameSequencesAsTheList() throws IOException {
        Map<Character, PixelComponent> letters =
                Map.of('Y', PixelComponent.LUMA, 'U', PixelComponent.CB, 'V', PixelComponent.CR);
        for (Map<String, String> row : published()) {
            String sequence = row.get("byte_sequence").replace("Cb", "U").replace("Cr", "V");
            boolean planes = sequence.contains("_");
            if (!sequence.isEmpty() && !planes) {
                assertEquals(
                        sequence.chars().mapToObj(c -> letters.get((char) c)).toList(),
                        format(row).sequence(),
                        row.get("name"));
            }
        }
    }

    @Test
    void hasTheSamePackingAsTheList() throws IOException {
        Map<String, Packing> packings = Map.of(
                "unpacked_lsb", Packing.UNPACKED,
                "unpacked_lsb_align32", Packing.UNPACKED,
                "unpacked_deprecated_code", Packing.UNPACKED,
                "packed_lsb", Packing.LSB_PACKED,
                "packed_lsb_p32", Packing.LSB_PACKED,
                "gev_packed", Packing.GIGE_VISION_PACKED,
                "vendor", Packing.OTHER);
        for (Map<String, String> row : rows()) {
            assertEquals(packings.get(row.get("packing")), format(row).packing(), row.get("name"));
        }
    }

    @Test
    void hasTheSamePlanesAsTheList() throws IOException {
        for (Map<String, String> row : published()) {
            assertEquals(Integer.parseInt(row.get("planes")), format(row).planes(), row.get("name"));
        }
    }

    @Test
    void countsTheSameBytesOfAGroupOfPixelsAsTheList() throws IOException {
        for (Map<String, String> row : published()) {
            int pixels = Integer.parseInt(row.get("pixels_per_byte_group"));
            int bytes = Integer.parseInt(row.get("bytes_per_group"));
            // Chroma of 4:2:0 is shared by two lines.
            assertEquals(2 * 12L * bytes, format(row).imageSizeBytes(12L * pixels, 2, 0, 0), row.get("name"));
        }
    }

    @Test
    void hasTheSameValueTypesAsTheList() throws IOException {
        Map<String, ValueType> types = Map.of("u", ValueType.UNSIGNED, "s", ValueType.SIGNED, "f", ValueType.FLOAT);
        for (Map<String, String> row : rows()) {
            assertEquals(types.get(row.get("data_type")), format(row).valueType(), row.get("name"));
        }
    }

    @Test
    void knowsWhichCodesTheListCallsDeprecated() throws IOException {
        for (Map<String, String> row : rows()) {
            assertEquals(
                    row.get("packing").equals("unpacked_deprecated_code"),
                    format(row).deprecated());
        }
    }

    private static PixelFormat format(Map<String, String> row) {
        return PixelFormat.of(Integer.parseUnsignedInt(row.get("code_hex").substring(2), 16));
    }

    private static List<PixelComponent> components(Map<String, String> row) {
        String listed = row.get("components");
        if (listed.startsWith("CFA")) {
            return List.of(PixelComponent.MOSAIC);
        }
        if (listed.startsWith("(")) {
            return List.of(PixelComponent.MOSAIC, PixelComponent.GREEN);
        }
        if (listed.startsWith("Y,Cb,Cr")) {
            String name = row.get("name");
            // The order is that of the sequence, which another test compares.
            assertEquals(3, format(row).componentsPerPixel(), name);
            assertTrue(
                    format(row)
                            .components()
                            .containsAll(List.of(PixelComponent.LUMA, PixelComponent.CB, PixelComponent.CR)),
                    name);
            return format(row).components();
        }
        boolean points = row.get("name").startsWith("Coord3D");
        List<PixelComponent> components = new ArrayList<>();
        for (String component : listed.split(",", -1)) {
            components.add(
                    switch (component) {
                        case "L" -> PixelComponent.MONO;
                        case "R" -> PixelComponent.RED;
                        case "G" -> PixelComponent.GREEN;
                        case "B" -> points ? PixelComponent.COORDINATE_B : PixelComponent.BLUE;
                        case "a" -> PixelComponent.ALPHA;
                        case "A" -> PixelComponent.COORDINATE_A;
                        case "C" -> PixelComponent.COORDINATE_C;
                        case "Confidence" -> PixelComponent.CONFIDENCE;
                        case "data" -> PixelComponent.DATA;
                        default -> throw new AssertionError(component);
                    });
        }
        return components;
    }

    private static List<Map<String, String>> published() throws IOException {
        return rows().stream().filter(row -> row.get("is_custom").equals("0")).toList();
    }

    private static List<Map<String, String>> rows() throws IOException {
        List<String> lines = Files.readAllLines(TestData.file("pfnc.csv"));
        List<String> names = cells(lines.get(0));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                row.put(names.get(i), cells.get(i));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
