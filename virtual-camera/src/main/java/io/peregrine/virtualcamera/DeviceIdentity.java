package io.peregrine.virtualcamera;

/**
 * What a device says of itself in its first registers.
 *
 * @param mode device mode register: byte order, class, character set
 * @param vendor up to 31 bytes
 * @param model up to 31 bytes
 * @param version up to 31 bytes
 * @param information up to 47 bytes
 * @param serial up to 15 bytes
 * @param linkSpeedMegabits speed of the link
 * @param xmlName name of the description without its ending
 * @param xml the description
 * @param zippedXml whether the first URL names the zipped description
 */
record DeviceIdentity(
        int mode,
        String vendor,
        String model,
        String version,
        String information,
        String serial,
        int linkSpeedMegabits,
        String xmlName,
        String xml,
        boolean zippedXml) {
    /** Big-endian transmitter with texts in UTF-8. */
    static final int TRANSMITTER = 0x80000001;

    /** Big-endian peripheral with texts in UTF-8. */
    static final int PERIPHERAL = 0xB0000001;
}
