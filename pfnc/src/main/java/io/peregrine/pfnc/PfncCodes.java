package io.peregrine.pfnc;

/**
 * Codes of the pixel format naming convention as plain numbers, for switches and wire code (PFNC 2.4, list of
 * 2025-10-07). A table and nothing else: {@link PixelFormat#of} gives what a code means.
 */
public final class PfncCodes {

    /** Mono1p. */
    public static final int MONO1P = 0x01010037;

    /** Mono2p. */
    public static final int MONO2P = 0x01020038;

    /** Mono4p. */
    public static final int MONO4P = 0x01040039;

    /** Mono8. */
    public static final int MONO8 = 0x01080001;

    /** Mono8s. */
    public static final int MONO8S = 0x01080002;

    /** Mono10. */
    public static final int MONO10 = 0x01100003;

    /** Mono10p. */
    public static final int MONO10P = 0x010A0046;

    /** Mono12. */
    public static final int MONO12 = 0x01100005;

    /** Mono12p. */
    public static final int MONO12P = 0x010C0047;

    /** Mono14. */
    public static final int MONO14 = 0x01100025;

    /** Mono14p. */
    public static final int MONO14P = 0x010E0104;

    /** Mono16. */
    public static final int MONO16 = 0x01100007;

    /** Mono32. */
    public static final int MONO32 = 0x01200111;

    /** BayerBG4p. */
    public static final int BAYER_BG4P = 0x01040110;

    /** BayerBG8. */
    public static final int BAYER_BG8 = 0x0108000B;

    /** BayerBG10. */
    public static final int BAYER_BG10 = 0x0110000F;

    /** BayerBG10p. */
    public static final int BAYER_BG10P = 0x010A0052;

    /** BayerBG12. */
    public static final int BAYER_BG12 = 0x01100013;

    /** BayerBG12p. */
    public static final int BAYER_BG12P = 0x010C0053;

    /** BayerBG14. */
    public static final int BAYER_BG14 = 0x0110010C;

    /** BayerBG14p. */
    public static final int BAYER_BG14P = 0x010E0108;

    /** BayerBG16. */
    public static final int BAYER_BG16 = 0x01100031;

    /** BayerGB4p. */
    public static final int BAYER_GB4P = 0x0104010F;

    /** BayerGB8. */
    public static final int BAYER_GB8 = 0x0108000A;

    /** BayerGB10. */
    public static final int BAYER_GB10 = 0x0110000E;

    /** BayerGB10p. */
    public static final int BAYER_GB10P = 0x010A0054;

    /** BayerGB12. */
    public static final int BAYER_GB12 = 0x01100012;

    /** BayerGB12p. */
    public static final int BAYER_GB12P = 0x010C0055;

    /** BayerGB14. */
    public static final int BAYER_GB14 = 0x0110010B;

    /** BayerGB14p. */
    public static final int BAYER_GB14P = 0x010E0107;

    /** BayerGB16. */
    public static final int BAYER_GB16 = 0x01100030;

    /** BayerGR4p. */
    public static final int BAYER_GR4P = 0x0104010D;

    /** BayerGR8. */
    public static final int BAYER_GR8 = 0x01080008;

    /** BayerGR10. */
    public static final int BAYER_GR10 = 0x0110000C;

    /** BayerGR10p. */
    public static final int BAYER_GR10P = 0x010A0056;

    /** BayerGR12. */
    public static final int BAYER_GR12 = 0x01100010;

    /** BayerGR12p. */
    public static final int BAYER_GR12P = 0x010C0057;

    /** BayerGR14. */
    public static final int BAYER_GR14 = 0x01100109;

    /** BayerGR14p. */
    public static final int BAYER_GR14P = 0x010E0105;

    /** BayerGR16. */
    public static final int BAYER_GR16 = 0x0110002E;

    /** BayerRG4p. */
    public static final int BAYER_RG4P = 0x0104010E;

    /** BayerRG8. */
    public static final int BAYER_RG8 = 0x01080009;

    /** BayerRG10. */
    public static final int BAYER_RG10 = 0x0110000D;

    /** BayerRG10p. */
    public static final int BAYER_RG10P = 0x010A0058;

    /** BayerRG12. */
    public static final int BAYER_RG12 = 0x01100011;

    /** BayerRG12p. */
    public static final int BAYER_RG12P = 0x010C0059;

