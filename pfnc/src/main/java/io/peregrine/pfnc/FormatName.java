package io.peregrine.pfnc;

import java.util.ArrayList;
import java.util.List;

/**
 * What the name of a listed format means (PFNC 2.4, chapters 3 to 6): components, bits of each, sign, packing, planes,
 * and for luma and chroma encoding, subsampling and sequence. Neither depth nor components can be taken from the code.
 */
final class FormatName {
    private static final String VENDOR_BAYER = "CUSTOM_BAYER_";
    private static final int BITS_OF_GREEN_IN_565 = 6;

    private final String name;
    private int at;

    private FormatName(String name) {
        this.name = name;
    }

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException if it is none of the list
     */
    static FormatTraits read(String name) {
        if (name.startsWith(VENDOR_BAYER)) {
            ColourFilter filter = ColourFilter.valueOf("BAYER_" + name.substring(VENDOR_BAYER.length(), 15));
            return FormatTraits.of(
                            ColourFamily.BAYER, name.contains("12") ? 12 : 16, Packing.OTHER, PixelComponent.MOSAIC)
                    .behind(filter)
                    .assumption();
        }
        if (name.equals("CUSTOM_YUV_422_YUYV_PACKED")) {
            return FormatTraits.of(ColourFamily.YCBCR, 8, Packing.OTHER, sequence("YCbYCr"))
                    .chroma(Subsampling.HALF_WIDTH)
                    .made(ColourEncoding.FULL_RANGE)
                    .assumption();
        }
        FormatTraits traits = new FormatName(name).traits();
        if (name.endsWith("_Planar")) {
            return traits.planes(PlaneArrangement.PLANAR);
        }
        return name.endsWith("_Semiplanar") ? traits.planes(PlaneArrangement.SEMI_PLANAR) : traits;
    }

    private FormatTraits traits() {
        if (skip("Mono")) {
            return values(ColourFamily.MONO, PixelComponent.MONO);
        }
        if (skip("Bayer")) {
            ColourFilter filter = ColourFilter.valueOf("BAYER_" + take(2));
            return values(ColourFamily.BAYER, PixelComponent.MOSAIC).behind(filter);
        }
        if (skip("SCF1")) {
            ColourFilter filter = ColourFilter.valueOf("SCF1_" + take(4));
            return values(ColourFamily.SPARSE_COLOUR_FILTER, PixelComponent.MOSAIC)
                    .behind(filter);
        }
        if (skip("BiColor")) {
            return values(ColourFamily.BICOLOUR, letters());
        }
        if (skip("Coord3D_")) {
            return values(ColourFamily.COORDINATES, letters());
        }
        if (skip("Confidence")) {
            return values(ColourFamily.CONFIDENCE, PixelComponent.CONFIDENCE);
        }
        if (skip("Data")) {
            return values(ColourFamily.DATA, PixelComponent.DATA);
        }
        if (skip("YCbCr")) {
            return lumaAndChroma();
        }
        return skip("YUV") ? lumaAndChroma() : values(ColourFamily.RGB, letters());
    }

    /** The depth and what follows it, for components whose names were read. */
    private FormatTraits values(ColourFamily family, PixelComponent... sequence) {
        int bits = number();
        ValueType type = ValueType.UNSIGNED;
        Packing packing = Packing.UNPACKED;
        boolean assumed = skip("V1");
        if (skip("s")) {
            type = ValueType.SIGNED;
        } else if (skip("f")) {
            type = ValueType.FLOAT;
        } else if (skip("p")) {
            packing = Packing.LSB_PACKED;
        } else if (skip("Packed")) {
            packing = Packing.GIGE_VISION_PACKED;
        }
        int depth = bits == 565 ? BITS_OF_GREEN_IN_565 : bits;
        FormatTraits traits = FormatTraits.of(family, depth, packing, sequence).type(type);
        return assumed ? traits.assumption() : traits;
    }

    private FormatTraits lumaAndChroma() {
        ColourEncoding encoding = ColourEncoding.FULL_RANGE;
        if (skip("601_")) {
            encoding = ColourEncoding.BT601;
        } else if (skip("709_")) {
            encoding = ColourEncoding.BT709;
        } else if (skip("2020_")) {
            encoding = ColourEncoding.BT2020;
        }
        Subsampling subsampling = Subsampling.NONE;
        String usual = "YCbCr";
        if (skip("422_")) {
            subsampling = Subsampling.HALF_WIDTH;
            usual = "YCbYCr";
        } else if (skip("411_")) {
            subsampling = Subsampling.QUARTER_WIDTH;
            usual = "YYCbYYCr";
        } else if (skip("420_")) {
            subsampling = Subsampling.HALF_WIDTH_AND_HEIGHT;
        }
        int depth = at;
        int end = name.indexOf('_', depth);
        String order = end < 0 ? usual : name.substring(end + 1);
        if (order.endsWith("_Semiplanar")) {
            order = order.startsWith("YY_CrCb") ? "YCrCb" : "YCbCr";
        }
        return values(ColourFamily.YCBCR, sequence(order)).chroma(subsampling).made(encoding);
    }

    /** The order of luma and chroma, such as CbYCr or UYV. */
    private static PixelComponent[] sequence(String order) {
        List<PixelComponent> sequence = new ArrayList<>();
        for (int i = 0; i < order.length(); i++) {
            switch (order.charAt(i)) {
                case 'Y' -> sequence.add(PixelComponent.LUMA);
                case 'U', 'b' -> sequence.add(PixelComponent.CB);
                case 'V', 'r' -> sequence.add(PixelComponent.CR);
                default -> {
                    // The C of Cb and Cr.
                }
            }
        }
        return sequence.toArray(new PixelComponent[0]);
    }

    /** The components before the depth, a letter each. */
    private PixelComponent[] letters() {
        boolean coordinates = name.startsWith("Coord3D_");
        List<PixelComponent> sequence = new ArrayList<>();
        while (at < name.length() && !Character.isDigit(name.charAt(at))) {
            sequence.add(letter(name.charAt(at), coordinates));
            at++;
        }
        return sequence.toArray(new PixelComponent[0]);
    }

    private PixelComponent letter(char letter, boolean coordinates) {
        return switch (letter) {
            case 'R' -> PixelComponent.RED;
            case 'G' -> PixelComponent.GREEN;
            case 'B' -> coordinates ? PixelComponent.COORDINATE_B : PixelComponent.BLUE;
            case 'A' -> PixelComponent.COORDINATE_A;
            case 'C' -> PixelComponent.COORDINATE_C;
            case 'a' -> PixelComponent.ALPHA;
            default -> throw new IllegalArgumentException(name + " is no pixel format of the list");
        };
    }

    private boolean skip(String part) {
        boolean found = name.startsWith(part, at);
        if (found) {
            at += part.length();
        }
        return found;
    }

    private String take(int length) {
        at += length;
        return name.substring(at - length, at);
    }

    private int number() {
        int start = at;
        while (at < name.length() && Character.isDigit(name.charAt(at))) {
            at++;
        }
        return Integer.parseInt(name, start, at, 10);
    }
}
