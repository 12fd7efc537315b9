package io.peregrine.gvcp;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * DISCOVERY_ACK: a device introduces itself. The payload is a copy of its registers 0x0000 to 0x00F7.
 *
 * @param ackId id of the request
 * @param specVersionMajor major version of GigE Vision
 * @param specVersionMinor minor version of GigE Vision
 * @param deviceMode see {@link BootstrapRegister#DEVICE_MODE}
 * @param mac MAC address
 * @param supportedIpConfiguration see {@link BootstrapRegister#SUPPORTED_IP_CONFIGURATION}
 * @param currentIpConfiguration see {@link BootstrapRegister#CURRENT_IP_CONFIGURATION}
 * @param address current IPv4 address
 * @param subnetMask current subnet mask
 * @param gateway current default gateway
 * @param manufacturer manufacturer's name, up to 32 bytes
 * @param model model name, up to 32 bytes
 * @param deviceVersion version of the device, up to 32 bytes
 * @param manufacturerInfo further information of the manufacturer, up to 48 bytes
 * @param serialNumber serial number, up to 16 bytes
 * @param userName name that the user gave, up to 16 bytes
 */
public record DiscoveryAck(
        int ackId,
        int specVersionMajor,
        int specVersionMinor,
        int deviceMode,
        MacAddress mac,
        int supportedIpConfiguration,
        int currentIpConfiguration,
        InetAddress address,
        InetAddress subnetMask,
        InetAddress gateway,
        String manufacturer,
        String model,
        String deviceVersion,
        String manufacturerInfo,
        String serialNumber,
        String userName)
        implements GvcpAck {
    /** Payload bytes. */
    public static final int LENGTH_BYTES = 248;

    private static final int MODE_OFFSET = 4;
    private static final int MAC_OFFSET = 10;
    private static final int SUPPORTED_OFFSET = 16;
    private static final int CURRENT_OFFSET = 20;
    private static final int ADDRESS_OFFSET = 36;
    private static final int MASK_OFFSET = 52;
    private static final int GATEWAY_OFFSET = 68;
    private static final int MANUFACTURER_OFFSET = 72;
    private static final int MODEL_OFFSET = 104;
    private static final int VERSION_OFFSET = 136;
    private static final int INFO_OFFSET = 168;
    private static final int SERIAL_OFFSET = 216;
    private static final int USER_NAME_OFFSET = 232;

    private static final int NAME_BYTES = 32;
    private static final int INFO_BYTES = 48;
    private static final int SHORT_NAME_BYTES = 16;

    /** Checks the ranges. */
    public DiscoveryAck {
        Wire.requireU16("specVersionMajor", specVersionMajor);
        Wire.requireU16("specVersionMinor", specVersionMinor);
        Wire.requireIpv4(address);
        Wire.requireIpv4(subnetMask);
        Wire.requireIpv4(gateway);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static DiscoveryAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram, Gvcp.DISCOVERY_ACK);
        if (!header.status().success()) {
            throw new MalformedPacketException("DISCOVERY_ACK with status " + header.status());
        }
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.DISCOVERY_ACK, payload, LENGTH_BYTES);
        return new DiscoveryAck(
                header.ackId(),
                Wire.u16(payload, 0),
                Wire.u16(payload, 2),
                payload.getInt(MODE_OFFSET),
                Wire.mac(payload, MAC_OFFSET),
                payload.getInt(SUPPORTED_OFFSET),
                payload.getInt(CURRENT_OFFSET),
                Wire.address(payload, ADDRESS_OFFSET),
                Wire.address(payload, MASK_OFFSET),
                Wire.address(payload, GATEWAY_OFFSET),
                Wire.text(payload, MANUFACTURER_OFFSET, NAME_BYTES),
                Wire.text(payload, MODEL_OFFSET, NAME_BYTES),
                Wire.text(payload, VERSION_OFFSET, NAME_BYTES),
                Wire.text(payload, INFO_OFFSET, INFO_BYTES),
                Wire.text(payload, SERIAL_OFFSET, SHORT_NAME_BYTES),
                Wire.text(payload, USER_NAME_OFFSET, SHORT_NAME_BYTES));
    }

    @Override
    public byte[] encode() {
        ByteBuffer packet = Wire.acknowledge(GvcpStatus.SUCCESS, Gvcp.DISCOVERY_ACK, LENGTH_BYTES, ackId);
        ByteBuffer payload = packet.slice();
        payload.putShort(0, (short) specVersionMajor);
        payload.putShort(2, (short) specVersionMinor);
        payload.putInt(MODE_OFFSET, deviceMode);
        Wire.putMac(payload, MAC_OFFSET, mac);
        payload.putInt(SUPPORTED_OFFSET, supportedIpConfiguration);
        payload.putInt(CURRENT_OFFSET, currentIpConfiguration);
        Wire.putAddress(payload, ADDRESS_OFFSET, address);
        Wire.putAddress(payload, MASK_OFFSET, subnetMask);
        Wire.putAddress(payload, GATEWAY_OFFSET, gateway);
        Wire.putText(payload, MANUFACTURER_OFFSET, NAME_BYTES, manufacturer);
        Wire.putText(payload, MODEL_OFFSET, NAME_BYTES, model);
        Wire.putText(payload, VERSION_OFFSET, NAME_BYTES, deviceVersion);
        Wire.putText(payload, INFO_OFFSET, INFO_BYTES, manufacturerInfo);
        Wire.putText(payload, SERIAL_OFFSET, SHORT_NAME_BYTES, serialNumber);
        Wire.putText(payload, USER_NAME_OFFSET, SHORT_NAME_BYTES, userName);
        return Wire.bytes(packet);
    }
}
