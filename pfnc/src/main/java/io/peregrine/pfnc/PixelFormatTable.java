package io.peregrine.pfnc;

import static io.peregrine.pfnc.ColourEncoding.BT2020;
import static io.peregrine.pfnc.ColourEncoding.BT601;
import static io.peregrine.pfnc.ColourEncoding.BT709;
import static io.peregrine.pfnc.ColourEncoding.FULL_RANGE;
import static io.peregrine.pfnc.ColourFilter.BAYER_BG;
import static io.peregrine.pfnc.ColourFilter.BAYER_GB;
import static io.peregrine.pfnc.ColourFilter.BAYER_GR;
import static io.peregrine.pfnc.ColourFilter.BAYER_RG;
import static io.peregrine.pfnc.ColourFilter.SCF1_WBWG;
import static io.peregrine.pfnc.ColourFilter.SCF1_WGWB;
import static io.peregrine.pfnc.ColourFilter.SCF1_WGWR;
import static io.peregrine.pfnc.ColourFilter.SCF1_WRWG;
import static io.peregrine.pfnc.Packing.GIGE_VISION_PACKED;
import static io.peregrine.pfnc.Packing.LSB_PACKED;
import static io.peregrine.pfnc.Packing.OTHER;
import static io.peregrine.pfnc.Packing.UNPACKED;
import static io.peregrine.pfnc.PixelComponent.ALPHA;
import static io.peregrine.pfnc.PixelComponent.BLUE;
import static io.peregrine.pfnc.PixelComponent.CB;
import static io.peregrine.pfnc.PixelComponent.CONFIDENCE;
import static io.peregrine.pfnc.PixelComponent.COORDINATE_A;
import static io.peregrine.pfnc.PixelComponent.COORDINATE_B;
import static io.peregrine.pfnc.PixelComponent.COORDINATE_C;
import static io.peregrine.pfnc.PixelComponent.CR;
import static io.peregrine.pfnc.PixelComponent.DATA;
import static io.peregrine.pfnc.PixelComponent.GREEN;
import static io.peregrine.pfnc.PixelComponent.LUMA;
import static io.peregrine.pfnc.PixelComponent.MONO;
import static io.peregrine.pfnc.PixelComponent.MOSAIC;
import static io.peregrine.pfnc.PixelComponent.RED;
import static io.peregrine.pfnc.PlaneArrangement.PLANAR;
import static io.peregrine.pfnc.PlaneArrangement.SEMI_PLANAR;
import static io.peregrine.pfnc.ValueType.FLOAT;
import static io.peregrine.pfnc.ValueType.SIGNED;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the published list says about each code. Depth and components cannot be taken from the code itself. */
final class PixelFormatTable {
    private static final Map<Integer, PixelFormat> BY_CODE = new HashMap<>(1024);
    private static final Map<String, PixelFormat> BY_NAME = new HashMap<>(1024);
    /** The codes in order, and their formats: a look-up for each part of each frame makes no objects. */
    private static final int[] CODES;

    private static final PixelFormat[] FORMATS;

