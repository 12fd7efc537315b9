package io.peregrine.rocev2;

import static io.peregrine.rocev2.ConnectionManagerRig.A;
import static io.peregrine.rocev2.ConnectionManagerRig.B;
import static io.peregrine.rocev2.ConnectionManagerRig.MILLISECOND;
import static io.peregrine.rocev2.ConnectionManagerRig.SECOND;
import static io.peregrine.rocev2.ConnectionManagerRig.TIMERS;
import static io.peregrine.rocev2.ConnectionManagerRig.bytes;
import static io.peregrine.rocev2.ConnectionManagerRig.local;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rocev2.CmCounters.Counter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of connecting and disconnecting, message by message. A asks, B is asked. */
class ConnectionManagerTest {
    private static final int PORT = 7174;
    private static final int STRANGER = 0x0A000063;
    private static final byte[] NOTHING = {};
    private static final int MAD_OFFSET = 48;

    private final ConnectionManagerRig rig = new ConnectionManagerRig(1);
    private final ConnectionManager a = rig.manager(A);
    private final ConnectionManager b = rig.manager(B);
    private final ConnectionManagerRig.Requests requests = new ConnectionManagerRig.Requests();
    private final ConnectionManagerRig.Log asking = new ConnectionManagerRig.Log();
    private final ConnectionManagerRig.Log asked = new ConnectionManagerRig.Log();

    @BeforeEach
    void listen() {
        b.listen(PORT, requests);
    }

    // Asking

    @Test
    void theRequestDiffersFromOneThatLinuxAcceptedOnlyInItsOwnValues() {
        byte[] accepted = mad("06-cm-req-user");
        CmReq like = (CmReq) decode(accepted);
        List<byte[]> sent = new ArrayList<>();
        ConnectionManager manager =
                new ConnectionManager(0x0A280002, like.caGuid(), new Random(3), TIMERS, (to, mad) -> {
                    byte[] bytes = new byte[CmMessage.LENGTH_BYTES];
                    mad.get(bytes);
                    sent.add(bytes);
                });
        CmLocal own = new CmLocal(like.queuePairNumber(), like.startingPsn(), 3, 18, 7, 7, false, 1);
        manager.connect(0x0A280001, 7471, own, like.userData(), asking, 0);
        Set<Integer> expected = new TreeSet<>(range(8, 8)); // transaction id
        expected.addAll(range(24, 4)); // communication id
        expected.add(24 + 47); // response timeout
        expected.addAll(range(24 + 142, 2)); // own port
        assertEquals(Set.of(), differing(accepted, sent.get(0), expected));
    }

    @Test
    void aRequestOffersReadsBothWays() {
        connect(NOTHING);
        CmReq req = (CmReq) rig.lastFrom(A);
        assertEquals(4, req.responderResources());
        assertEquals(4, req.initiatorDepth());
    }

    @Test
    void theQueuePairIsReadyBeforeThePeerIsToldSo() {
        List<String> sentBefore = new ArrayList<>();
        asking.onEstablished = () -> sentBefore.addAll(rig.sentFrom(A));
        establish();
        assertEquals(List.of("Req"), sentBefore);
        assertEquals(List.of("Req", "Rtu"), rig.sentFrom(A));
    }

    @Test
    void theAskingSideLearnsItsPeer() {
        establish();
        assertEquals(new CmPeer(B, 200, 1200, 3, 16, 7, 6, 4, 4, 0), asking.peers.get(0));
    }

    @Test
    void theAskingSideGetsThePrivateDataOfTheReply() {
        connect(NOTHING);
        rig.run(SECOND / 10);
        b.accept(requests.ids.get(0), local(200), new byte[] {1, 2, 3}, asked, rig.now);
        rig.run(SECOND / 10);
        assertArrayEquals(Arrays.copyOf(new byte[] {1, 2, 3}, 196), asking.data.get(0));
    }

    @Test
    void aRepeatedReplyIsAnsweredAsLongAsTheConnectionLives() {
        establish();
        byte[] rep = bytes(rig.lastFrom(B));
        rig.run(1000 * SECOND);
        assertInstanceOf(CmRtu.class, rig.deliver(B, A, rep).get(0));
        assertInstanceOf(CmRtu.class, rig.deliver(B, A, rep).get(0));
        assertEquals(List.of("established"), asking.events);
    }

    @Test
    void aReplyFromAnotherAddressIsIgnored() {
        connect(NOTHING);
        CmMessage rep = replyTo((CmReq) rig.lastFrom(A), 200);
        assertEquals(List.of(), rig.deliver(STRANGER, A, bytes(rep)));
        assertEquals(1, a.get(Counter.WRONG_SOURCE));
        assertEquals(List.of(), asking.events);
    }

    @Test
    void aReplyOfAManagementQueuePairIsMalformed() {
        connect(NOTHING);
        CmMessage rep = replyTo((CmReq) rig.lastFrom(A), 1);
        assertEquals(List.of(), rig.deliver(B, A, bytes(rep)));
        assertEquals(1, a.get(Counter.MALFORMED));
    }