    /** BayerRG14. */
    public static final int BAYER_RG14 = 0x0110010A;

    /** BayerRG14p. */
    public static final int BAYER_RG14P = 0x010E0106;

    /** BayerRG16. */
    public static final int BAYER_RG16 = 0x0110002F;

    /** RGBa8. */
    public static final int RGBA8 = 0x02200016;

    /** RGBa10. */
    public static final int RGBA10 = 0x0240005F;

    /** RGBa10p. */
    public static final int RGBA10P = 0x02280060;

    /** RGBa12. */
    public static final int RGBA12 = 0x02400061;

    /** RGBa12p. */
    public static final int RGBA12P = 0x02300062;

    /** RGBa14. */
    public static final int RGBA14 = 0x02400063;

    /** RGBa16. */
    public static final int RGBA16 = 0x02400064;

    /** RGB8. */
    public static final int RGB8 = 0x02180014;

    /** RGB8_Planar. */
    public static final int RGB8_PLANAR = 0x02180021;

    /** RGB8a32. */
    public static final int RGB8A32 = 0x0220012D;

    /** RGB10. */
    public static final int RGB10 = 0x02300018;

    /** RGB10_Planar. */
    public static final int RGB10_PLANAR = 0x02300022;

    /** RGB10p. */
    public static final int RGB10P = 0x021E005C;

    /** RGB10p32. */
    public static final int RGB10P32 = 0x0220001D;

    /** RGB12. */
    public static final int RGB12 = 0x0230001A;

    /** RGB12_Planar. */
    public static final int RGB12_PLANAR = 0x02300023;

    /** RGB12p. */
    public static final int RGB12P = 0x0224005D;

    /** RGB14. */
    public static final int RGB14 = 0x0230005E;

    /** RGB16. */
    public static final int RGB16 = 0x02300033;

    /** RGB16_Planar. */
    public static final int RGB16_PLANAR = 0x02300024;

    /** RGB565p. */
    public static final int RGB565P = 0x02100035;

    /** BGRa8. */
    public static final int BGRA8 = 0x02200017;

    /** BGRa10. */
    public static final int BGRA10 = 0x0240004C;

    /** BGRa10p. */
    public static final int BGRA10P = 0x0228004D;

    /** BGRa12. */
    public static final int BGRA12 = 0x0240004E;

    /** BGRa12p. */
    public static final int BGRA12P = 0x0230004F;

    /** BGRa14. */
    public static final int BGRA14 = 0x02400050;

    /** BGRa16. */
    public static final int BGRA16 = 0x02400051;

    /** BGR8. */
    public static final int BGR8 = 0x02180015;

    /** BGR8a32. */
    public static final int BGR8A32 = 0x0220012E;

    /** BGR10. */
    public static final int BGR10 = 0x02300019;

    /** BGR10p. */
    public static final int BGR10P = 0x021E0048;

    /** BGR12. */
    public static final int BGR12 = 0x0230001B;

    /** BGR12p. */
    public static final int BGR12P = 0x02240049;

    /** BGR14. */
    public static final int BGR14 = 0x0230004A;

    /** BGR16. */
    public static final int BGR16 = 0x0230004B;

    /** BGR565p. */
    public static final int BGR565P = 0x02100036;

    /** R8. */
    public static final int R8 = 0x010800C9;

    /** R10. */
    public static final int R10 = 0x01100120;

    /** R10_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int R10_DEPRECATED = 0x010A00CA;

    /** R12. */
    public static final int R12 = 0x01100121;

    /** R12_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int R12_DEPRECATED = 0x010C00CB;

    /** R16. */
    public static final int R16 = 0x011000CC;

    /** G8. */
    public static final int G8 = 0x010800CD;

    /** G10. */
    public static final int G10 = 0x01100122;

    /** G10_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int G10_DEPRECATED = 0x010A00CE;

    /** G12. */
    public static final int G12 = 0x01100123;

    /** G12_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int G12_DEPRECATED = 0x010C00CF;

    /** G16. */
    public static final int G16 = 0x011000D0;

    /** B8. */
    public static final int B8 = 0x010800D1;

    /** B10. */
    public static final int B10 = 0x01100124;

    /** B10_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int B10_DEPRECATED = 0x010A00D2;

    /** B12. */
    public static final int B12 = 0x01100125;

    /** B12_Deprecated. Deprecated code with a wrong size field: accepted on input, never written. */
    public static final int B12_DEPRECATED = 0x010C00D3;

