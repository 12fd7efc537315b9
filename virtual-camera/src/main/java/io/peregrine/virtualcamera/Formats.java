package io.peregrine.virtualcamera;

import java.util.Map;
import java.util.TreeMap;

/** The pixel formats of the virtual camera: PFNC codes. */
final class Formats {
    static final int MONO8 = 0x01080001;
    static final int MONO12P = 0x010C0047;
    static final int MONO16 = 0x01100007;
    static final int BAYER_RG8 = 0x01080009;
    static final int RGB8 = 0x02180014;
    static final int COORD3D_C16 = 0x011000B8;
    static final int CONFIDENCE8 = 0x010800C6;

    /** The formats of the intensity. */
    static final Map<String, Integer> BY_NAME = byName();

    private Formats() {}

    private static Map<String, Integer> byName() {
        Map<String, Integer> map = new TreeMap<>();
        map.put("Mono8", MONO8);
        map.put("Mono12p", MONO12P);
        map.put("Mono16", MONO16);
        map.put("RGB8", RGB8);
        map.put("BayerRG8", BAYER_RG8);
        return map;
    }
}