    @Test
    void aRequestIsSentAgainAndThenGivenUp() {
        rig.lost = message -> true;
        connect(NOTHING);
        rig.run(8 * SECOND - MILLISECOND);
        assertEquals(16, rig.sentFrom(A).size());
        assertEquals(List.of(), asking.events);
        rig.run(MILLISECOND * 2);
        CmReq req = (CmReq) rig.sent.get(0).message();
        CmRej rej = (CmRej) rig.lastFrom(A);
        assertEquals(CmMessage.REASON_TIMEOUT, rej.reason());
        assertEquals(req.localId(), rej.localId());
        assertEquals(0, rej.remoteId());
        assertEquals(CmMessage.ABOUT_OTHER, rej.about());
        assertEquals(8, rej.informationBytes());
        assertEquals(req.caGuid(), rej.information().getLong(0));
        assertEquals("failed", asking.last());
    }

    @Test
    void repeatedRequestsAreAllTheSame() {
        rig.lost = message -> true;
        connect(new byte[] {5});
        rig.run(2 * SECOND);
        assertEquals(1, rig.sent.stream().map(sent -> sent.message()).distinct().count());
    }

    @Test
    void aReplyToARequestThatWasGivenUpIsRefused() {
        CmId id = connect(NOTHING);
        CmMessage rep = replyTo((CmReq) rig.lastFrom(A), 200);
        a.disconnect(id, rig.now);
        CmRej rej = (CmRej) rig.deliver(B, A, bytes(rep)).get(0);
        assertEquals(rep.localId(), rej.remoteId());
        assertEquals(rep.remoteId(), rej.localId());
    }

    @Test
    void whoIsAskedMayTakeItsTime() {
        rig.lost = message -> message.message() instanceof CmReq && !rig.sent.isEmpty();
        connect(NOTHING);
        CmReq req = (CmReq) rig.lastFrom(A);
        CmMessage mra = received(req, CmMessage.ABOUT_REQ, 20);
        rig.deliver(B, A, bytes(mra));
        rig.run(4 * SECOND);
        assertEquals(List.of("Req"), rig.sentFrom(A));
        rig.run(SECOND);
        assertEquals(List.of("Req", "Req"), rig.sentFrom(A));
    }

    @Test
    void theTimeThatIsTakenIsBounded() {
        connect(NOTHING);
        CmMessage mra = received((CmReq) rig.lastFrom(A), CmMessage.ABOUT_REQ, 31);
        rig.lost = message -> true;
        rig.deliver(B, A, bytes(mra));
        rig.run(140 * SECOND);
        assertTrue(rig.sentFrom(A).size() > 1);
    }

    @Test
    void aRefusalIsTold() {
        connect(NOTHING);
        rig.run(SECOND / 10);
        b.reject(requests.ids.get(0), new byte[] {9, 8}, rig.now);
        rig.run(SECOND / 10);
        assertEquals(List.of("rejected 28"), asking.events);
        assertArrayEquals(Arrays.copyOf(new byte[] {9, 8}, 148), asking.data.get(0));
        assertEquals(0, a.connectionCount());
    }

    @Test
    void aRefusalFromAnotherAddressIsIgnored() {
        connect(NOTHING);
        rig.run(SECOND / 10);
        b.reject(requests.ids.get(0), NOTHING, rig.now);
        rig.deliver(STRANGER, A, bytes(rig.lastFrom(B)));
        assertEquals(List.of(), asking.events);
    }

    @Test
    void givingUpARequestTellsThePeer() {
        CmId id = connect(NOTHING);
        rig.run(SECOND / 10);
        a.disconnect(id, rig.now);
        rig.run(SECOND / 10);
        assertEquals(requests.ids, requests.withdrawn);
        assertEquals(List.of(), asking.events);
    }

    @Test
    void aReplyWithAQueuePairThatIsConnectedAlreadyIsStale() {
        establish();
        ConnectionManagerRig.Log second = new ConnectionManagerRig.Log();
        a.connect(B, PORT, local(101), NOTHING, second, rig.now);
        CmReq req = (CmReq) rig.lastFrom(A);
        CmRep old = (CmRep) rig.sent.stream()
                .map(ConnectionManagerRig.Sent::message)
                .filter(CmRep.class::isInstance)
                .findFirst()
                .orElseThrow();
        byte[] rep = bytes(old);
        ByteBuffer.wrap(rep).putInt(24, 0x777).putInt(28, req.localId());
        List<CmMessage> answers = rig.deliver(B, A, rep);
        assertEquals(CmMessage.REASON_STALE_CONNECTION, ((CmRej) answers.get(0)).reason());
        assertEquals(CmMessage.ABOUT_REP, ((CmRej) answers.get(0)).about());
        assertInstanceOf(CmDreq.class, answers.get(1));
        assertEquals("failed", second.last());
        assertEquals("disconnected", asking.last());
    }

    @Test
    void disconnectingBeforeThePeerWasToldToBeReadyTellsItOnlyTheEnd() {
        CmId id = connect(NOTHING);
        asking.onEstablished = () -> a.disconnect(id, rig.now);
        rig.run(SECOND / 10);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        rig.run(SECOND / 10);
        assertEquals(List.of("Req", "Dreq"), rig.sentFrom(A));
        assertEquals(List.of("disconnected"), asked.events);
    }