    /** B16. */
    public static final int B16 = 0x011000D4;

    /** Coord3D_ABC8. */
    public static final int COORD3D_ABC8 = 0x021800B2;

    /** Coord3D_ABC8_Planar. */
    public static final int COORD3D_ABC8_PLANAR = 0x021800B3;

    /** Coord3D_ABC10p. */
    public static final int COORD3D_ABC10P = 0x021E00DB;

    /** Coord3D_ABC10p_Planar. */
    public static final int COORD3D_ABC10P_PLANAR = 0x021E00DC;

    /** Coord3D_ABC12p. */
    public static final int COORD3D_ABC12P = 0x022400DE;

    /** Coord3D_ABC12p_Planar. */
    public static final int COORD3D_ABC12P_PLANAR = 0x022400DF;

    /** Coord3D_ABC16. */
    public static final int COORD3D_ABC16 = 0x023000B9;

    /** Coord3D_ABC16_Planar. */
    public static final int COORD3D_ABC16_PLANAR = 0x023000BA;

    /** Coord3D_ABC32f. */
    public static final int COORD3D_ABC32F = 0x026000C0;

    /** Coord3D_ABC32f_Planar. */
    public static final int COORD3D_ABC32F_PLANAR = 0x026000C1;

    /** Coord3D_ABC64f. */
    public static final int COORD3D_ABC64F = 0x02C00129;

    /** Coord3D_ABC64f_Planar. */
    public static final int COORD3D_ABC64F_PLANAR = 0x02C0012A;

    /** Coord3D_AC8. */
    public static final int COORD3D_AC8 = 0x021000B4;

    /** Coord3D_AC8_Planar. */
    public static final int COORD3D_AC8_PLANAR = 0x021000B5;

    /** Coord3D_AC10p. */
    public static final int COORD3D_AC10P = 0x021400F0;

    /** Coord3D_AC10p_Planar. */
    public static final int COORD3D_AC10P_PLANAR = 0x021400F1;

    /** Coord3D_AC12p. */
    public static final int COORD3D_AC12P = 0x021800F2;

    /** Coord3D_AC12p_Planar. */
    public static final int COORD3D_AC12P_PLANAR = 0x021800F3;

    /** Coord3D_AC16. */
    public static final int COORD3D_AC16 = 0x022000BB;

    /** Coord3D_AC16_Planar. */
    public static final int COORD3D_AC16_PLANAR = 0x022000BC;

    /** Coord3D_AC32f. */
    public static final int COORD3D_AC32F = 0x024000C2;

    /** Coord3D_AC32f_Planar. */
    public static final int COORD3D_AC32F_PLANAR = 0x024000C3;

    /** Coord3D_AC64f. */
    public static final int COORD3D_AC64F = 0x0280012B;

    /** Coord3D_AC64f_Planar. */
    public static final int COORD3D_AC64F_PLANAR = 0x0280012C;

    /** Coord3D_A8. */
    public static final int COORD3D_A8 = 0x010800AF;

    /** Coord3D_A10p. */
    public static final int COORD3D_A10P = 0x010A00D5;

    /** Coord3D_A12p. */
    public static final int COORD3D_A12P = 0x010C00D8;

    /** Coord3D_A16. */
    public static final int COORD3D_A16 = 0x011000B6;

    /** Coord3D_A32f. */
    public static final int COORD3D_A32F = 0x012000BD;

    /** Coord3D_A64f. */
    public static final int COORD3D_A64F = 0x01400126;

    /** Coord3D_B8. */
    public static final int COORD3D_B8 = 0x010800B0;

    /** Coord3D_B10p. */
    public static final int COORD3D_B10P = 0x010A00D6;

    /** Coord3D_B12p. */
    public static final int COORD3D_B12P = 0x010C00D9;

    /** Coord3D_B16. */
    public static final int COORD3D_B16 = 0x011000B7;

    /** Coord3D_B32f. */
    public static final int COORD3D_B32F = 0x012000BE;

    /** Coord3D_B64f. */
    public static final int COORD3D_B64F = 0x01400127;

    /** Coord3D_C8. */
    public static final int COORD3D_C8 = 0x010800B1;

    /** Coord3D_C10p. */
    public static final int COORD3D_C10P = 0x010A00D7;

