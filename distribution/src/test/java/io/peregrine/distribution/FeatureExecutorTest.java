package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.distribution.FeatureAnswer.Status;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What requests of those who have the key do, and cannot do. */
class FeatureExecutorTest {
    private static final String HEAD = """
            <RegisterDescription ModelName="M" VendorName="V" StandardNameSpace="None" SchemaMajorVersion="1"
             SchemaMinorVersion="1" SchemaSubMinorVersion="0" MajorVersion="1" MinorVersion="0" SubMinorVersion="0"
             xmlns="http://www.genicam.org/GenApi/Version_1_1">
            """;
    private static final String DESCRIPTION = HEAD + """
            <IntReg Name="R"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>
             <Sign>Unsigned</Sign><Endianess>LittleEndian</Endianess></IntReg>
            <Integer Name="TLParamsLocked"><Value>0</Value><Min>0</Min><Max>1</Max></Integer>
            <Port Name="Device"/></RegisterDescription>""";

    private final NodeMap nodes = nodes(DESCRIPTION);
    private final FeatureExecutor executor = new FeatureExecutor(nodes);

    private static NodeMap nodes(String description) {
        return NodeMap.load(description.getBytes(StandardCharsets.UTF_8), Port.memory(4096));
    }

    private FeatureAnswer execute(FeatureMessage.Type type, ByteBuffer body) {
        byte[] bytes = new byte[body.capacity()];
        body.get(0, bytes);
        return executor.execute(FeatureMessage.of(type, 1, 1, 1, bytes));
    }

    private static ByteBuffer body(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void placesAreReadInTheirOrder() {
        nodes.integer("R").set(0x04030201);
        FeatureAnswer answer = execute(
                FeatureMessage.Type.READ,
                body(20).putLong(2).putShort((short) 2).putLong(0).putShort((short) 1));
        assertArrayEquals(new byte[] {3, 4, 1}, answer.data());
    }

    @Test
    void whatIsWrittenShowsInFeaturesThatWereRead() {
        nodes.integer("R").value();
        execute(FeatureMessage.Type.WRITE, body(12).putLong(0).putInt(99));
        assertEquals(99, nodes.integer("R").value());
    }

    @Test
    void whatIsOutsideTheRegistersIsRefused() {
        FeatureAnswer answer =
                execute(FeatureMessage.Type.WRITE, body(12).putLong(1 << 20).putInt(99));
        assertEquals(Status.REFUSED, answer.status());
    }

    @Test
    void moreThanAnAnswerHoldsIsRefused() {
        FeatureAnswer answer = execute(
                FeatureMessage.Type.READ,
                body(20).putLong(0).putShort((short) 1000).putLong(0).putShort((short) 25));
        assertEquals(Status.REFUSED, answer.status());
    }

    @Test
    void aPlaceThatIsCutOffIsRefused() {
        assertEquals(Status.REFUSED, execute(FeatureMessage.Type.READ, body(9)).status());
    }

    @Test
    void aWriteWithoutAnAddressIsRefused() {
        assertEquals(Status.REFUSED, execute(FeatureMessage.Type.WRITE, body(7)).status());
    }

    @Test
    void anAnswerSaysWhetherTheCameraStreams() {
        nodes.integer("TLParamsLocked").set(1);
        assertEquals(true, execute(FeatureMessage.Type.STATE, body(0)).locked());
    }

    @Test
    void anAnswerCountsChangesThroughIt() {
        FeatureAnswer first =
                execute(FeatureMessage.Type.WRITE, body(12).putLong(0).putInt(99));
        assertEquals(
                first.after(),
                execute(FeatureMessage.Type.READ, body(10).putLong(0).putShort((short) 4))
                        .before());
    }

    @Test
    void aCameraWithoutRegistersIsRefused() {
        NodeMap bare = nodes(HEAD + "<Integer Name=\"I\"><Value>1</Value></Integer></RegisterDescription>");
        assertThrows(DistributionException.class, () -> new FeatureExecutor(bare));
    }
}
