package io.peregrine.virtualcamera;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The pixel formats of the virtual camera: PFNC codes. */
final class Formats {
    static final int MONO8 = 0x01080001;
    static final int MONO12 = 0x01100005;
    static final int MONO12P = 0x010C0047;
    static final int MONO16 = 0x01100007;
    static final int BAYER_RG8 = 0x01080009;
    static final int RGB8 = 0x02180014;
    static final int COORD3D_C16 = 0x011000B8;
    static final int CONFIDENCE8 = 0x010800C6;
    static final int MONO10P = 0x010A0046;
    static final int MONO10_PACKED = 0x010C0004;
    static final int MONO12_PACKED = 0x010C0006;
    static final int BAYER_RG10P = 0x010A0058;
    static final int BAYER_RG12P = 0x010C0059;
    static final int YCBCR422_8 = 0x0210003B;
    static final int YCBCR422_8_CBYCRY = 0x02100043;
    static final int RGB8_PLANAR = 0x02180021;
    static final int R8 = 0x010800C9;
    static final int G8 = 0x010800CD;
    static final int B8 = 0x010800D1;
    static final int COORD3D_ABC32F = 0x026000C0;
    static final int COORD3D_ABC32F_PLANAR = 0x026000C1;
    static final int COORD3D_A32F = 0x012000BD;
    static final int COORD3D_B32F = 0x012000BE;
    static final int COORD3D_C32F = 0x012000BF;
    static final int DATA8 = 0x01080116;

    /** The formats of the intensity. */
    static final Map<String, Integer> BY_NAME = byName();

    /** What PixelFormat offers, in the order of the XML. */
    static final List<Integer> OFFERED = List.of(
            MONO8,
            MONO12P,
            MONO16,
            BAYER_RG8,
            RGB8,
            MONO10P,
            MONO10_PACKED,
            MONO12_PACKED,
            BAYER_RG10P,
            BAYER_RG12P,
            YCBCR422_8,
            YCBCR422_8_CBYCRY,
            RGB8_PLANAR,
            COORD3D_ABC32F,
            COORD3D_ABC32F_PLANAR,
            MONO12);

    private Formats() {}

    private static Map<String, Integer> byName() {
        Map<String, Integer> map = new TreeMap<>();
        map.put("Mono8", MONO8);
        map.put("Mono12", MONO12);
        map.put("Mono12p", MONO12P);
        map.put("Mono16", MONO16);
        map.put("RGB8", RGB8);
        map.put("BayerRG8", BAYER_RG8);
        map.put("Mono10p", MONO10P);
        map.put("Mono10Packed", MONO10_PACKED);
        map.put("Mono12Packed", MONO12_PACKED);
        map.put("BayerRG10p", BAYER_RG10P);
        map.put("BayerRG12p", BAYER_RG12P);
        map.put("YCbCr422_8", YCBCR422_8);
        map.put("YCbCr422_8_CbYCrY", YCBCR422_8_CBYCRY);
        return map;
    }
}