    /** Coord3D_C12p. */
    public static final int COORD3D_C12P = 0x010C00DA;

    /** Coord3D_C16. */
    public static final int COORD3D_C16 = 0x011000B8;

    /** Coord3D_C32f. */
    public static final int COORD3D_C32F = 0x012000BF;

    /** Coord3D_C64f. */
    public static final int COORD3D_C64F = 0x01400128;

    /** Confidence1. */
    public static final int CONFIDENCE1 = 0x010800C4;

    /** Confidence1p. */
    public static final int CONFIDENCE1P = 0x010100C5;

    /** Confidence8. */
    public static final int CONFIDENCE8 = 0x010800C6;

    /** Confidence16. */
    public static final int CONFIDENCE16 = 0x011000C7;

    /** Confidence32f. */
    public static final int CONFIDENCE32F = 0x012000C8;

    /** BiColorBGRG8. */
    public static final int BICOLOR_BGRG8 = 0x021000A6;

    /** BiColorBGRG10. */
    public static final int BICOLOR_BGRG10 = 0x022000A9;

    /** BiColorBGRG10p. */
    public static final int BICOLOR_BGRG10P = 0x021400AA;

    /** BiColorBGRG12. */
    public static final int BICOLOR_BGRG12 = 0x022000AD;

    /** BiColorBGRG12p. */
    public static final int BICOLOR_BGRG12P = 0x021800AE;

    /** BiColorRGBG8. */
    public static final int BICOLOR_RGBG8 = 0x021000A5;

    /** BiColorRGBG10. */
    public static final int BICOLOR_RGBG10 = 0x022000A7;

    /** BiColorRGBG10p. */
    public static final int BICOLOR_RGBG10P = 0x021400A8;

    /** BiColorRGBG12. */
    public static final int BICOLOR_RGBG12 = 0x022000AB;

    /** BiColorRGBG12p. */
    public static final int BICOLOR_RGBG12P = 0x021800AC;

    /** Data8. */
    public static final int DATA8 = 0x01080116;

    /** Data8s. */
    public static final int DATA8S = 0x01080117;

    /** Data16. */
    public static final int DATA16 = 0x01100118;

    /** Data16s. */
    public static final int DATA16S = 0x01100119;

    /** Data32. */
    public static final int DATA32 = 0x0120011A;

    /** Data32f. */
    public static final int DATA32F = 0x0120011C;

    /** Data32s. */
    public static final int DATA32S = 0x0120011B;

    /** Data64. */
    public static final int DATA64 = 0x0140011D;

    /** Data64f. */
    public static final int DATA64F = 0x0140011F;

    /** Data64s. */
    public static final int DATA64S = 0x0140011E;

    /** SCF1WBWG8. */
    public static final int SCF1_WBWG8 = 0x01080067;

    /** SCF1WBWG10. */
    public static final int SCF1_WBWG10 = 0x01100068;

    /** SCF1WBWG10p. */
    public static final int SCF1_WBWG10P = 0x010A0069;

    /** SCF1WBWG12. */
    public static final int SCF1_WBWG12 = 0x0110006A;

    /** SCF1WBWG12p. */
    public static final int SCF1_WBWG12P = 0x010C006B;

    /** SCF1WBWG14. */
    public static final int SCF1_WBWG14 = 0x0110006C;

    /** SCF1WBWG16. */
    public static final int SCF1_WBWG16 = 0x0110006D;

    /** SCF1WGWB8. */
    public static final int SCF1_WGWB8 = 0x0108006E;

    /** SCF1WGWB10. */
    public static final int SCF1_WGWB10 = 0x0110006F;

    /** SCF1WGWB10p. */
    public static final int SCF1_WGWB10P = 0x010A0070;

    /** SCF1WGWB12. */
    public static final int SCF1_WGWB12 = 0x01100071;

    /** SCF1WGWB12p. */
    public static final int SCF1_WGWB12P = 0x010C0072;

    /** SCF1WGWB14. */
    public static final int SCF1_WGWB14 = 0x01100073;

    /** SCF1WGWB16. */
    public static final int SCF1_WGWB16 = 0x01100074;

    /** SCF1WGWR8. */
    public static final int SCF1_WGWR8 = 0x01080075;

    /** SCF1WGWR10. */
    public static final int SCF1_WGWR10 = 0x01100076;

    /** SCF1WGWR10p. */
    public static final int SCF1_WGWR10P = 0x010A0077;

