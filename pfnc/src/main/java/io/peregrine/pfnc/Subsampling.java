package io.peregrine.pfnc;

/** How many pixels share one pair of chroma values (PFNC 2.4, chapter 3.1). */
public enum Subsampling {
    /** 4:4:4, each pixel has its own. */
    NONE(1, 1),
    /** 4:2:2, two pixels of a line. */
    HALF_WIDTH(2, 1),
    /** 4:1:1, four pixels of a line. */
    QUARTER_WIDTH(4, 1),
    /** 4:2:0, two pixels of each of two lines. */
    HALF_WIDTH_AND_HEIGHT(2, 2);

    private final int columns;
    private final int lines;

    Subsampling(int columns, int lines) {
        this.columns = columns;
        this.lines = lines;
    }

    /** Pixels of a line that share chroma. */
    public int columns() {
        return columns;
    }

    /** Lines that share chroma. */
    public int lines() {
        return lines;
    }
}
