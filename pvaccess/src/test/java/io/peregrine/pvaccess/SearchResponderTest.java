package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes from the protocol specification of pvAccess (searchRequest, searchResponse). */
class SearchResponderTest {
    /** Sequence 5, answer to port 0x1234, protocol tcp, names A (7) and BC (8). */
    private static final String LITTLE = "ca020003" + "2e000000" + "05000000" + "00000000" + "00".repeat(16) + "3412"
            + "01" + "03746370" + "0200" + "07000000" + "0141" + "08000000" + "024243";

    private static final String BIG = "ca028003" + "0000002e" + "00000005" + "00000000" + "00".repeat(16) + "1234"
            + "01" + "03746370" + "0002" + "00000007" + "0141" + "00000008" + "024243";

    private static List<SearchResponder.Answer> answers(String hex, String known) {
        return SearchResponder.answers(ByteBuffer.wrap(HexFormat.of().parseHex(hex)), 99, known::equals);
    }

    @Test
    void aKnownNameIsAnswered() {
        assertEquals(List.of(new SearchResponder.Answer(0x1234, 5, List.of(8))), answers(LITTLE, "BC"));
    }

    @Test
    void bothByteOrdersAreRead() {
        assertEquals(answers(LITTLE, "A"), answers(BIG, "A"));
    }

    @Test
    void unknownNamesAreNot() {
        assertEquals(List.of(), answers(LITTLE, "C"));
    }

    @Test
    void aPacketMayHoldSeveralSearches() {
        assertEquals(2, answers(LITTLE + BIG, "A").size());
    }

    @Test
    void anAskerWithoutAPortIsAnsweredWhereItSent() {
        assertEquals(99, answers(LITTLE.replace("3412", "0000"), "A").get(0).port());
    }

    @Test
    void aSearchForServersIsAnsweredWhenItWantsTo() {
        String which = "ca020003" + "1d000000" + "05000000" + "81000000" + "00".repeat(16) + "3412" + "00" + "0000";
        assertEquals(List.of(new SearchResponder.Answer(0x1234, 5, List.of())), answers(which, ""));
        assertEquals(List.of(), answers(which.replace("81000000", "80000000"), ""));
    }

    @Test
    void aMessageThatClaimsMoreThanItHasIsNone() {
        assertThrows(RuntimeException.class, () -> answers(LITTLE.replace("2e000000", "2f000000"), "A"));
        assertThrows(RuntimeException.class, () -> answers(LITTLE.replace("2e000000", "ffffffff"), "A"));
    }

    @Test
    void anAnswerNamesTheServer() {
        byte[] answer = new SearchResponder.Answer(1, 5, List.of(8))
                .toBytes(new byte[12], new InetSocketAddress(InetAddress.getLoopbackAddress(), 0x1234));

        assertEquals(
                "ca024004" + "2d000000" + "00".repeat(12) + "05000000" + "00".repeat(10) + "ffff7f000001" + "3412"
                        + "03746370" + "01" + "0100" + "08000000",
                HexFormat.of().formatHex(answer));
    }
}