    /** SCF1WGWR12. */
    public static final int SCF1_WGWR12 = 0x01100078;

    /** SCF1WGWR12p. */
    public static final int SCF1_WGWR12P = 0x010C0079;

    /** SCF1WGWR14. */
    public static final int SCF1_WGWR14 = 0x0110007A;

    /** SCF1WGWR16. */
    public static final int SCF1_WGWR16 = 0x0110007B;

    /** SCF1WRWG8. */
    public static final int SCF1_WRWG8 = 0x0108007C;

    /** SCF1WRWG10. */
    public static final int SCF1_WRWG10 = 0x0110007D;

    /** SCF1WRWG10p. */
    public static final int SCF1_WRWG10P = 0x010A007E;

    /** SCF1WRWG12. */
    public static final int SCF1_WRWG12 = 0x0110007F;

    /** SCF1WRWG12p. */
    public static final int SCF1_WRWG12P = 0x010C0080;

    /** SCF1WRWG14. */
    public static final int SCF1_WRWG14 = 0x01100081;

    /** SCF1WRWG16. */
    public static final int SCF1_WRWG16 = 0x01100082;

    /** YCbCr8. */
    public static final int YCBCR8 = 0x0218005B;

    /** YCbCr8_CbYCr. */
    public static final int YCBCR8_CBYCR = 0x0218003A;

    /** YCbCr10_CbYCr. */
    public static final int YCBCR10_CBYCR = 0x02300083;

    /** YCbCr10p_CbYCr. */
    public static final int YCBCR10P_CBYCR = 0x021E0084;

    /** YCbCr12_CbYCr. */
    public static final int YCBCR12_CBYCR = 0x02300085;

    /** YCbCr12p_CbYCr. */
    public static final int YCBCR12P_CBYCR = 0x02240086;

    /** YCbCr411_8. */
    public static final int YCBCR411_8 = 0x020C005A;

    /** YCbCr411_8_CbYYCrYY. */
    public static final int YCBCR411_8_CBYYCRYY = 0x020C003C;

    /** YCbCr420_8_YY_CbCr_Semiplanar. */
    public static final int YCBCR420_8_YY_CBCR_SEMIPLANAR = 0x020C0112;

    /** YCbCr420_8_YY_CrCb_Semiplanar. */
    public static final int YCBCR420_8_YY_CRCB_SEMIPLANAR = 0x020C0114;

    /** YCbCr422_8. */
    public static final int YCBCR422_8 = 0x0210003B;

    /** YCbCr422_8_CbYCrY. */
    public static final int YCBCR422_8_CBYCRY = 0x02100043;

    /** YCbCr422_8_YY_CbCr_Semiplanar. */
    public static final int YCBCR422_8_YY_CBCR_SEMIPLANAR = 0x02100113;

    /** YCbCr422_8_YY_CrCb_Semiplanar. */
    public static final int YCBCR422_8_YY_CRCB_SEMIPLANAR = 0x02100115;

    /** YCbCr422_10. */
    public static final int YCBCR422_10 = 0x02200065;

    /** YCbCr422_10_CbYCrY. */
    public static final int YCBCR422_10_CBYCRY = 0x02200099;

    /** YCbCr422_10p. */
    public static final int YCBCR422_10P = 0x02140087;

    /** YCbCr422_10p_CbYCrY. */
    public static final int YCBCR422_10P_CBYCRY = 0x0214009A;

    /** YCbCr422_12. */
    public static final int YCBCR422_12 = 0x02200066;

    /** YCbCr422_12_CbYCrY. */
    public static final int YCBCR422_12_CBYCRY = 0x0220009B;

    /** YCbCr422_12p. */
    public static final int YCBCR422_12P = 0x02180088;

    /** YCbCr422_12p_CbYCrY. */
    public static final int YCBCR422_12P_CBYCRY = 0x0218009C;

    /** YCbCr601_8_CbYCr. */
    public static final int YCBCR601_8_CBYCR = 0x0218003D;

    /** YCbCr601_10_CbYCr. */
    public static final int YCBCR601_10_CBYCR = 0x02300089;

    /** YCbCr601_10p_CbYCr. */
    public static final int YCBCR601_10P_CBYCR = 0x021E008A;

    /** YCbCr601_12_CbYCr. */
    public static final int YCBCR601_12_CBYCR = 0x0230008B;

