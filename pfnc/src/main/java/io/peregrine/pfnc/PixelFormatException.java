package io.peregrine.pfnc;

/**
 * A format, a geometry or a buffer that a conversion cannot work with. The message says what is wrong and what to do.
 */
public final class PixelFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PixelFormatException(String message) {
        super(message);
    }
}
