package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/** A packet that asks for something. Immutable; made by its constructor or read from a datagram. */
public sealed interface GvcpCommand
        permits DiscoveryCommand,
                ForceIpCommand,
                PacketResendCommand,
                ReadRegisterCommand,
                WriteRegisterCommand,
                ReadMemoryCommand,
                WriteMemoryCommand,
                EventCommand,
                EventDataCommand,
                ActionCommand {

    /**
     * The id that the answer will carry.
     *
     * @return 0..65535; 0 is not to be sent
     */
    int requestId();

    /**
     * The bytes of the packet.
     *
     * @return header and payload
     */
    byte[] encode();

    /**
     * Reads any command.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the command
     * @throws MalformedPacketException if it is not a well-formed command
     */
    static GvcpCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram);
        return switch (header.command()) {
            case Gvcp.DISCOVERY -> DiscoveryCommand.decode(datagram);
            case Gvcp.FORCE_IP -> ForceIpCommand.decode(datagram);
            case Gvcp.PACKET_RESEND -> PacketResendCommand.decode(datagram);
            case Gvcp.READ_REGISTER -> ReadRegisterCommand.decode(datagram);
            case Gvcp.WRITE_REGISTER -> WriteRegisterCommand.decode(datagram);
            case Gvcp.READ_MEMORY -> ReadMemoryCommand.decode(datagram);
            case Gvcp.WRITE_MEMORY -> WriteMemoryCommand.decode(datagram);
            case Gvcp.EVENT -> EventCommand.decode(datagram);
            case Gvcp.EVENT_DATA -> EventDataCommand.decode(datagram);
            case Gvcp.ACTION -> ActionCommand.decode(datagram);
            default -> throw new MalformedPacketException("unknown command " + Gvcp.name(header.command()));
        };
    }
}