    /** YCbCr601_12p_CbYCr. */
    public static final int YCBCR601_12P_CBYCR = 0x0224008C;

    /** YCbCr601_411_8_CbYYCrYY. */
    public static final int YCBCR601_411_8_CBYYCRYY = 0x020C003F;

    /** YCbCr601_422_8. */
    public static final int YCBCR601_422_8 = 0x0210003E;

    /** YCbCr601_422_8_CbYCrY. */
    public static final int YCBCR601_422_8_CBYCRY = 0x02100044;

    /** YCbCr601_422_10. */
    public static final int YCBCR601_422_10 = 0x0220008D;

    /** YCbCr601_422_10_CbYCrY. */
    public static final int YCBCR601_422_10_CBYCRY = 0x0220009D;

    /** YCbCr601_422_10p. */
    public static final int YCBCR601_422_10P = 0x0214008E;

    /** YCbCr601_422_10p_CbYCrY. */
    public static final int YCBCR601_422_10P_CBYCRY = 0x0214009E;

    /** YCbCr601_422_12. */
    public static final int YCBCR601_422_12 = 0x0220008F;

    /** YCbCr601_422_12_CbYCrY. */
    public static final int YCBCR601_422_12_CBYCRY = 0x0220009F;

    /** YCbCr601_422_12p. */
    public static final int YCBCR601_422_12P = 0x02180090;

    /** YCbCr601_422_12p_CbYCrY. */
    public static final int YCBCR601_422_12P_CBYCRY = 0x021800A0;

    /** YCbCr709_8_CbYCr. */
    public static final int YCBCR709_8_CBYCR = 0x02180040;

    /** YCbCr709_10_CbYCr. */
    public static final int YCBCR709_10_CBYCR = 0x02300091;

    /** YCbCr709_10p_CbYCr. */
    public static final int YCBCR709_10P_CBYCR = 0x021E0092;

    /** YCbCr709_12_CbYCr. */
    public static final int YCBCR709_12_CBYCR = 0x02300093;

    /** YCbCr709_12p_CbYCr. */
    public static final int YCBCR709_12P_CBYCR = 0x02240094;

    /** YCbCr709_411_8_CbYYCrYY. */
    public static final int YCBCR709_411_8_CBYYCRYY = 0x020C0042;

    /** YCbCr709_422_8. */
    public static final int YCBCR709_422_8 = 0x02100041;

    /** YCbCr709_422_8_CbYCrY. */
    public static final int YCBCR709_422_8_CBYCRY = 0x02100045;

    /** YCbCr709_422_10. */
    public static final int YCBCR709_422_10 = 0x02200095;

    /** YCbCr709_422_10_CbYCrY. */
    public static final int YCBCR709_422_10_CBYCRY = 0x022000A1;

    /** YCbCr709_422_10p. */
    public static final int YCBCR709_422_10P = 0x02140096;

    /** YCbCr709_422_10p_CbYCrY. */
    public static final int YCBCR709_422_10P_CBYCRY = 0x021400A2;

    /** YCbCr709_422_12. */
    public static final int YCBCR709_422_12 = 0x02200097;

    /** YCbCr709_422_12_CbYCrY. */
    public static final int YCBCR709_422_12_CBYCRY = 0x022000A3;

    /** YCbCr709_422_12p. */
    public static final int YCBCR709_422_12P = 0x02180098;

    /** YCbCr709_422_12p_CbYCrY. */
    public static final int YCBCR709_422_12P_CBYCRY = 0x021800A4;

    /** YCbCr2020_8_CbYCr. */
    public static final int YCBCR2020_8_CBYCR = 0x021800F4;

    /** YCbCr2020_10_CbYCr. */
    public static final int YCBCR2020_10_CBYCR = 0x023000F5;

    /** YCbCr2020_10p_CbYCr. */
    public static final int YCBCR2020_10P_CBYCR = 0x021E00F6;

    /** YCbCr2020_12_CbYCr. */
    public static final int YCBCR2020_12_CBYCR = 0x023000F7;

    /** YCbCr2020_12p_CbYCr. */
    public static final int YCBCR2020_12P_CBYCR = 0x022400F8;

    /** YCbCr2020_411_8_CbYYCrYY. */
    public static final int YCBCR2020_411_8_CBYYCRYY = 0x020C00F9;

    /** YCbCr2020_422_8. */
    public static final int YCBCR2020_422_8 = 0x021000FA;

