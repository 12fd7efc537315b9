package io.peregrine.virtualcamera;

/**
 * A feature with its registers.
 *
 * @param feature the feature
 * @param address of the first instance
 * @param instances how many there are, one after the other
 */
record PlacedFeature(DeviceFeature<?> feature, int address, int instances) {
    int address(int index) {
        return address + index * feature.bytes();
    }
}