    @Test
    void tooMuchPrivateDataIsRefusedBeforeAnythingIsSent() {
        assertThrows(IllegalArgumentException.class, () -> connect(new byte[57]));
        assertEquals(0, a.connectionCount());
    }

    @Test
    void aConnectionToTheOwnAddress() {
        a.listen(PORT, requests);
        a.connect(A, PORT, local(100), NOTHING, asking, rig.now);
        rig.run(SECOND / 10);
        a.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        rig.run(SECOND / 10);
        assertEquals(List.of("established"), asking.events);
        assertEquals(List.of("established"), asked.events);
        a.disconnect(requests.ids.get(0), rig.now);
        rig.run(20 * SECOND);
        assertEquals(List.of("established", "disconnected"), asking.events);
        assertEquals(0, rig.entries());
    }

    // Asked

    @Test
    void theListenerLearnsWhoAsks() {
        connect(new byte[] {4, 5});
        rig.run(SECOND / 10);
        CmRequest request = requests.requests.get(0);
        assertEquals(new CmPeer(A, 100, 1100, 3, 16, 7, 6, 4, 4, 0), request.peer());
        assertEquals(PORT, request.port());
        assertArrayEquals(Arrays.copyOf(new byte[] {4, 5}, 56), request.privateData());
    }

    @Test
    void aReplyOffersNoMoreReadsThanTheRequest() {
        connect(NOTHING);
        rig.run(SECOND / 10);
        CmLocal own = new CmLocal(200, 1200, 3, 16, 7, 6, false, 200);
        b.accept(requests.ids.get(0), own, NOTHING, asked, rig.now);
        CmRep rep = (CmRep) rig.lastFrom(B);
        assertEquals(4, rep.responderResources());
        assertEquals(4, rep.initiatorDepth());
    }

    @Test
    void aReplyOffersNoMoreReadsThanTheOwnSideCan() {
        connect(NOTHING);
        rig.run(SECOND / 10);
        CmLocal own = new CmLocal(200, 1200, 3, 16, 7, 6, false, 2);
        b.accept(requests.ids.get(0), own, NOTHING, asked, rig.now);
        CmRep rep = (CmRep) rig.lastFrom(B);
        assertEquals(2, rep.responderResources());
        assertEquals(2, rep.initiatorDepth());
    }

    @Test
    void whereNobodyListensTheAnswerIsThatOfLinux() {
        ConnectionManager manager = linux();
        assertArrayEquals(mad("08-cm-rej-8"), answer(manager, 1));
    }

    @Test
    void anotherVersionOfTheAddressesIsAnsweredAsByLinux() {
        ConnectionManager manager = linux();
        manager.listen(7471, requests);
        assertArrayEquals(mad("09-cm-rej-28"), answer(manager, 3));
    }

    @Test
    void disconnectingWhatIsUnknownIsAnsweredAsByLinux() {
        ConnectionManager manager = linux();
        assertArrayEquals(mad("14-cm-drep-unknown"), answer(manager, 9));
    }

    @Test
    void aRequestOfLinuxIsTaken() {
        ConnectionManager manager = linux();
        manager.listen(7471, requests);
        assertEquals(0, answer(manager, 11).length);
        assertEquals("hello", new String(requests.requests.get(0).privateData(), 0, 5, StandardCharsets.US_ASCII));
    }

    @Test
    void theReplyDiffersFromThatOfLinuxOnlyInItsOwnValues() {
        ConnectionManager manager = linux();
        manager.listen(7471, requests);
        answer(manager, 11);
        manager.accept(requests.ids.get(0), new CmLocal(17, 5, 3, 16, 7, 7, false, 1), NOTHING, asked, 0);
        Set<Integer> expected = new TreeSet<>(range(24, 4)); // communication id
        expected.addAll(range(24 + 12, 3)); // queue pair
        expected.addAll(range(24 + 20, 3)); // starting PSN
        expected.addAll(range(24 + 28, 8)); // CA GUID
        assertEquals(Set.of(), differing(mad("07-cm-rep-to-user"), answer, expected));
    }

    @Test
    void readyToUseDiffersFromThatOfLinuxOnlyInItsIds() {
        establish();
        Set<Integer> ids = new TreeSet<>(range(8, 8));
        ids.addAll(range(24, 8));
        assertEquals(Set.of(), differing(mad("03-cm-rtu"), bytes(rig.lastFrom(A)), ids));
    }

    @Test
    void disconnectingDiffersFromThatOfLinuxOnlyInItsIds() {
        a.disconnect(establish(), rig.now);
        Set<Integer> ids = new TreeSet<>(range(8, 8));
        ids.addAll(range(24, 11));
        assertEquals(Set.of(), differing(mad("04-cm-dreq"), bytes(rig.lastFrom(A)), ids));
    }

    @Test
    void givingUpDiffersFromThatOfLinuxOnlyInItsIds() {
        a.disconnect(connect(NOTHING), rig.now);
        Set<Integer> ids = new TreeSet<>(range(8, 8));
        ids.addAll(range(24, 4));
        ids.addAll(range(24 + 12, 8));
        assertEquals(Set.of(), differing(mad("12-cm-rej-4"), bytes(rig.lastFrom(A)), ids));
    }

