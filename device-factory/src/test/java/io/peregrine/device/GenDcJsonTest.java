package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcReport;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class GenDcJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static void assertJson(String expected, String json) throws IOException {
        // Jackson tells an int from a long of the same value, which JSON does not: compare what both parse to.
        JsonNode actual = MAPPER.readTree(json);
        assertEquals(MAPPER.readTree(expected.replace('\'', '"')).toPrettyString(), actual.toPrettyString());
    }

    @Test
    void printsEveryFieldOfAnImage() throws IOException {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(-1)
                .timestampPtp(true)
                .variableFields(0x24)
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .groupId(3)
                        .sourceId(1)
                        .regionId(2)
                        .regionOffset(4, 6)
                        .timestamp(9)
                        .part2d(p -> p.size(13, 4).padding(3, 5).typeSpecific(-1)))
                .build();

        // 64 + 56 + 64 bytes of headers; (13 + 3) * 4 + 5 = 69 bytes of data.
        assertJson("""
                {'version': '1.1.0', 'flags': 1, 'timestampPtp': true, 'componentInvalid': false,
                 'headerSizeBytes': 64, 'id': 18446744073709551615, 'final': false, 'variableFields': 36,
                 'variable': ['SizeY', 'Timestamp'], 'dataSize': 69, 'dataOffset': 184,
                 'descriptorSizeBytes': 184, 'containerSizeBytes': 253,
                 'components': [{'headerOffset': 64, 'headerSizeBytes': 56, 'flags': 0, 'invalid': false,
                   'type': 'INTENSITY', 'typeId': 1, 'format': 'Mono8', 'formatCode': '0x01080001', 'groupId': 3,
                   'sourceId': 1, 'regionId': 2, 'regionOffsetX': 4, 'regionOffsetY': 6, 'timestamp': 9,
                   'parts': [{'headerOffset': 120, 'headerSizeBytes': 64, 'type': '2D', 'headerType': '0x4200',
                     'flags': 0, 'usable': true, 'format': 'Mono8', 'formatCode': '0x01080001', 'flowId': 0,
                     'flowOffset': 184, 'dataSize': 69, 'dataOffset': 184, 'sizeX': 13, 'sizeY': 4, 'paddingX': 3,
                     'paddingY': 5, 'typeSpecific': [18446744073709551615]}]}],
                 'problems': []}
                """, GenDcJson.of(descriptor));
    }

    @Test
    void printsWhatEachKindOfPartHas() throws IOException {
        JsonNode parts = MAPPER.readTree(GenDcJson.of(GenDcDescriptor.builder()
                        .component(c -> c.typeId(0x8001)
                                .format(PfncCodes.DATA8)
                                .partChunk(p -> p.size(28).layoutId(5))
                                .partXml(p -> p.size(22).padding(2).layoutId(9).xml(false, true))
                                .partH264(
                                        new H264Parameters(1, 2, 1, 4, 5, 6, 7, 8),
                                        p -> p.size(4, 2).dataSize(4)))
                        .build()))
                .at("/components/0/parts");

        assertJson("""
                {'headerOffset': 136, 'headerSizeBytes': 64, 'type': 'Chunk', 'headerType': '0x4000', 'flags': 0,
                 'usable': true, 'format': 'Data8', 'formatCode': '0x01080116', 'flowId': 0, 'flowOffset': 336,
                 'dataSize': 28, 'dataOffset': 336, 'size': 28, 'padding': 0, 'layoutId': 5, 'typeSpecific': []}
                """, parts.get(0).toString());
        assertJson("""
                {'headerOffset': 200, 'headerSizeBytes': 64, 'type': 'XML', 'headerType': '0x4001', 'flags': 512,
                 'usable': true, 'format': 'Data8', 'formatCode': '0x01080116', 'flowId': 0, 'flowOffset': 364,
                 'dataSize': 24, 'dataOffset': 364, 'size': 22, 'padding': 2, 'layoutId': 9, 'zipped': false,
                 'forChunk': true, 'typeSpecific': []}
                """, parts.get(1).toString());
        assertJson("""
                {'profileIdc': 1, 'constraintSets': 2, 'packetizationMode': 1, 'levelIdc': 4, 'interleavingDepth': 5,
                 'maxDonDifference': 6, 'deinterleavingBufferBytes': 7, 'initialBufferTime': 8}
                """, parts.at("/2/h264").toString());
    }

    @Test
    void printsProblemsAndTheVerdict() throws IOException {
        byte[] bytes = GenDcDescriptor.builder()
                .component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(4, 2)))
                .build()
                .toBytes();
        JsonNode cut = MAPPER.readTree(GenDcJson.of(GenDcReport.of(ByteBuffer.wrap(bytes))));

        assertEquals(
                "[{\"severity\":\"WARNING\",\"text\":\"the container has 184 bytes, only 176 are there\"},"
                        + "{\"severity\":\"PART_REJECTED\",\"component\":0,\"part\":0,\"text\":"
                        + "\"data of 8 bytes at 176 is beyond the 176 bytes that are there\"}]",
                cut.at("/problems").toString());
        assertEquals("false", cut.at("/usable").toString());
        assertEquals("false", cut.at("/container/components/0/parts/0/usable").toString());
        assertEquals(
                cut.at("/container").toPrettyString(),
                MAPPER.readTree(GenDcJson.of(GenDcContainer.parse(ByteBuffer.wrap(bytes))))
                        .toPrettyString());
        assertJson("""
                {'usable': false, 'strictlyConformant': false, 'problems': [{'severity': 'CONTAINER_REJECTED',
                 'text': '3 bytes are no container: its header alone has 56 bytes'}]}
                """, GenDcJson.of(GenDcReport.of(ByteBuffer.allocate(3))));
    }

    @Test
    void printsFlowTables() throws IOException {
        assertJson("{'flowSizes': [384, 9223372036854775807]}", GenDcJson.of(FlowTable.of(384, Long.MAX_VALUE)));
    }
}