    static {
        add(PfncCodes.MONO1P, "Mono1p", values(ColourFamily.MONO, 1, LSB_PACKED, MONO));
        add(PfncCodes.MONO2P, "Mono2p", values(ColourFamily.MONO, 2, LSB_PACKED, MONO));
        add(PfncCodes.MONO4P, "Mono4p", values(ColourFamily.MONO, 4, LSB_PACKED, MONO));
        add(PfncCodes.MONO8, "Mono8", values(ColourFamily.MONO, 8, UNPACKED, MONO));
        add(
                PfncCodes.MONO8S,
                "Mono8s",
                values(ColourFamily.MONO, 8, UNPACKED, MONO).type(SIGNED));
        add(PfncCodes.MONO10, "Mono10", values(ColourFamily.MONO, 10, UNPACKED, MONO));
        add(PfncCodes.MONO10P, "Mono10p", values(ColourFamily.MONO, 10, LSB_PACKED, MONO));
        add(PfncCodes.MONO12, "Mono12", values(ColourFamily.MONO, 12, UNPACKED, MONO));
        add(PfncCodes.MONO12P, "Mono12p", values(ColourFamily.MONO, 12, LSB_PACKED, MONO));
        add(PfncCodes.MONO14, "Mono14", values(ColourFamily.MONO, 14, UNPACKED, MONO));
        add(PfncCodes.MONO14P, "Mono14p", values(ColourFamily.MONO, 14, LSB_PACKED, MONO));
        add(PfncCodes.MONO16, "Mono16", values(ColourFamily.MONO, 16, UNPACKED, MONO));
        add(PfncCodes.MONO32, "Mono32", values(ColourFamily.MONO, 32, UNPACKED, MONO));
        add(PfncCodes.BAYER_BG4P, "BayerBG4p", bayer(BAYER_BG, 4, LSB_PACKED));
        add(PfncCodes.BAYER_BG8, "BayerBG8", bayer(BAYER_BG, 8, UNPACKED));
        add(PfncCodes.BAYER_BG10, "BayerBG10", bayer(BAYER_BG, 10, UNPACKED));
        add(PfncCodes.BAYER_BG10P, "BayerBG10p", bayer(BAYER_BG, 10, LSB_PACKED));
        add(PfncCodes.BAYER_BG12, "BayerBG12", bayer(BAYER_BG, 12, UNPACKED));
        add(PfncCodes.BAYER_BG12P, "BayerBG12p", bayer(BAYER_BG, 12, LSB_PACKED));
        add(PfncCodes.BAYER_BG14, "BayerBG14", bayer(BAYER_BG, 14, UNPACKED));
        add(PfncCodes.BAYER_BG14P, "BayerBG14p", bayer(BAYER_BG, 14, LSB_PACKED));
        add(PfncCodes.BAYER_BG16, "BayerBG16", bayer(BAYER_BG, 16, UNPACKED));
        add(PfncCodes.BAYER_GB4P, "BayerGB4p", bayer(BAYER_GB, 4, LSB_PACKED));
        add(PfncCodes.BAYER_GB8, "BayerGB8", bayer(BAYER_GB, 8, UNPACKED));
        add(PfncCodes.BAYER_GB10, "BayerGB10", bayer(BAYER_GB, 10, UNPACKED));
        add(PfncCodes.BAYER_GB10P, "BayerGB10p", bayer(BAYER_GB, 10, LSB_PACKED));
        add(PfncCodes.BAYER_GB12, "BayerGB12", bayer(BAYER_GB, 12, UNPACKED));
        add(PfncCodes.BAYER_GB12P, "BayerGB12p", bayer(BAYER_GB, 12, LSB_PACKED));
        add(PfncCodes.BAYER_GB14, "BayerGB14", bayer(BAYER_GB, 14, UNPACKED));
        add(PfncCodes.BAYER_GB14P, "BayerGB14p", bayer(BAYER_GB, 14, LSB_PACKED));
        add(PfncCodes.BAYER_GB16, "BayerGB16", bayer(BAYER_GB, 16, UNPACKED));
        add(PfncCodes.BAYER_GR4P, "BayerGR4p", bayer(BAYER_GR, 4, LSB_PACKED));
        add(PfncCodes.BAYER_GR8, "BayerGR8", bayer(BAYER_GR, 8, UNPACKED));
        add(PfncCodes.BAYER_GR10, "BayerGR10", bayer(BAYER_GR, 10, UNPACKED));
        add(PfncCodes.BAYER_GR10P, "BayerGR10p", bayer(BAYER_GR, 10, LSB_PACKED));
        add(PfncCodes.BAYER_GR12, "BayerGR12", bayer(BAYER_GR, 12, UNPACKED));
        add(PfncCodes.BAYER_GR12P, "BayerGR12p", bayer(BAYER_GR, 12, LSB_PACKED));
        add(PfncCodes.BAYER_GR14, "BayerGR14", bayer(BAYER_GR, 14, UNPACKED));
        add(PfncCodes.BAYER_GR14P, "BayerGR14p", bayer(BAYER_GR, 14, LSB_PACKED));
        add(PfncCodes.BAYER_GR16, "BayerGR16", bayer(BAYER_GR, 16, UNPACKED));
        add(PfncCodes.BAYER_RG4P, "BayerRG4p", bayer(BAYER_RG, 4, LSB_PACKED));
        add(PfncCodes.BAYER_RG8, "BayerRG8", bayer(BAYER_RG, 8, UNPACKED));
        add(PfncCodes.BAYER_RG10, "BayerRG10", bayer(BAYER_RG, 10, UNPACKED));
        add(PfncCodes.BAYER_RG10P, "BayerRG10p", bayer(BAYER_RG, 10, LSB_PACKED));
        add(PfncCodes.BAYER_RG12, "BayerRG12", bayer(BAYER_RG, 12, UNPACKED));
        add(PfncCodes.BAYER_RG12P, "BayerRG12p", bayer(BAYER_RG, 12, LSB_PACKED));
        add(PfncCodes.BAYER_RG14, "BayerRG14", bayer(BAYER_RG, 14, UNPACKED));
        add(PfncCodes.BAYER_RG14P, "BayerRG14p", bayer(BAYER_RG, 14, LSB_PACKED));
        add(PfncCodes.BAYER_RG16, "BayerRG16", bayer(BAYER_RG, 16, UNPACKED));
        add(PfncCodes.RGBA8, "RGBa8", values(ColourFamily.RGB, 8, UNPACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA10, "RGBa10", values(ColourFamily.RGB, 10, UNPACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA10P, "RGBa10p", values(ColourFamily.RGB, 10, LSB_PACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA12, "RGBa12", values(ColourFamily.RGB, 12, UNPACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA12P, "RGBa12p", values(ColourFamily.RGB, 12, LSB_PACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA14, "RGBa14", values(ColourFamily.RGB, 14, UNPACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGBA16, "RGBa16", values(ColourFamily.RGB, 16, UNPACKED, RED, GREEN, BLUE, ALPHA));
        add(PfncCodes.RGB8, "RGB8", values(ColourFamily.RGB, 8, UNPACKED, RED, GREEN, BLUE));
        add(
                PfncCodes.RGB8_PLANAR,
                "RGB8_Planar",
                values(ColourFamily.RGB, 8, UNPACKED, RED, GREEN, BLUE).planes(PLANAR));
        add(PfncCodes.RGB8A32, "RGB8a32", values(ColourFamily.RGB, 8, UNPACKED, RED, GREEN, BLUE));
        add(PfncCodes.RGB10, "RGB10", values(ColourFamily.RGB, 10, UNPACKED, RED, GREEN, BLUE));
        add(
                PfncCodes.RGB10_PLANAR,
                "RGB10_Planar",
                values(ColourFamily.RGB, 10, UNPACKED, RED, GREEN, BLUE).planes(PLANAR));
        add(PfncCodes.RGB10P, "RGB10p", values(ColourFamily.RGB, 10, LSB_PACKED, RED, GREEN, BLUE));
        add(PfncCodes.RGB10P32, "RGB10p32", values(ColourFamily.RGB, 10, LSB_PACKED, RED, GREEN, BLUE));
        add(PfncCodes.RGB12, "RGB12", values(ColourFamily.RGB, 12, UNPACKED, RED, GREEN, BLUE));
        add(
                PfncCodes.RGB12_PLANAR,
                "RGB12_Planar",
                values(ColourFamily.RGB, 12, UNPACKED, RED, GREEN, BLUE).planes(PLANAR));
        add(PfncCodes.RGB12P, "RGB12p", values(ColourFamily.RGB, 12, LSB_PACKED, RED, GREEN, BLUE));
        add(PfncCodes.RGB14, "RGB14", values(ColourFamily.RGB, 14, UNPACKED, RED, GREEN, BLUE));
        add(PfncCodes.RGB16, "RGB16", values(ColourFamily.RGB, 16, UNPACKED, RED, GREEN, BLUE));
        add(
                PfncCodes.RGB16_PLANAR,
                "RGB16_Planar",
                values(ColourFamily.RGB, 16, UNPACKED, RED, GREEN, BLUE).planes(PLANAR));
        add(PfncCodes.RGB565P, "RGB565p", values(ColourFamily.RGB, 6, LSB_PACKED, RED, GREEN, BLUE));
        add(PfncCodes.BGRA8, "BGRa8", values(ColourFamily.RGB, 8, UNPACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA10, "BGRa10", values(ColourFamily.RGB, 10, UNPACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA10P, "BGRa10p", values(ColourFamily.RGB, 10, LSB_PACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA12, "BGRa12", values(ColourFamily.RGB, 12, UNPACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA12P, "BGRa12p", values(ColourFamily.RGB, 12, LSB_PACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA14, "BGRa14", values(ColourFamily.RGB, 14, UNPACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGRA16, "BGRa16", values(ColourFamily.RGB, 16, UNPACKED, BLUE, GREEN, RED, ALPHA));
        add(PfncCodes.BGR8, "BGR8", values(ColourFamily.RGB, 8, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR8A32, "BGR8a32", values(ColourFamily.RGB, 8, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR10, "BGR10", values(ColourFamily.RGB, 10, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR10P, "BGR10p", values(ColourFamily.RGB, 10, LSB_PACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR12, "BGR12", values(ColourFamily.RGB, 12, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR12P, "BGR12p", values(ColourFamily.RGB, 12, LSB_PACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR14, "BGR14", values(ColourFamily.RGB, 14, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR16, "BGR16", values(ColourFamily.RGB, 16, UNPACKED, BLUE, GREEN, RED));
        add(PfncCodes.BGR565P, "BGR565p", values(ColourFamily.RGB, 6, LSB_PACKED, BLUE, GREEN, RED));
        add(PfncCodes.R8, "R8", values(ColourFamily.RGB, 8, UNPACKED, RED));
        add(PfncCodes.R10, "R10", values(ColourFamily.RGB, 10, UNPACKED, RED));
        add(PfncCodes.R10_DEPRECATED, "R10_Deprecated", values(ColourFamily.RGB, 10, UNPACKED, RED));
        add(PfncCodes.R12, "R12", values(ColourFamily.RGB, 12, UNPACKED, RED));
        add(PfncCodes.R12_DEPRECATED, "R12_Deprecated", values(ColourFamily.RGB, 12, UNPACKED, RED));
        add(PfncCodes.R16, "R16", values(ColourFamily.RGB, 16, UNPACKED, RED));
        add(PfncCodes.G8, "G8", values(ColourFamily.RGB, 8, UNPACKED, GREEN));
        add(PfncCodes.G10, "G10", values(ColourFamily.RGB, 10, UNPACKED, GREEN));
        add(PfncCodes.G10_DEPRECATED, "G10_Deprecated", values(ColourFamily.RGB, 10, UNPACKED, GREEN));
        add(PfncCodes.G12, "G12", values(ColourFamily.RGB, 12, UNPACKED, GREEN));
        add(PfncCodes.G12_DEPRECATED, "G12_Deprecated", values(ColourFamily.RGB, 12, UNPACKED, GREEN));
        add(PfncCodes.G16, "G16", values(ColourFamily.RGB, 16, UNPACKED, GREEN));
        add(PfncCodes.B8, "B8", values(ColourFamily.RGB, 8, UNPACKED, BLUE));
        add(PfncCodes.B10, "B10", values(ColourFamily.RGB, 10, UNPACKED, BLUE));
        add(PfncCodes.B10_DEPRECATED, "B10_Deprecated", values(ColourFamily.RGB, 10, UNPACKED, BLUE));
        add(PfncCodes.B12, "B12", values(ColourFamily.RGB, 12, UNPACKED, BLUE));
        add(PfncCodes.B12_DEPRECATED, "B12_Deprecated", values(ColourFamily.RGB, 12, UNPACKED, BLUE));
        add(PfncCodes.B16, "B16", values(ColourFamily.RGB, 16, UNPACKED, BLUE));
        add(
                PfncCodes.COORD3D_ABC8,
                "Coord3D_ABC8",
                values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C));
        add(
                PfncCodes.COORD3D_ABC8_PLANAR,
                "Coord3D_ABC8_Planar",
                values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_ABC10P,
                "Coord3D_ABC10p",
                values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C));
        add(
                PfncCodes.COORD3D_ABC10P_PLANAR,
                "Coord3D_ABC10p_Planar",
                values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_ABC12P,
                "Coord3D_ABC12p",
                values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C));
        add(
                PfncCodes.COORD3D_ABC12P_PLANAR,
                "Coord3D_ABC12p_Planar",
                values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_ABC16,
                "Coord3D_ABC16",
                values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C));
        add(
                PfncCodes.COORD3D_ABC16_PLANAR,
                "Coord3D_ABC16_Planar",
                values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_ABC32F,
                "Coord3D_ABC32f",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .type(FLOAT));
        add(
                PfncCodes.COORD3D_ABC32F_PLANAR,
                "Coord3D_ABC32f_Planar",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .type(FLOAT)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_ABC64F,
                "Coord3D_ABC64f",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .type(FLOAT));
        add(
                PfncCodes.COORD3D_ABC64F_PLANAR,
                "Coord3D_ABC64f_Planar",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_A, COORDINATE_B, COORDINATE_C)
                        .type(FLOAT)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC8,
                "Coord3D_AC8",
                values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_A, COORDINATE_C));
        add(
                PfncCodes.COORD3D_AC8_PLANAR,
                "Coord3D_AC8_Planar",
                values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC10P,
                "Coord3D_AC10p",
                values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_A, COORDINATE_C));
        add(
                PfncCodes.COORD3D_AC10P_PLANAR,
                "Coord3D_AC10p_Planar",
                values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_A, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC12P,
                "Coord3D_AC12p",
                values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_A, COORDINATE_C));
        add(
                PfncCodes.COORD3D_AC12P_PLANAR,
                "Coord3D_AC12p_Planar",
                values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_A, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC16,
                "Coord3D_AC16",
                values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_A, COORDINATE_C));
        add(
                PfncCodes.COORD3D_AC16_PLANAR,
                "Coord3D_AC16_Planar",
                values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC32F,
                "Coord3D_AC32f",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .type(FLOAT));
        add(
                PfncCodes.COORD3D_AC32F_PLANAR,
                "Coord3D_AC32f_Planar",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .type(FLOAT)
                        .planes(PLANAR));
        add(
                PfncCodes.COORD3D_AC64F,
                "Coord3D_AC64f",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .type(FLOAT));
        add(
                PfncCodes.COORD3D_AC64F_PLANAR,
                "Coord3D_AC64f_Planar",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_A, COORDINATE_C)
                        .type(FLOAT)
                        .planes(PLANAR));
        add(PfncCodes.COORD3D_A8, "Coord3D_A8", values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_A));
        add(PfncCodes.COORD3D_A10P, "Coord3D_A10p", values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_A));
        add(PfncCodes.COORD3D_A12P, "Coord3D_A12p", values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_A));
        add(PfncCodes.COORD3D_A16, "Coord3D_A16", values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_A));
        add(
                PfncCodes.COORD3D_A32F,
                "Coord3D_A32f",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_A).type(FLOAT));
        add(
                PfncCodes.COORD3D_A64F,
                "Coord3D_A64f",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_A).type(FLOAT));
        add(PfncCodes.COORD3D_B8, "Coord3D_B8", values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_B));
        add(PfncCodes.COORD3D_B10P, "Coord3D_B10p", values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_B));
        add(PfncCodes.COORD3D_B12P, "Coord3D_B12p", values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_B));
        add(PfncCodes.COORD3D_B16, "Coord3D_B16", values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_B));
        add(
                PfncCodes.COORD3D_B32F,
                "Coord3D_B32f",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_B).type(FLOAT));
        add(
                PfncCodes.COORD3D_B64F,
                "Coord3D_B64f",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_B).type(FLOAT));
        add(PfncCodes.COORD3D_C8, "Coord3D_C8", values(ColourFamily.COORDINATES, 8, UNPACKED, COORDINATE_C));
        add(PfncCodes.COORD3D_C10P, "Coord3D_C10p", values(ColourFamily.COORDINATES, 10, LSB_PACKED, COORDINATE_C));
        add(PfncCodes.COORD3D_C12P, "Coord3D_C12p", values(ColourFamily.COORDINATES, 12, LSB_PACKED, COORDINATE_C));
        add(PfncCodes.COORD3D_C16, "Coord3D_C16", values(ColourFamily.COORDINATES, 16, UNPACKED, COORDINATE_C));
        add(
                PfncCodes.COORD3D_C32F,
                "Coord3D_C32f",
                values(ColourFamily.COORDINATES, 32, UNPACKED, COORDINATE_C).type(FLOAT));
        add(
                PfncCodes.COORD3D_C64F,
                "Coord3D_C64f",
                values(ColourFamily.COORDINATES, 64, UNPACKED, COORDINATE_C).type(FLOAT));
        add(PfncCodes.CONFIDENCE1, "Confidence1", values(ColourFamily.CONFIDENCE, 1, UNPACKED, CONFIDENCE));
        add(PfncCodes.CONFIDENCE1P, "Confidence1p", values(ColourFamily.CONFIDENCE, 1, LSB_PACKED, CONFIDENCE));
        add(PfncCodes.CONFIDENCE8, "Confidence8", values(ColourFamily.CONFIDENCE, 8, UNPACKED, CONFIDENCE));
        add(PfncCodes.CONFIDENCE16, "Confidence16", values(ColourFamily.CONFIDENCE, 16, UNPACKED, CONFIDENCE));
        add(
                PfncCodes.CONFIDENCE32F,
                "Confidence32f",
                values(ColourFamily.CONFIDENCE, 32, UNPACKED, CONFIDENCE).type(FLOAT));
        add(
                PfncCodes.BICOLOR_BGRG8,
                "BiColorBGRG8",
                values(ColourFamily.BICOLOUR, 8, UNPACKED, BLUE, GREEN, RED, GREEN));
        add(
                PfncCodes.BICOLOR_BGRG10,
                "BiColorBGRG10",
                values(ColourFamily.BICOLOUR, 10, UNPACKED, BLUE, GREEN, RED, GREEN));
        add(
                PfncCodes.BICOLOR_BGRG10P,
                "BiColorBGRG10p",
                values(ColourFamily.BICOLOUR, 10, LSB_PACKED, BLUE, GREEN, RED, GREEN));
        add(
                PfncCodes.BICOLOR_BGRG12,
                "BiColorBGRG12",
                values(ColourFamily.BICOLOUR, 12, UNPACKED, BLUE, GREEN, RED, GREEN));
        add(
                PfncCodes.BICOLOR_BGRG12P,
                "BiColorBGRG12p",
                values(ColourFamily.BICOLOUR, 12, LSB_PACKED, BLUE, GREEN, RED, GREEN));
        add(
                PfncCodes.BICOLOR_RGBG8,
                "BiColorRGBG8",
                values(ColourFamily.BICOLOUR, 8, UNPACKED, RED, GREEN, BLUE, GREEN));
        add(
                PfncCodes.BICOLOR_RGBG10,
                "BiColorRGBG10",
                values(ColourFamily.BICOLOUR, 10, UNPACKED, RED, GREEN, BLUE, GREEN));
        add(
                PfncCodes.BICOLOR_RGBG10P,
                "BiColorRGBG10p",
                values(ColourFamily.BICOLOUR, 10, LSB_PACKED, RED, GREEN, BLUE, GREEN));
        add(
                PfncCodes.BICOLOR_RGBG12,
                "BiColorRGBG12",
                values(ColourFamily.BICOLOUR, 12, UNPACKED, RED, GREEN, BLUE, GREEN));
        add(
                PfncCodes.BICOLOR_RGBG12P,
                "BiColorRGBG12p",
                values(ColourFamily.BICOLOUR, 12, LSB_PACKED, RED, GREEN, BLUE, GREEN));
        add(PfncCodes.DATA8, "Data8", values(ColourFamily.DATA, 8, UNPACKED, DATA));
        add(
                PfncCodes.DATA8S,
                "Data8s",
                values(ColourFamily.DATA, 8, UNPACKED, DATA).type(SIGNED));
        add(PfncCodes.DATA16, "Data16", values(ColourFamily.DATA, 16, UNPACKED, DATA));
        add(
                PfncCodes.DATA16S,
                "Data16s",
                values(ColourFamily.DATA, 16, UNPACKED, DATA).type(SIGNED));
        add(PfncCodes.DATA32, "Data32", values(ColourFamily.DATA, 32, UNPACKED, DATA));
        add(
                PfncCodes.DATA32F,
                "Data32f",
                values(ColourFamily.DATA, 32, UNPACKED, DATA).type(FLOAT));
        add(
                PfncCodes.DATA32S,
                "Data32s",
                values(ColourFamily.DATA, 32, UNPACKED, DATA).type(SIGNED));
        add(PfncCodes.DATA64, "Data64", values(ColourFamily.DATA, 64, UNPACKED, DATA));
        add(
                PfncCodes.DATA64F,
                "Data64f",
                values(ColourFamily.DATA, 64, UNPACKED, DATA).type(FLOAT));
        add(
                PfncCodes.DATA64S,
                "Data64s",
                values(ColourFamily.DATA, 64, UNPACKED, DATA).type(SIGNED));
        add(PfncCodes.SCF1_WBWG8, "SCF1WBWG8", sparse(SCF1_WBWG, 8, UNPACKED));
        add(PfncCodes.SCF1_WBWG10, "SCF1WBWG10", sparse(SCF1_WBWG, 10, UNPACKED));
        add(PfncCodes.SCF1_WBWG10P, "SCF1WBWG10p", sparse(SCF1_WBWG, 10, LSB_PACKED));
        add(PfncCodes.SCF1_WBWG12, "SCF1WBWG12", sparse(SCF1_WBWG, 12, UNPACKED));
        add(PfncCodes.SCF1_WBWG12P, "SCF1WBWG12p", sparse(SCF1_WBWG, 12, LSB_PACKED));
        add(PfncCodes.SCF1_WBWG14, "SCF1WBWG14", sparse(SCF1_WBWG, 14, UNPACKED));
        add(PfncCodes.SCF1_WBWG16, "SCF1WBWG16", sparse(SCF1_WBWG, 16, UNPACKED));
        add(PfncCodes.SCF1_WGWB8, "SCF1WGWB8", sparse(SCF1_WGWB, 8, UNPACKED));
        add(PfncCodes.SCF1_WGWB10, "SCF1WGWB10", sparse(SCF1_WGWB, 10, UNPACKED));
        add(PfncCodes.SCF1_WGWB10P, "SCF1WGWB10p", sparse(SCF1_WGWB, 10, LSB_PACKED));
        add(PfncCodes.SCF1_WGWB12, "SCF1WGWB12", sparse(SCF1_WGWB, 12, UNPACKED));
        add(PfncCodes.SCF1_WGWB12P, "SCF1WGWB12p", sparse(SCF1_WGWB, 12, LSB_PACKED));
        add(PfncCodes.SCF1_WGWB14, "SCF1WGWB14", sparse(SCF1_WGWB, 14, UNPACKED));
        add(PfncCodes.SCF1_WGWB16, "SCF1WGWB16", sparse(SCF1_WGWB, 16, UNPACKED));
        add(PfncCodes.SCF1_WGWR8, "SCF1WGWR8", sparse(SCF1_WGWR, 8, UNPACKED));
        add(PfncCodes.SCF1_WGWR10, "SCF1WGWR10", sparse(SCF1_WGWR, 10, UNPACKED));
        add(PfncCodes.SCF1_WGWR10P, "SCF1WGWR10p", sparse(SCF1_WGWR, 10, LSB_PACKED));
        add(PfncCodes.SCF1_WGWR12, "SCF1WGWR12", sparse(SCF1_WGWR, 12, UNPACKED));
        add(PfncCodes.SCF1_WGWR12P, "SCF1WGWR12p", sparse(SCF1_WGWR, 12, LSB_PACKED));
        add(PfncCodes.SCF1_WGWR14, "SCF1WGWR14", sparse(SCF1_WGWR, 14, UNPACKED));
        add(PfncCodes.SCF1_WGWR16, "SCF1WGWR16", sparse(SCF1_WGWR, 16, UNPACKED));
        add(PfncCodes.SCF1_WRWG8, "SCF1WRWG8", sparse(SCF1_WRWG, 8, UNPACKED));
        add(PfncCodes.SCF1_WRWG10, "SCF1WRWG10", sparse(SCF1_WRWG, 10, UNPACKED));
        add(PfncCodes.SCF1_WRWG10P, "SCF1WRWG10p", sparse(SCF1_WRWG, 10, LSB_PACKED));
        add(PfncCodes.SCF1_WRWG12, "SCF1WRWG12", sparse(SCF1_WRWG, 12, UNPACKED));
        add(PfncCodes.SCF1_WRWG12P, "SCF1WRWG12p", sparse(SCF1_WRWG, 12, LSB_PACKED));
        add(PfncCodes.SCF1_WRWG14, "SCF1WRWG14", sparse(SCF1_WRWG, 14, UNPACKED));
        add(PfncCodes.SCF1_WRWG16, "SCF1WRWG16", sparse(SCF1_WRWG, 16, UNPACKED));
        add(PfncCodes.YCBCR8, "YCbCr8", yCbCr444(FULL_RANGE, 8, UNPACKED, LUMA, CB, CR));
        add(PfncCodes.YCBCR8_CBYCR, "YCbCr8_CbYCr", yCbCr444(FULL_RANGE, 8, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR10_CBYCR, "YCbCr10_CbYCr", yCbCr444(FULL_RANGE, 10, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR10P_CBYCR, "YCbCr10p_CbYCr", yCbCr444(FULL_RANGE, 10, LSB_PACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR12_CBYCR, "YCbCr12_CbYCr", yCbCr444(FULL_RANGE, 12, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR12P_CBYCR, "YCbCr12p_CbYCr", yCbCr444(FULL_RANGE, 12, LSB_PACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR411_8, "YCbCr411_8", yCbCr411(FULL_RANGE, 8, UNPACKED, LUMA, LUMA, CB, LUMA, LUMA, CR));
        add(
                PfncCodes.YCBCR411_8_CBYYCRYY,
                "YCbCr411_8_CbYYCrYY",
                yCbCr411(FULL_RANGE, 8, UNPACKED, CB, LUMA, LUMA, CR, LUMA, LUMA));
        add(
                PfncCodes.YCBCR420_8_YY_CBCR_SEMIPLANAR,
                "YCbCr420_8_YY_CbCr_Semiplanar",
                yCbCr420(FULL_RANGE, 8, UNPACKED, LUMA, CB, CR).planes(SEMI_PLANAR));
        add(
                PfncCodes.YCBCR420_8_YY_CRCB_SEMIPLANAR,
                "YCbCr420_8_YY_CrCb_Semiplanar",
                yCbCr420(FULL_RANGE, 8, UNPACKED, LUMA, CR, CB).planes(SEMI_PLANAR));
        add(PfncCodes.YCBCR422_8, "YCbCr422_8", yCbCr422(FULL_RANGE, 8, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YCBCR422_8_CBYCRY, "YCbCr422_8_CbYCrY", yCbCr422(FULL_RANGE, 8, UNPACKED, CB, LUMA, CR, LUMA));
        add(
                PfncCodes.YCBCR422_8_YY_CBCR_SEMIPLANAR,
                "YCbCr422_8_YY_CbCr_Semiplanar",
                yCbCr422(FULL_RANGE, 8, UNPACKED, LUMA, CB, CR).planes(SEMI_PLANAR));
        add(
                PfncCodes.YCBCR422_8_YY_CRCB_SEMIPLANAR,
                "YCbCr422_8_YY_CrCb_Semiplanar",
                yCbCr422(FULL_RANGE, 8, UNPACKED, LUMA, CR, CB).planes(SEMI_PLANAR));
        add(PfncCodes.YCBCR422_10, "YCbCr422_10", yCbCr422(FULL_RANGE, 10, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YCBCR422_10_CBYCRY, "YCbCr422_10_CbYCrY", yCbCr422(FULL_RANGE, 10, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR422_10P, "YCbCr422_10p", yCbCr422(FULL_RANGE, 10, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR422_10P_CBYCRY,
                "YCbCr422_10p_CbYCrY",
                yCbCr422(FULL_RANGE, 10, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR422_12, "YCbCr422_12", yCbCr422(FULL_RANGE, 12, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YCBCR422_12_CBYCRY, "YCbCr422_12_CbYCrY", yCbCr422(FULL_RANGE, 12, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR422_12P, "YCbCr422_12p", yCbCr422(FULL_RANGE, 12, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR422_12P_CBYCRY,
                "YCbCr422_12p_CbYCrY",
                yCbCr422(FULL_RANGE, 12, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR601_8_CBYCR, "YCbCr601_8_CbYCr", yCbCr444(BT601, 8, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR601_10_CBYCR, "YCbCr601_10_CbYCr", yCbCr444(BT601, 10, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR601_10P_CBYCR, "YCbCr601_10p_CbYCr", yCbCr444(BT601, 10, LSB_PACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR601_12_CBYCR, "YCbCr601_12_CbYCr", yCbCr444(BT601, 12, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR601_12P_CBYCR, "YCbCr601_12p_CbYCr", yCbCr444(BT601, 12, LSB_PACKED, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR601_411_8_CBYYCRYY,
                "YCbCr601_411_8_CbYYCrYY",
                yCbCr411(BT601, 8, UNPACKED, CB, LUMA, LUMA, CR, LUMA, LUMA));
        add(PfncCodes.YCBCR601_422_8, "YCbCr601_422_8", yCbCr422(BT601, 8, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YCBCR601_422_8_CBYCRY, "YCbCr601_422_8_CbYCrY", yCbCr422(BT601, 8, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR601_422_10, "YCbCr601_422_10", yCbCr422(BT601, 10, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR601_422_10_CBYCRY,
                "YCbCr601_422_10_CbYCrY",
                yCbCr422(BT601, 10, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR601_422_10P, "YCbCr601_422_10p", yCbCr422(BT601, 10, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR601_422_10P_CBYCRY,
                "YCbCr601_422_10p_CbYCrY",
                yCbCr422(BT601, 10, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR601_422_12, "YCbCr601_422_12", yCbCr422(BT601, 12, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR601_422_12_CBYCRY,
                "YCbCr601_422_12_CbYCrY",
                yCbCr422(BT601, 12, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR601_422_12P, "YCbCr601_422_12p", yCbCr422(BT601, 12, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR601_422_12P_CBYCRY,
                "YCbCr601_422_12p_CbYCrY",
                yCbCr422(BT601, 12, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR709_8_CBYCR, "YCbCr709_8_CbYCr", yCbCr444(BT709, 8, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR709_10_CBYCR, "YCbCr709_10_CbYCr", yCbCr444(BT709, 10, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR709_10P_CBYCR, "YCbCr709_10p_CbYCr", yCbCr444(BT709, 10, LSB_PACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR709_12_CBYCR, "YCbCr709_12_CbYCr", yCbCr444(BT709, 12, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR709_12P_CBYCR, "YCbCr709_12p_CbYCr", yCbCr444(BT709, 12, LSB_PACKED, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR709_411_8_CBYYCRYY,
                "YCbCr709_411_8_CbYYCrYY",
                yCbCr411(BT709, 8, UNPACKED, CB, LUMA, LUMA, CR, LUMA, LUMA));
        add(PfncCodes.YCBCR709_422_8, "YCbCr709_422_8", yCbCr422(BT709, 8, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YCBCR709_422_8_CBYCRY, "YCbCr709_422_8_CbYCrY", yCbCr422(BT709, 8, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR709_422_10, "YCbCr709_422_10", yCbCr422(BT709, 10, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR709_422_10_CBYCRY,
                "YCbCr709_422_10_CbYCrY",
                yCbCr422(BT709, 10, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR709_422_10P, "YCbCr709_422_10p", yCbCr422(BT709, 10, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR709_422_10P_CBYCRY,
                "YCbCr709_422_10p_CbYCrY",
                yCbCr422(BT709, 10, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR709_422_12, "YCbCr709_422_12", yCbCr422(BT709, 12, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR709_422_12_CBYCRY,
                "YCbCr709_422_12_CbYCrY",
                yCbCr422(BT709, 12, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR709_422_12P, "YCbCr709_422_12p", yCbCr422(BT709, 12, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR709_422_12P_CBYCRY,
                "YCbCr709_422_12p_CbYCrY",
                yCbCr422(BT709, 12, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR2020_8_CBYCR, "YCbCr2020_8_CbYCr", yCbCr444(BT2020, 8, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR2020_10_CBYCR, "YCbCr2020_10_CbYCr", yCbCr444(BT2020, 10, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR2020_10P_CBYCR, "YCbCr2020_10p_CbYCr", yCbCr444(BT2020, 10, LSB_PACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR2020_12_CBYCR, "YCbCr2020_12_CbYCr", yCbCr444(BT2020, 12, UNPACKED, CB, LUMA, CR));
        add(PfncCodes.YCBCR2020_12P_CBYCR, "YCbCr2020_12p_CbYCr", yCbCr444(BT2020, 12, LSB_PACKED, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_411_8_CBYYCRYY,
                "YCbCr2020_411_8_CbYYCrYY",
                yCbCr411(BT2020, 8, UNPACKED, CB, LUMA, LUMA, CR, LUMA, LUMA));
        add(PfncCodes.YCBCR2020_422_8, "YCbCr2020_422_8", yCbCr422(BT2020, 8, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_422_8_CBYCRY,
                "YCbCr2020_422_8_CbYCrY",
                yCbCr422(BT2020, 8, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR2020_422_10, "YCbCr2020_422_10", yCbCr422(BT2020, 10, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_422_10_CBYCRY,
                "YCbCr2020_422_10_CbYCrY",
                yCbCr422(BT2020, 10, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR2020_422_10P, "YCbCr2020_422_10p", yCbCr422(BT2020, 10, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_422_10P_CBYCRY,
                "YCbCr2020_422_10p_CbYCrY",
                yCbCr422(BT2020, 10, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR2020_422_12, "YCbCr2020_422_12", yCbCr422(BT2020, 12, UNPACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_422_12_CBYCRY,
                "YCbCr2020_422_12_CbYCrY",
                yCbCr422(BT2020, 12, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YCBCR2020_422_12P, "YCbCr2020_422_12p", yCbCr422(BT2020, 12, LSB_PACKED, LUMA, CB, LUMA, CR));
        add(
                PfncCodes.YCBCR2020_422_12P_CBYCRY,
                "YCbCr2020_422_12p_CbYCrY",
                yCbCr422(BT2020, 12, LSB_PACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.YUV8_UYV, "YUV8_UYV", yCbCr444(FULL_RANGE, 8, UNPACKED, CB, LUMA, CR));
        add(
                PfncCodes.YUV411_8_UYYVYY,
                "YUV411_8_UYYVYY",
                yCbCr411(FULL_RANGE, 8, UNPACKED, CB, LUMA, LUMA, CR, LUMA, LUMA));
        add(PfncCodes.YUV422_8, "YUV422_8", yCbCr422(FULL_RANGE, 8, UNPACKED, LUMA, CB, LUMA, CR));
        add(PfncCodes.YUV422_8_UYVY, "YUV422_8_UYVY", yCbCr422(FULL_RANGE, 8, UNPACKED, CB, LUMA, CR, LUMA));
        add(PfncCodes.MONO10_PACKED, "Mono10Packed", values(ColourFamily.MONO, 10, GIGE_VISION_PACKED, MONO));
        add(PfncCodes.MONO12_PACKED, "Mono12Packed", values(ColourFamily.MONO, 12, GIGE_VISION_PACKED, MONO));
        add(PfncCodes.BAYER_BG10_PACKED, "BayerBG10Packed", bayer(BAYER_BG, 10, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_BG12_PACKED, "BayerBG12Packed", bayer(BAYER_BG, 12, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_GB10_PACKED, "BayerGB10Packed", bayer(BAYER_GB, 10, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_GB12_PACKED, "BayerGB12Packed", bayer(BAYER_GB, 12, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_GR10_PACKED, "BayerGR10Packed", bayer(BAYER_GR, 10, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_GR12_PACKED, "BayerGR12Packed", bayer(BAYER_GR, 12, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_RG10_PACKED, "BayerRG10Packed", bayer(BAYER_RG, 10, GIGE_VISION_PACKED));
        add(PfncCodes.BAYER_RG12_PACKED, "BayerRG12Packed", bayer(BAYER_RG, 12, GIGE_VISION_PACKED));
        add(
                PfncCodes.RGB10V1_PACKED,
                "RGB10V1Packed",
                values(ColourFamily.RGB, 10, GIGE_VISION_PACKED, RED, GREEN, BLUE)
                        .assumption());
        add(
                PfncCodes.RGB12V1_PACKED,
                "RGB12V1Packed",
                values(ColourFamily.RGB, 12, GIGE_VISION_PACKED, RED, GREEN, BLUE)
                        .assumption());
        add(
                PfncCodes.CUSTOM_BAYER_GR_12_PACKED,
                "CUSTOM_BAYER_GR_12_PACKED",
                bayer(BAYER_GR, 12, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_RG_12_PACKED,
                "CUSTOM_BAYER_RG_12_PACKED",
                bayer(BAYER_RG, 12, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_GB_12_PACKED,
                "CUSTOM_BAYER_GB_12_PACKED",
                bayer(BAYER_GB, 12, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_BG_12_PACKED,
                "CUSTOM_BAYER_BG_12_PACKED",
                bayer(BAYER_BG, 12, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_YUV_422_YUYV_PACKED,
                "CUSTOM_YUV_422_YUYV_PACKED",
                yCbCr422(FULL_RANGE, 8, OTHER, LUMA, CB, LUMA, CR).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_GR_16,
                "CUSTOM_BAYER_GR_16",
                bayer(BAYER_GR, 16, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_RG_16,
                "CUSTOM_BAYER_RG_16",
                bayer(BAYER_RG, 16, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_GB_16,
                "CUSTOM_BAYER_GB_16",
                bayer(BAYER_GB, 16, OTHER).assumption());
        add(
                PfncCodes.CUSTOM_BAYER_BG_16,
                "CUSTOM_BAYER_BG_16",
                bayer(BAYER_BG, 16, OTHER).assumption());
        CODES = BY_CODE.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        FORMATS = Arrays.stream(CODES).mapToObj(BY_CODE::get).toArray(PixelFormat[]::new);
    }

    private PixelFormatTable() {}

    static PixelFormat byCode(int code) {
        int place = Arrays.binarySearch(CODES, code);
        return place < 0 ? null : FORMATS[place];
    }

    static PixelFormat byName(String name) {
        return BY_NAME.get(name);
    }

    static List<PixelFormat> all() {
        return List.copyOf(BY_CODE.values());
    }

    private static FormatTraits values(ColourFamily family, int bits, Packing packing, PixelComponent... sequence) {
        return FormatTraits.of(family, bits, packing, sequence);
    }

    private static FormatTraits bayer(ColourFilter filter, int bits, Packing packing) {
        return values(ColourFamily.BAYER, bits, packing, MOSAIC).behind(filter);
    }

    private static FormatTraits sparse(ColourFilter filter, int bits, Packing packing) {
        return values(ColourFamily.SPARSE_COLOUR_FILTER, bits, packing, MOSAIC).behind(filter);
    }

    private static FormatTraits yCbCr444(
            ColourEncoding encoding, int bits, Packing packing, PixelComponent... sequence) {
        return values(ColourFamily.YCBCR, bits, packing, sequence).made(encoding);
    }

    private static FormatTraits yCbCr422(
            ColourEncoding encoding, int bits, Packing packing, PixelComponent... sequence) {
        return yCbCr444(encoding, bits, packing, sequence).chroma(Subsampling.HALF_WIDTH);
    }

    private static FormatTraits yCbCr411(
            ColourEncoding encoding, int bits, Packing packing, PixelComponent... sequence) {
        return yCbCr444(encoding, bits, packing, sequence).chroma(Subsampling.QUARTER_WIDTH);
    }

    private static FormatTraits yCbCr420(
            ColourEncoding encoding, int bits, Packing packing, PixelComponent... sequence) {
        return yCbCr444(encoding, bits, packing, sequence).chroma(Subsampling.HALF_WIDTH_AND_HEIGHT);
    }

    private static void add(int code, String name, FormatTraits traits) {
        PixelFormat format = new PixelFormat(code, name, true, traits);
        if (BY_CODE.put(code, format) != null || BY_NAME.put(name, format) != null) {
            throw new IllegalStateException("Pixel format listed twice: " + name);
        }
    }
}