    @Test
    void afterListeningEndedRequestsAreRefused() {
        b.unlisten(PORT);
        connect(NOTHING);
        rig.run(SECOND / 10);
        assertEquals(List.of("rejected 8"), asking.events);
    }

    @Test
    void theRefusalOfARequestHoldsItsTransactionItsIdAndTheReason() {
        b.unlisten(PORT);
        byte[] req = request();
        ByteBuffer expected = ByteBuffer.allocate(CmMessage.LENGTH_BYTES)
                .putInt(0, 0x01070203)
                .put(8, req, 8, 8)
                .putShort(16, (short) 0x12)
                .put(24 + 4, req, 24, 4)
                .putShort(24 + 10, (short) 8);
        rig.deliver(A, B, req);
        assertArrayEquals(expected.array(), bytes(rig.lastFrom(B)));
    }

    @Test
    void anotherPortSpaceIsNotListenedTo() {
        assertEquals(CmMessage.REASON_INVALID_SERVICE_ID, reasonFor(24 + 13, 0x11));
    }

    @Test
    void anotherTransportIsRefused() {
        assertEquals(CmMessage.REASON_INVALID_TRANSPORT, reasonFor(24 + 43, 20 << 3 | 1 << 1));
    }

    @Test
    void anotherPartitionIsRefused() {
        assertEquals(CmMessage.REASON_INVALID_GID, reasonFor(24 + 48, 0x12));
    }

    @Test
    void limitedMembersOfThePartitionAreTaken() {
        assertEquals(0, reasonFor(24 + 48, 0x7F));
    }

    @Test
    void aRequestToAnotherPortIsRefusedWithTheOwnGid() {
        byte[] req = request();
        req[24 + 72 + 15] ^= 1;
        CmRej rej = (CmRej) rig.deliver(A, B, req).get(0);
        assertEquals(CmMessage.REASON_INVALID_GID, rej.reason());
        assertEquals(16, rej.informationBytes());
        assertEquals(CmGid.ofIpv4(B).low(), rej.information().getLong(8));
    }