    /** YCbCr2020_422_8_CbYCrY. */
    public static final int YCBCR2020_422_8_CBYCRY = 0x021000FB;

    /** YCbCr2020_422_10. */
    public static final int YCBCR2020_422_10 = 0x022000FC;

    /** YCbCr2020_422_10_CbYCrY. */
    public static final int YCBCR2020_422_10_CBYCRY = 0x022000FD;

    /** YCbCr2020_422_10p. */
    public static final int YCBCR2020_422_10P = 0x021400FE;

    /** YCbCr2020_422_10p_CbYCrY. */
    public static final int YCBCR2020_422_10P_CBYCRY = 0x021400FF;

    /** YCbCr2020_422_12. */
    public static final int YCBCR2020_422_12 = 0x02200100;

    /** YCbCr2020_422_12_CbYCrY. */
    public static final int YCBCR2020_422_12_CBYCRY = 0x02200101;

    /** YCbCr2020_422_12p. */
    public static final int YCBCR2020_422_12P = 0x02180102;

    /** YCbCr2020_422_12p_CbYCrY. */
    public static final int YCBCR2020_422_12P_CBYCRY = 0x02180103;

    /** YUV8_UYV. */
    public static final int YUV8_UYV = 0x02180020;

    /** YUV411_8_UYYVYY. */
    public static final int YUV411_8_UYYVYY = 0x020C001E;

    /** YUV422_8. */
    public static final int YUV422_8 = 0x02100032;

    /** YUV422_8_UYVY. */
    public static final int YUV422_8_UYVY = 0x0210001F;

    /** Mono10Packed. From GigE Vision 1.x. */
    public static final int MONO10_PACKED = 0x010C0004;

    /** Mono12Packed. From GigE Vision 1.x. */
    public static final int MONO12_PACKED = 0x010C0006;

    /** BayerBG10Packed. From GigE Vision 1.x. */
    public static final int BAYER_BG10_PACKED = 0x010C0029;

    /** BayerBG12Packed. From GigE Vision 1.x. */
    public static final int BAYER_BG12_PACKED = 0x010C002D;

    /** BayerGB10Packed. From GigE Vision 1.x. */
    public static final int BAYER_GB10_PACKED = 0x010C0028;

    /** BayerGB12Packed. From GigE Vision 1.x. */
    public static final int BAYER_GB12_PACKED = 0x010C002C;

    /** BayerGR10Packed. From GigE Vision 1.x. */
    public static final int BAYER_GR10_PACKED = 0x010C0026;

    /** BayerGR12Packed. From GigE Vision 1.x. */
    public static final int BAYER_GR12_PACKED = 0x010C002A;

    /** BayerRG10Packed. From GigE Vision 1.x. */
    public static final int BAYER_RG10_PACKED = 0x010C0027;

    /** BayerRG12Packed. From GigE Vision 1.x. */
    public static final int BAYER_RG12_PACKED = 0x010C002B;

    /** RGB10V1Packed. From GigE Vision 1.x. */
    public static final int RGB10V1_PACKED = 0x0220001C;

    /** RGB12V1Packed. From GigE Vision 1.x. */
    public static final int RGB12V1_PACKED = 0x02240034;

    /** CUSTOM_BAYER_GR_12_PACKED. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_GR_12_PACKED = 0x810C0001;

    /** CUSTOM_BAYER_RG_12_PACKED. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_RG_12_PACKED = 0x810C0002;

    /** CUSTOM_BAYER_GB_12_PACKED. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_GB_12_PACKED = 0x810C0003;

    /** CUSTOM_BAYER_BG_12_PACKED. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_BG_12_PACKED = 0x810C0004;

    /** CUSTOM_YUV_422_YUYV_PACKED. Vendor code, usable as raw data only. */
    public static final int CUSTOM_YUV_422_YUYV_PACKED = 0x82100005;

    /** CUSTOM_BAYER_GR_16. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_GR_16 = 0x81100006;

    /** CUSTOM_BAYER_RG_16. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_RG_16 = 0x81100007;

    /** CUSTOM_BAYER_GB_16. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_GB_16 = 0x81100008;

    /** CUSTOM_BAYER_BG_16. Vendor code, usable as raw data only. */
    public static final int CUSTOM_BAYER_BG_16 = 0x81100009;

    private PfncCodes() {}
}
