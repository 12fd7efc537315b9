package io.peregrine.device;

import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspLeader;

/**
 * What a stream channel sends: the bits of SCCFG. Each bit is touched only if SCC says that the device has it.
 *
 * @param value what SCCFG must be
 * @param genDc whether the device will send containers
 * @param multiPart whether the device may send parts
 */
record PayloadConfiguration(int value, boolean genDc, boolean multiPart) {

    /**
     * Decides for the payload that can carry the most: GenDC, then multi-part. A device that may send parts decides by
     * its features whether it does.
     *
     * @param capability SCC of the channel
     * @param present SCCFG as it is
     * @param genDcUsable whether the device also says where descriptor and flow table are, and did not refuse
     * @param choice what the user asked for
     * @param chunkMode whether chunk data is switched on
     */
    static PayloadConfiguration decide(
            int capability, int present, boolean genDcUsable, OpenOptions.Payload choice, boolean chunkMode) {
        boolean genDcOffered = (capability & StreamChannelRegister.SCC_GENDC) != 0;
        boolean multiPartOffered = (capability & StreamChannelRegister.SCC_MULTI_PART) != 0;
        boolean genDc = genDcOffered
                && genDcUsable
                && (choice == OpenOptions.Payload.AUTOMATIC || choice == OpenOptions.Payload.GENDC);
        boolean multiPart = multiPartOffered
                && !genDc
                && (choice == OpenOptions.Payload.AUTOMATIC || choice == OpenOptions.Payload.MULTI_PART);
        int value = present;
        if (genDcOffered) {
            value = with(value, StreamChannelRegister.SCCFG_GENDC, genDc);
        }
        if (multiPartOffered) {
            value = with(value, StreamChannelRegister.SCCFG_MULTI_PART, multiPart);
        }
        if (multiPart && (capability & StreamChannelRegister.SCC_LARGE_LEADER_TRAILER) != 0) {
            // A leader of 12 parts is larger than the 576 bytes that a device may send without it.
            value |= StreamChannelRegister.SCCFG_LARGE_LEADER_TRAILER;
        }
        if (chunkMode && (capability & StreamChannelRegister.SCC_EXTENDED_CHUNK_DATA) != 0) {
            // Without it the image is itself a chunk, and no leader has its geometry.
            value |= StreamChannelRegister.SCCFG_EXTENDED_CHUNK_DATA;
        }
        return new PayloadConfiguration(value, genDc, multiPart);
    }

    /**
     * The same for a device that is to go on sending without its controller, or is not.
     *
     * @param capability SCC of the channel
     * @throws DeviceException if it is to, and cannot
     */
    PayloadConfiguration withUnconditionalStreaming(int capability, boolean unconditional) {
        boolean offered = (capability & StreamChannelRegister.SCC_UNCONDITIONAL_STREAMING) != 0;
        if (unconditional && !offered) {
            throw new DeviceException("UnconditionalStreaming=1 cannot be met: the device does not offer it");
        }
        int bit = StreamChannelRegister.SCCFG_UNCONDITIONAL_STREAMING;
        return offered ? new PayloadConfiguration(with(value, bit, unconditional), genDc, multiPart) : this;
    }

    /** Most bytes that the places of parts need beyond the sizes of the parts, which is all that PayloadSize counts. */
    static long alignmentBytes() {
        return GvspLeader.MAX_PARTS * (GvspLeader.PART_ALIGNMENT_BYTES - 1L);
    }

    private static int with(int value, int bit, boolean set) {
        return set ? value | bit : value & ~bit;
    }
}
