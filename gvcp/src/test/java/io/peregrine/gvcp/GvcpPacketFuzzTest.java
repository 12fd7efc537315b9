package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

class GvcpPacketFuzzTest {
    private static final List<Function<ByteBuffer, Object>> DECODERS = List.of(
            CommandHeader::decode,
            AckHeader::decode,
            DiscoveryCommand::decode,
            DiscoveryAck::decode,
            ForceIpCommand::decode,
            PacketResendCommand::decode,
            ReadRegisterCommand::decode,
            ReadRegisterAck::decode,
            WriteRegisterCommand::decode,
            WriteRegisterAck::decode,
            ReadMemoryCommand::decode,
            ReadMemoryAck::decode,
            WriteMemoryCommand::decode,
            WriteMemoryAck::decode,
            PendingAck::decode,
            EmptyAck::decode,
            EventCommand::decode,
            EventDataCommand::decode,
            ActionCommand::decode);

    @FuzzTest(maxDuration = "60s")
    void decodesOrRejectsAnyBytes(byte[] bytes) {
        for (Function<ByteBuffer, Object> decoder : DECODERS) {
            try {
                String text = decoder.apply(ByteBuffer.wrap(bytes)).toString();
                assertEquals(text, text.strip());
            } catch (MalformedPacketException e) {
                assertEquals(MalformedPacketException.class, e.getClass());
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void whatIsDecodedSurvivesTheWayBack(byte[] bytes) {
        try {
            GvcpCommand command = GvcpCommand.decode(ByteBuffer.wrap(bytes));
            assertEquals(command, GvcpCommand.decode(ByteBuffer.wrap(command.encode())));
        } catch (MalformedPacketException e) {
            assertEquals(MalformedPacketException.class, e.getClass());
        }
    }
}