    @Test
    void aRequestForThePacketsOfAnotherIsRefused() {
        assertEquals(CmMessage.REASON_INVALID_GID, reasonFor(24 + 56 + 15, 99));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 15})
    void aPathMtuThatCannotBeIsRefused(int code) {
        assertEquals(CmMessage.REASON_INVALID_MTU, reasonFor(24 + 50, code << 4 | 7));
    }

    @Test
    void aPathMtuThatIsTooLargeHereIsRefusedWithTheLargestPossible() {
        byte[] req = request();
        req[24 + 50] = (byte) (5 << 4 | 7);
        b.pathMtuCode(3);
        CmRej rej = (CmRej) rig.deliver(A, B, req).get(0);
        assertEquals(List.of(CmMessage.REASON_INVALID_MTU, 1), List.of(rej.reason(), rej.informationBytes()));
        assertEquals(3, rej.information().toArray()[0]);
        assertEquals(List.of(), requests.ids);
    }

    @Test
    void theLargestPathMtuThatIsPossibleHereIsTaken() {
        b.pathMtuCode(3);
        assertEquals(0, reasonFor(24 + 50, 3 << 4 | 7));
    }

    @Test
    void whoAsksLearnsTheSmallerPathMtuOfThePeer() {
        b.pathMtuCode(2);
        connect(NOTHING);
        rig.run(10 * MILLISECOND);
        assertEquals(List.of("path MTU at most 2"), asking.events);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 4, 127})
    void aPathMtuThatIsNotSmallerIsNoReasonToAskAgain(int named) {
        rig.lost = message -> message.from() == B;
        b.pathMtuCode(2);
        connect(NOTHING);
        rig.run(10 * MILLISECOND);
        byte[] rej = bytes(rig.lastFrom(B));
        rej[24 + 12] = (byte) named;
        rig.deliver(B, A, rej);
        assertEquals(List.of("rejected 26"), asking.events);
    }

    @Test
    void anotherVersionOfTheAddressesIsRefused() {
        assertEquals(CmMessage.REASON_CONSUMER, reasonFor(24 + 140, 1));
    }

    @Test
    void addressesOfIpv6AreRefused() {
        assertEquals(CmMessage.REASON_CONSUMER, reasonFor(24 + 141, 0x60));
    }

    @Test
    void addressesOfAnotherHostAreRefused() {
        assertEquals(CmMessage.REASON_CONSUMER, reasonFor(24 + 140 + 35, 99));
    }

    @Test
    void aRequestOfAManagementQueuePairIsMalformed() {
        byte[] req = request();
        ByteBuffer.wrap(req).putInt(24 + 32, 0x100);
        assertEquals(List.of(), rig.deliver(A, B, req));
        assertEquals(1, b.get(Counter.MALFORMED));
    }

    @Test
    void moreRequestsThanTheApplicationAnswersAreRefused() {
        byte[] req = request();
        for (int number = 0; number < ConnectionManager.MAX_REQUESTS; number++) {
            assertEquals(List.of(), rig.deliver(A, B, numbered(req, number)));
        }
        CmRej rej = (CmRej) rig.deliver(A, B, numbered(req, 9999)).get(0);
        assertEquals(CmMessage.REASON_NO_RESOURCES, rej.reason());
        assertEquals(ConnectionManager.MAX_REQUESTS, requests.ids.size());
    }

    @Test
    void moreConnectionsThanFitAreRefused() {
        byte[] req = request();
        for (int number = 0; number < ConnectionManager.MAX_CONNECTIONS; number++) {
            rig.deliver(A, B, numbered(req, number));
            b.accept(requests.ids.get(number), local(number), NOTHING, asked, rig.now);
        }
        CmRej rej = (CmRej) rig.deliver(A, B, numbered(req, 9999)).get(0);
        assertEquals(CmMessage.REASON_NO_RESOURCES, rej.reason());
        assertThrows(RdmaException.class, () -> b.connect(A, PORT, local(9), NOTHING, asking, rig.now));
    }

    @Test
    void connectionsThatAreOnlyRememberedMakeRoom() {
        byte[] req = request();
        for (int number = 0; number < ConnectionManager.MAX_CONNECTIONS + 10; number++) {
            rig.deliver(A, B, numbered(req, number));
            b.reject(requests.ids.get(number), NOTHING, rig.now);
        }
        assertEquals(ConnectionManager.MAX_CONNECTIONS, b.connectionCount());
    }

    @Test
    void aRepeatedRequestThatIsNotDecidedIsAnsweredThatItTakesTime() {
        byte[] req = request();
        rig.deliver(A, B, req);
        CmMra mra = (CmMra) rig.deliver(A, B, req).get(0);
        assertEquals(decode(req).localId(), mra.remoteId());
        assertEquals(CmMessage.ABOUT_REQ, mra.about());
        assertEquals(decode(req).header().transactionId(), mra.header().transactionId());
        assertEquals(1, requests.ids.size());
    }

    @Test
    void aRepeatedRequestThatWasAcceptedIsAnsweredAgain() {
        byte[] req = request();
        rig.deliver(A, B, req);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        assertEquals(List.of(rig.lastFrom(B)), rig.deliver(A, B, req));
    }

    @Test
    void aRepeatedRequestThatWasRefusedIsAnsweredAgain() {
        byte[] req = request();
        rig.deliver(A, B, req);
        b.reject(requests.ids.get(0), new byte[] {7}, rig.now);
        assertEquals(List.of(rig.lastFrom(B)), rig.deliver(A, B, req));
        assertEquals(1, requests.ids.size());
    }

    @Test
    void aRepeatedRequestOfAConnectionIsIgnored() {
        establish();
        byte[] req = bytes(rig.sent.get(0).message());
        assertEquals(List.of(), rig.deliver(A, B, req));
    }

    @Test
    void aRepeatedRequestOfAnEndedConnectionIsIgnored() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        rig.run(SECOND);
        assertEquals(List.of(), rig.deliver(A, B, bytes(rig.sent.get(0).message())));
        assertEquals(1, requests.ids.size());
    }

    @Test
    void aRequestWithTheIdOfAnotherIsIgnored() {
        byte[] req = request();
        rig.deliver(A, B, req);
        ByteBuffer.wrap(req).putInt(24 + 32, 4444 << 8);
        assertEquals(List.of(), rig.deliver(A, B, req));
    }

    @Test
    void aRequestForAConnectedQueuePairIsStaleAndEndsTheOldConnection() {
        establish();
        byte[] req = bytes(rig.sent.get(0).message());
        ByteBuffer.wrap(req).putInt(24, 0x12345);
        List<CmMessage> answers = rig.deliver(A, B, req);
        CmRej rej = (CmRej) answers.get(0);
        assertEquals(CmMessage.REASON_STALE_CONNECTION, rej.reason());
        assertEquals(0x12345, rej.remoteId());
        assertEquals(0, rej.localId());
        assertInstanceOf(CmDreq.class, answers.get(1));
        assertEquals(List.of("established", "disconnected"), asked.events);
    }

    @Test
    void aQueuePairCanBeConnectedAnewWhenTheOwnSideEnds() {
        establish();
        rig.lost = message -> true;
        b.disconnect(requests.ids.get(0), rig.now);
        byte[] req = bytes(rig.sent.get(0).message());
        ByteBuffer.wrap(req).putInt(24, 0x12345);
        assertEquals(List.of(), rig.deliver(A, B, req));
        assertEquals(2, requests.ids.size());
    }

    @Test
    void theSameIdsFromAnotherAddressAreAnotherConnection() {
        byte[] req = request();
        rig.deliver(A, B, req);
        ByteBuffer.wrap(req).putInt(24 + 56 + 12, STRANGER);
        rig.deliver(STRANGER, B, req);
        assertEquals(2, requests.ids.size());
    }

    @Test
    void readyToUseEstablishes() {
        establish();
        assertEquals(List.of("established"), asked.events);
        assertEquals(100, asked.peers.get(0).queuePairNumber());
    }

    @Test
    void readyToUseWithAnotherIdIsIgnored() {
        byte[] req = request();
        rig.deliver(A, B, req);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        int id = rig.lastFrom(B).localId();
        rig.deliver(A, B, bytes(ready(decode(req).localId() + 1, id)));
        assertEquals(List.of(), asked.events);
    }

    @Test
    void dataOnTheQueuePairEstablishes() {
        lostReadyToUse();
        b.onData(200);
        b.onData(200);
        assertEquals(List.of("established"), asked.events);
    }

    @Test
    void dataOnTheConnectionEstablishes() {
        lostReadyToUse();
        b.onData(requests.ids.get(0));
        b.onData(requests.ids.get(0));
        assertEquals(List.of("established"), asked.events);
    }

    @Test
    void dataOnAnotherQueuePairDoesNotEstablish() {
        lostReadyToUse();
        b.onData(201);
        assertEquals(List.of(), asked.events);
    }

    @Test
    void noReplyIsRepeatedAfterDataCame() {
        lostReadyToUse();
        b.onData(200);
        int sent = rig.sentFrom(B).size();
        rig.run(10 * SECOND);
        assertEquals(sent, rig.sentFrom(B).size());
    }

    @Test
    void aLostReadyToUseComesAgain() {
        lostReadyToUse();
        rig.lost = message -> false;
        rig.run(SECOND);
        assertEquals(List.of("established"), asked.events);
    }

    @Test
    void aReplyIsSentAgainAndThenGivenUp() {
        rig.lost = message -> message.from() == B;
        connect(NOTHING);
        rig.run(SECOND / 10);
        rig.lost = message -> true;
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        rig.run(9 * SECOND);
        assertEquals("failed", asked.last());
        assertEquals(16, rig.sentFrom(B).stream().filter("Rep"::equals).count());
        CmRej rej = (CmRej) rig.lastFrom(B);
        assertEquals(CmMessage.REASON_TIMEOUT, rej.reason());
        assertNotEquals(0, rej.remoteId());
    }

    @Test
    void theAskingSideMayTakeItsTimeToo() {
        byte[] req = request();
        rig.deliver(A, B, req);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        CmRep rep = (CmRep) rig.lastFrom(B);
        rig.lost = message -> true;
        rig.deliver(A, B, bytes(mra(rep.remoteId(), rep.localId(), CmMessage.ABOUT_REP, 20)));
        rig.run(4 * SECOND);
        assertEquals(List.of("Rep"), rig.sentFrom(B));
    }

    @Test
    void refusingAReplyIsTold() {
        byte[] req = request();
        rig.deliver(A, B, req);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        CmMessage rep = rig.lastFrom(B);
        rig.deliver(A, B, bytes(refusal(rep.remoteId(), rep.localId(), CmMessage.ABOUT_REP, 28)));
        assertEquals(List.of("rejected 28"), asked.events);
    }

    @Test
    void aRequestThatIsNotDecidedInTimeIsRefused() {
        rig.deliver(A, B, request());
        rig.run(61 * SECOND);
        assertEquals(CmMessage.REASON_CONSUMER, ((CmRej) rig.lastFrom(B)).reason());
        assertEquals(requests.ids, requests.withdrawn);
        assertFalse(b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now));
    }

    @Test
    void aRefusalThatWasLostIsHeardInTheEnd() {
        connect(NOTHING);
        rig.run(SECOND);
        rig.lost = message -> true;
        b.reject(requests.ids.get(0), new byte[] {3}, rig.now);
        rig.lost = message -> false;
        rig.run(20 * SECOND);
        assertEquals(List.of("rejected 28"), asking.events);
        assertEquals(1, requests.ids.size());
    }

    @Test
    void givingUpAfterAcceptingTellsThePeer() {
        rig.lost = message -> message.message() instanceof CmRtu;
        connect(NOTHING);
        rig.run(SECOND / 10);
        b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now);
        rig.run(SECOND / 10);
        b.disconnect(requests.ids.get(0), rig.now);
        rig.run(SECOND / 10);
        assertEquals("failed", asking.last());
        assertEquals(List.of(), asked.events);
    }

    @Test
    void aPortCanBeListenedToOnce() {
        assertThrows(RdmaException.class, () -> b.listen(PORT, requests));
    }

    @Test
    void anyFreePortCanBeListenedTo() {
        int first = b.listen(0, requests);
        int second = b.listen(0, requests);
        assertNotEquals(first, second);
    }

    // Ending

    @Test
    void disconnectingIsAnsweredAtOnceAndTold() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        CmDreq dreq = (CmDreq) rig.lastFrom(A);
        assertEquals(200, dreq.remoteQueuePairNumber());
        CmDrep drep = (CmDrep) rig.deliver(A, B, bytes(dreq)).get(0);
        assertEquals(dreq.localId(), drep.remoteId());
        assertEquals(dreq.remoteId(), drep.localId());
        assertEquals(dreq.header().transactionId(), drep.header().transactionId());
        assertEquals(List.of("established", "disconnected"), asked.events);
    }

    @Test
    void whoDisconnectsHearsNoMore() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        a.disconnect(id, rig.now);
        rig.run(30 * SECOND);
        assertEquals(List.of("established"), asking.events);
        assertEquals(List.of("Req", "Rtu", "Dreq"), rig.sentFrom(A));
    }

    @Test
    void disconnectingIsAnsweredAgainWhileItIsRemembered() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        byte[] dreq = bytes(rig.lastFrom(A));
        rig.deliver(A, B, dreq);
        assertInstanceOf(CmDrep.class, rig.deliver(A, B, dreq).get(0));
        assertEquals(List.of("established", "disconnected"), asked.events);
    }

    @Test
    void disconnectingWhatIsUnknownIsAnswered() {
        ByteBuffer dreq = ByteBuffer.allocate(CmMessage.LENGTH_BYTES).putInt(0, 0x01070203);
        dreq.putLong(8, 99).putShort(16, (short) 0x15).putInt(24, 1).putInt(28, 2);
        CmDrep drep = (CmDrep) rig.deliver(A, B, dreq.array()).get(0);
        assertEquals(99, drep.header().transactionId());
        assertEquals(2, drep.localId());
        assertEquals(1, drep.remoteId());
    }

    @Test
    void disconnectingAnotherQueuePairIsIgnored() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        byte[] dreq = bytes(rig.lastFrom(A));
        ByteBuffer.wrap(dreq).putInt(24 + 8, 0x5555 << 8);
        assertEquals(List.of(), rig.deliver(A, B, dreq));
        assertEquals(List.of("established"), asked.events);
    }

    @Test
    void disconnectingFromAnotherAddressIsIgnored() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        byte[] dreq = bytes(rig.lastFrom(A));
        assertEquals(List.of(), rig.deliver(STRANGER, B, dreq));
        assertEquals(List.of("established"), asked.events);
    }

    @Test
    void bothSidesMayDisconnectAtOnce() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        b.disconnect(requests.ids.get(0), rig.now);
        rig.run(SECOND);
        assertEquals(List.of("Req", "Rtu", "Dreq", "Drep"), rig.sentFrom(A));
        assertEquals(List.of("Rep", "Dreq", "Drep"), rig.sentFrom(B));
    }

    @Test
    void disconnectingIsSentAgainAndThenForgotten() {
        CmId id = establish();
        rig.lost = message -> true;
        a.disconnect(id, rig.now);
        rig.run(60 * SECOND);
        assertEquals(16, rig.sentFrom(A).stream().filter("Dreq"::equals).count());
        assertEquals(0, a.connectionCount());
    }

    @Test
    void anEndedConnectionIsForgotten() {
        CmId id = establish();
        a.disconnect(id, rig.now);
        rig.run(20 * SECOND);
        assertEquals(0, rig.entries());
    }

    @Test
    void anEstablishedConnectionNeedsNoTime() {
        establish();
        rig.run(100 * SECOND);
        assertEquals(ConnectionManager.NO_DEADLINE, a.nextDeadlineNanos());
        assertEquals(ConnectionManager.NO_DEADLINE, b.nextDeadlineNanos());
    }

    @Test
    void anEndBeforeReadyToUseIsAnEnd() {
        CmId id = lostReadyToUse();
        a.disconnect(id, rig.now);
        rig.run(SECOND / 10);
        assertEquals(List.of("disconnected"), asked.events);
    }

    @Test
    void aRefusalOfAConnectionEndsIt() {
        establish();
        CmMessage rtu = rig.lastFrom(A);
        rig.deliver(B, A, bytes(refusal(rtu.remoteId(), rtu.localId(), CmMessage.ABOUT_OTHER, 4)));
        assertEquals("failed", asking.last());
    }

    @Test
    void aLateRefusalOfTheRequestDoesNotEndTheConnection() {
        establish();
        CmMessage rtu = rig.lastFrom(A);
        rig.deliver(B, A, bytes(refusal(0, rtu.localId(), CmMessage.ABOUT_REQ, 8)));
        assertEquals(List.of("established"), asking.events);
    }

    @Test
    void closingTellsEverybodyAndForgetsAll() {
        establish();
        connect(NOTHING);
        a.close(rig.now);
        assertEquals(0, a.connectionCount() + a.indexSize());
        assertEquals(ConnectionManager.NO_DEADLINE, a.nextDeadlineNanos());
        rig.run(SECOND);
        assertEquals(List.of("established", "disconnected"), asked.events);
        assertEquals(List.of("established"), asking.events);
    }

    // Messages that are none

    @Test
    void messagesThatAreNotOfTheConnectionManagerAreCounted() {
        byte[] req = request();
        for (int at = 0; at < 4; at++) {
            byte[] other = req.clone();
            other[at] ^= 2;
            assertEquals(List.of(), rig.deliver(A, B, other));
        }
        assertEquals(List.of(), rig.deliver(A, B, Arrays.copyOf(req, 200)));
        assertEquals(List.of(), rig.deliver(A, B, NOTHING));
        assertEquals(6, b.get(Counter.MALFORMED));
        assertEquals(List.of(), requests.ids);
    }

    @Test
    void messagesThatNothingNeedsAreCounted() {
        byte[] sidr = request();
        ByteBuffer.wrap(sidr).putShort(16, (short) 0x17);
        assertEquals(List.of(), rig.deliver(A, B, sidr));
        assertEquals(1, b.get(Counter.UNSUPPORTED));
    }

    @Test
    void messagesToNobodyAreCounted() {
        rig.deliver(A, B, bytes(ready(1, 2)));
        rig.deliver(A, B, bytes(refusal(1, 2, 0, 8)));
        rig.deliver(A, B, bytes(refusal(1, 0, 2, 4)));
        rig.deliver(A, B, bytes(mra(1, 2, 0, 20)));
        assertEquals(4, b.get(Counter.UNKNOWN));
        assertEquals(List.of(), rig.sentFrom(B));
    }

    @Test
    void countersHaveNames() {
        establish();
        assertEquals(2L, b.counters().get("cmReceived"));
        assertEquals(1L, b.counters().get("cmSent"));
        assertEquals(1L, b.counters().get("cmEstablished"));
    }

    private CmId connect(byte[] privateData) {
        return a.connect(B, PORT, local(100), privateData, asking, rig.now);
    }

    private CmId establish() {
        CmId id = connect(NOTHING);
        rig.run(SECOND / 10);
        assertTrue(b.accept(requests.ids.get(0), local(200), NOTHING, asked, rig.now));
        rig.run(SECOND / 10);
        return id;
    }

    /** A is connected, B does not know yet. */
    private CmId lostReadyToUse() {
        rig.lost = message -> message.message() instanceof CmRtu;
        CmId id = establish();
        assertEquals(List.of(), asked.events);
        return id;
    }

    /** A request that has not arrived. */
    private byte[] request() {
        rig.lost = message -> true;
        connect(NOTHING);
        byte[] req = bytes(rig.lastFrom(A));
        rig.sent.clear();
        rig.lost = message -> false;
        return req;
    }

    private int reasonFor(int offset, int value) {
        byte[] req = request();
        req[offset] = (byte) value;
        List<CmMessage> answers = rig.deliver(A, B, req);
        assertEquals(answers.isEmpty() ? 1 : 0, requests.ids.size());
        return answers.isEmpty() ? 0 : ((CmRej) answers.get(0)).reason();
    }

    private static byte[] numbered(byte[] req, int number) {
        byte[] other = req.clone();
        ByteBuffer.wrap(other).putInt(24, number + 1).putInt(24 + 32, (number + 2) << 8);
        return other;
    }

    private static CmMessage replyTo(CmReq req, int queuePairNumber) {
        return new CmRep(
                CmHeader.of(CmMessage.ATTRIBUTE_REP, req.header().transactionId()),
                0x777,
                req.localId(),
                0,
                queuePairNumber,
                0,
                0,
                1,
                1,
                1,
                15,
                0,
                false,
                7,
                false,
                0,
                42,
                CmBytes.padded(NOTHING, CmRep.PRIVATE_DATA_BYTES));
    }

    private static CmMessage received(CmReq req, int about, int serviceTimeout) {
        return mra(0x777, req.localId(), about, serviceTimeout);
    }

    private static CmMessage mra(int from, int to, int about, int serviceTimeout) {
        return new CmMra(
                CmHeader.of(CmMessage.ATTRIBUTE_MRA, 1),
                from,
                to,
                about,
                serviceTimeout,
                0,
                CmBytes.padded(NOTHING, CmMra.PRIVATE_DATA_BYTES));
    }

    private static CmMessage refusal(int from, int to, int about, int reason) {
        return new CmRej(
                CmHeader.of(CmMessage.ATTRIBUTE_REJ, 1),
                from,
                to,
                about,
                reason,
                0,
                8,
                CmBytes.padded(NOTHING, CmRej.INFORMATION_BYTES),
                CmBytes.padded(NOTHING, CmRej.PRIVATE_DATA_BYTES));
    }

    private static CmMessage ready(int from, int to) {
        return new CmRtu(
                CmHeader.of(CmMessage.ATTRIBUTE_RTU, 1), from, to, CmBytes.padded(NOTHING, CmRtu.PRIVATE_DATA_BYTES));
    }

    /** What stands where Linux stood in a capture. */
    private ConnectionManager linux() {
        return new ConnectionManager(0x0A280001, 7, new Random(1), TIMERS, (to, mad) -> {
            answer = new byte[CmMessage.LENGTH_BYTES];
            mad.get(answer);
        });
    }

    private byte[] answer = NOTHING;

    /** The answer to a packet of the capture, counted from 1. */
    private byte[] answer(ConnectionManager manager, int packet) {
        byte[] captured = Pcap.ipv4Packets(Pcap.file("extra_faults.pcap")).get(packet - 1);
        manager.onMad(0x0A280002, ByteBuffer.wrap(captured), MAD_OFFSET, CmMessage.LENGTH_BYTES, 0);
        return answer;
    }

    private static List<Integer> range(int first, int count) {
        return IntStream.range(first, first + count).boxed().toList();
    }

    /** Where two messages differ, but for where they should. */
    private static Set<Integer> differing(byte[] one, byte[] other, Set<Integer> expected) {
        Set<Integer> differing = new TreeSet<>();
        for (int at = 0; at < CmMessage.LENGTH_BYTES; at++) {
            if (one[at] != other[at] && !expected.contains(at)) {
                differing.add(at);
            }
        }
        return differing;
    }

    private static byte[] mad(String golden) {
        byte[] packet = Pcap.hex(Pcap.file("golden/" + golden + ".hex"));
        return Arrays.copyOfRange(packet, MAD_OFFSET, MAD_OFFSET + CmMessage.LENGTH_BYTES);
    }

    private static CmMessage decode(byte[] mad) {
        return CmMessage.decode(ByteBuffer.wrap(mad), 0).orElseThrow();
    }
}
