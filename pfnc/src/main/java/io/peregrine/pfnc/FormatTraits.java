package io.peregrine.pfnc;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What the list says about a format beyond its code and name.
 *
 * @param family meaning of the components
 * @param sequence the values of the smallest group that repeats, in the order in which they lie (first plane first)
 * @param components the components of a pixel, each once, in that order
 * @param significantBits bits that carry the value, the most of them when components differ
 * @param valueType what the bits are
 * @param packing how values share bytes
 * @param arrangement planes
 * @param subsampling pixels that share chroma
 * @param filter colour filters over the pixels
 * @param encoding how luma and chroma were made
 * @param assumed whether the layout is taken from the name alone
 */
record FormatTraits(
        ColourFamily family,
        List<PixelComponent> sequence,
        List<PixelComponent> components,
        int significantBits,
        ValueType valueType,
        Packing packing,
        PlaneArrangement arrangement,
        Subsampling subsampling,
        Optional<ColourFilter> filter,
        Optional<ColourEncoding> encoding,
        boolean assumed) {

    static final FormatTraits UNKNOWN = of(ColourFamily.UNKNOWN, 0, Packing.OTHER);

    static FormatTraits of(ColourFamily family, int significantBits, Packing packing, PixelComponent... sequence) {
        List<PixelComponent> values = List.of(sequence);
        // A pixel of a two-colour sensor has green, and either red or blue.
        List<PixelComponent> components = family == ColourFamily.BICOLOUR
                ? List.of(PixelComponent.MOSAIC, PixelComponent.GREEN)
                : List.copyOf(new LinkedHashSet<>(values));
        return new FormatTraits(
                family,
                values,
                components,
                significantBits,
                ValueType.UNSIGNED,
                packing,
                PlaneArrangement.INTERLEAVED,
                Subsampling.NONE,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    FormatTraits type(ValueType newType) {
        return with(newType, arrangement, subsampling, filter, encoding, assumed);
    }

    FormatTraits planes(PlaneArrangement newArrangement) {
        return with(valueType, newArrangement, subsampling, filter, encoding, assumed);
    }

    FormatTraits chroma(Subsampling newSubsampling) {
        return with(valueType, arrangement, newSubsampling, filter, encoding, assumed);
    }

    FormatTraits behind(ColourFilter newFilter) {
        return with(valueType, arrangement, subsampling, Optional.of(newFilter), encoding, assumed);
    }

    FormatTraits made(ColourEncoding newEncoding) {
        return with(valueType, arrangement, subsampling, filter, Optional.of(newEncoding), assumed);
    }

    FormatTraits assumption() {
        return with(valueType, arrangement, subsampling, filter, encoding, true);
    }

    private FormatTraits with(
            ValueType newType,
            PlaneArrangement newArrangement,
            Subsampling newSubsampling,
            Optional<ColourFilter> newFilter,
            Optional<ColourEncoding> newEncoding,
            boolean newAssumed) {
        return new FormatTraits(
                family,
                sequence,
                components,
                significantBits,
                newType,
                packing,
                newArrangement,
                newSubsampling,
                newFilter,
                newEncoding,
                newAssumed);
    }
}
