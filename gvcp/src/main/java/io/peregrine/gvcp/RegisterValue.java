package io.peregrine.gvcp;

import java.util.Locale;

/**
 * A register and what is to be written to it.
 *
 * @param address a multiple of 4, unsigned
 * @param value 32 bits
 */
public record RegisterValue(int address, int value) {

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s = 0x%08X", BootstrapRegister.describe(address), value);
    }
}
