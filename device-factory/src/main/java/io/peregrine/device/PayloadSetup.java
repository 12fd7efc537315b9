package io.peregrine.device;

import io.peregrine.genapi.NodeMap;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;

/** The payload of one stream channel: what the device is set to send, and how large it is. */
final class PayloadSetup {
    private static final System.Logger LOGGER = System.getLogger(PayloadSetup.class.getName());
    private static final long MAX_FLOW_TABLE_BYTES = 16 + 8L * 4096;

    private final DeviceContext device;
    private final AcquisitionShare acquisition;
    private final int index;
    private final int registers;

    PayloadSetup(DeviceContext device, AcquisitionShare acquisition, int index) {
        this.device = device;
        this.acquisition = acquisition;
        this.index = index;
        registers = StreamChannelRegister.address(index, 0);
    }

    /** Sizes of the flows that a payload needs, in bytes. */
    long[] flowSizes(ControlChannel control, boolean genDc, boolean multiPart) {
        return genDc ? flowSizes(control) : new long[] {payloadSize(multiPart)};
    }

    /**
     * Sets the device to the payload that was requested, or that it supports best.
     *
     * @throws DeviceException if it does not offer the requested payload
     */
    PayloadConfiguration configure(ControlChannel control) {
        OpenOptions.Payload choice = device.parameters().payload();
        int capability = capability(control);
        PayloadConfiguration wanted = configure(control, capability, capability != 0 && extendedBootstrap(control));
        if (wanted.genDc() && refusesGenDc(device.nodes())) {
            wanted = configure(control, capability, false);
        }
        boolean met = switch (choice) {
            case AUTOMATIC, IMAGE -> true;
            case MULTI_PART -> wanted.multiPart();
            case GENDC -> wanted.genDc();
        };
        if (!met) {
            throw new DeviceException(
                    "Payload=" + choice.text() + " cannot be met: the device does not offer it on stream " + index);
        }
        return wanted;
    }

    private PayloadConfiguration configure(ControlChannel control, int capability, boolean genDcUsable) {
        NodeMap nodes = device.nodes();
        // Some devices have no SCCFG: without capabilities there is nothing to switch.
        int present = capability == 0 ? 0 : control.readRegister(registers + StreamChannelRegister.SCCFG);
        PayloadConfiguration wanted = PayloadConfiguration.decide(
                        capability, present, genDcUsable, device.parameters().payload(), chunkMode(nodes))
                .withUnconditionalStreaming(
                        capability, device.parameters().destination().unconditional());
        if (wanted.genDc() || wanted.multiPart()) {
            // Both need 64-bit block ids and 32-bit packet ids (GigE Vision 2.1 and 2.2; dissector facts).
            int gvsp = control.readRegister(BootstrapRegister.GVSP_CONFIGURATION);
            int extended = gvsp | BootstrapRegister.GVSP_CONFIGURATION_EXTENDED_BLOCK_ID;
            if (extended != gvsp) {
                control.writeRegister(BootstrapRegister.GVSP_CONFIGURATION, extended);
            }
        }
        // What a stream of the device uses already is locked, and is as it was made for that one.
        boolean shared = acquisition.running();
        if (wanted.value() != present || (wanted.genDc() && !shared)) {
            control.writeRegister(registers + StreamChannelRegister.SCCFG, wanted.value());
        }
        if (!shared
                && (capability & StreamChannelRegister.SCC_GENDC) != 0
                && NodeAccess.writable(nodes, "GenDCStreamingMode")) {
            nodes.enumeration("GenDCStreamingMode").set(wanted.genDc() ? "On" : "Off");
        }
        nodes.invalidateAll();
        return wanted;
    }

    /** GenDCStreamingMode only asks; a device whose other features stand against containers sends none. */
    private static boolean refusesGenDc(NodeMap nodes) {
        return NodeAccess.readable(nodes, "GenDCStreamingStatus")
                && "Off".equals(nodes.enumeration("GenDCStreamingStatus").value());
    }

    private static boolean chunkMode(NodeMap nodes) {
        return NodeAccess.readable(nodes, "ChunkModeActive")
                && nodes.bool("ChunkModeActive").value();
    }

    /** SCC, or 0 for a device that does not have the register. */
    int capability(ControlChannel control) {
        try {
            return control.readRegister(registers + StreamChannelRegister.SCC);
        } catch (DeviceException e) {
            // Devices before 2.0 need not have it.
            LOGGER.log(System.Logger.Level.DEBUG, "No capability register of the stream channel", e);
            return 0;
        }
    }

    private static boolean extendedBootstrap(ControlChannel control) {
        try {
            return (control.readRegister(BootstrapRegister.STREAM_CHANNEL_CAPABILITY)
                            & BootstrapRegister.STREAM_CAPABILITY_EXTENDED_BOOTSTRAP)
                    != 0;
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No capability register for an extended bootstrap block", e);
            return false;
        }
    }

    /** Sizes of the flows of a device that sends GenDC, in bytes. */
    long[] flowSizes(ControlChannel control) {
        int extension = control.readRegister(registers + StreamChannelRegister.SCEBA);
        int address = control.readRegister(extension + StreamChannelRegister.SCGFTA);
        long size = Integer.toUnsignedLong(control.readRegister(extension + StreamChannelRegister.SCGFTS));
        if (size < 24 || size > MAX_FLOW_TABLE_BYTES) {
            throw new DeviceException("The device gives its GenDC flow table a size of " + size + " bytes: 24 to "
                    + MAX_FLOW_TABLE_BYTES + " were expected");
        }
        return FlowTable.parse(ByteBuffer.wrap(control.readMemory(address, (int) size)))
                .flowSizes();
    }

    /** Bytes of a frame of a device that sends no GenDC. */
    long payloadSize(boolean multiPart) {
        NodeMap nodes = device.nodes();
        if (NodeAccess.readable(nodes, "PayloadSize")) {
            long size = nodes.integer("PayloadSize").value();
            if (size > 0) {
                return multiPart ? Math.addExact(size, PayloadConfiguration.alignmentBytes()) : size;
            }
        }
        return PixelFormat.of((int) nodes.enumeration("PixelFormat").intValue())
                .imageSizeBytes(
                        nodes.integer("Width").value(), nodes.integer("Height").value(), 0, 0);
    }
}
