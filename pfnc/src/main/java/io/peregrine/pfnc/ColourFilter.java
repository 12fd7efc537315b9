package io.peregrine.pfnc;

/**
 * The mosaic of colour filters on a sensor (PFNC 2.4, chapters 3.1.7 and 3.1.9). A name begins with the colours of the
 * first line: BayerRG is RG over GB.
 */
public enum ColourFilter {
    /** RG over GB. */
    BAYER_RG("RG/GB"),
    /** GR over BG. */
    BAYER_GR("GR/BG"),
    /** GB over RG. */
    BAYER_GB("GB/RG"),
    /** BG over GR. */
    BAYER_BG("BG/GR"),
    /** First line white, blue, white, green. */
    SCF1_WBWG("WBWG/BWGW/WGWR/GWRW"),
    /** First line white, green, white, blue. */
    SCF1_WGWB("WGWB/GWBW/WRWG/RWGW"),
    /** First line white, green, white, red. */
    SCF1_WGWR("WGWR/GWRW/WBWG/BWGW"),
    /** First line white, red, white, green. */
    SCF1_WRWG("WRWG/RWGW/WGWB/GWBW");

    private final String tile;
    private final int size;

    ColourFilter(String lines) {
        tile = lines.replace("/", "");
        size = lines.indexOf('/');
    }

    /**
     * The filter over a pixel.
     *
     * @return {@code 'R'}, {@code 'G'}, {@code 'B'}, or {@code 'W'} for none
     */
    public char at(int x, int y) {
        return tile.charAt(Math.floorMod(y, size) * size + Math.floorMod(x, size));
    }
}
