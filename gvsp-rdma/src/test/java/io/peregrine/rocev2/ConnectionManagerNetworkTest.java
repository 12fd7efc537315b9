package io.peregrine.rocev2;

import static io.peregrine.rocev2.ConnectionManagerRig.A;
import static io.peregrine.rocev2.ConnectionManagerRig.B;
import static io.peregrine.rocev2.ConnectionManagerRig.MILLISECOND;
import static io.peregrine.rocev2.ConnectionManagerRig.SECOND;
import static io.peregrine.rocev2.ConnectionManagerRig.local;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two connection managers and a bad network between them. */
class ConnectionManagerNetworkTest {
    private static final int PORT = 7174;
    private static final int CONNECTIONS = 60;

    /** What the asked side made of a request. */
    private record Answer(CmId id, ConnectionManagerRig.Log log) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void bothSidesAgreeOverABadNetworkAndNothingIsLeft(long seed) {
        ConnectionManagerRig rig = new ConnectionManagerRig(seed);
        rig.lost = message -> rig.random().nextDouble() < 0.3;
        rig.repeated = 0.1;
        rig.longestDelay = 700 * MILLISECOND;
        ConnectionManager a = rig.manager(A);
        ConnectionManager b = rig.manager(B);
        Map<Integer, Answer> answers = new LinkedHashMap<>();
        b.listen(PORT, (id, request) -> {
            int number = ByteBuffer.wrap(request.privateData()).getInt();
            ConnectionManagerRig.Log log = new ConnectionManagerRig.Log();
            if (number % 3 == 0) {
                b.reject(id, new byte[] {(byte) number}, rig.now);
            } else {
                assertTrue(b.accept(id, local(500 + number), new byte[] {(byte) number}, log, rig.now));
                answers.put(request.peer().queuePairNumber(), new Answer(id, log));
            }
        });
        List<CmId> ids = new ArrayList<>();
        List<ConnectionManagerRig.Log> logs = new ArrayList<>();
        for (int number = 0; number < CONNECTIONS; number++) {
            ConnectionManagerRig.Log log = new ConnectionManagerRig.Log();
            logs.add(log);
            ids.add(a.connect(
                    B,
                    PORT,
                    local(100 + number),
                    ByteBuffer.allocate(4).putInt(number).array(),
                    log,
                    rig.now));
            rig.run(rig.random().nextInt(100) * MILLISECOND);
        }
        rig.run(30 * SECOND);
        for (int number = 0; number < CONNECTIONS; number++) {
            ConnectionManagerRig.Log log = logs.get(number);
            String expected = number % 3 == 0 ? "[rejected 28]" : "[established]";
            assertEquals(expected, log.events.toString(), "connection " + number);
            assertEquals((byte) number, log.data.get(0)[0]);
            if (number % 3 != 0) {
                Answer answer = answers.get(100 + number);
                assertEquals("[established]", answer.log.events.toString(), "answer " + number);
                assertEquals(500 + number, log.peers.get(0).queuePairNumber());
                assertEquals(1500 + number, log.peers.get(0).startingPsn());
                assertEquals(1100 + number, answer.log.peers.get(0).startingPsn());
                switch (number % 5) {
                    case 0, 1 -> a.disconnect(ids.get(number), rig.now);
                    case 2, 3 -> b.disconnect(answer.id, rig.now);
                    default -> {
                        a.disconnect(ids.get(number), rig.now);
                        b.disconnect(answer.id, rig.now);
                    }
                }
            }
        }
        rig.run(30 * SECOND);
        for (int number = 0; number < CONNECTIONS; number++) {
            if (number % 3 != 0) {
                String whoIsTold = number % 5 == 2 || number % 5 == 3 ? "[established, disconnected]" : "[established]";
                assertEquals(whoIsTold, logs.get(number).events.toString(), "connection " + number);
                String other = number % 5 == 0 || number % 5 == 1 ? "[established, disconnected]" : "[established]";
                assertEquals(other, answers.get(100 + number).log.events.toString(), "answer " + number);
            }
        }
        assertEquals(0, rig.entries());
        assertEquals(ConnectionManager.NO_DEADLINE, a.nextDeadlineNanos());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void givingUpAtAnyTimeLeavesNothing(long seed) {
        ConnectionManagerRig rig = new ConnectionManagerRig(seed);
        rig.lost = message -> rig.random().nextDouble() < 0.3;
        rig.repeated = 0.2;
        rig.longestDelay = 2 * SECOND;
        ConnectionManager a = rig.manager(A);
        ConnectionManager b = rig.manager(B);
        List<CmId> asked = new ArrayList<>();
        b.listen(PORT, (id, request) -> asked.add(id));
        List<CmId> ids = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            if (number % 2 == 0) {
                ids.add(a.connect(B, PORT, local(100 + number), new byte[0], new ConnectionManagerRig.Log(), rig.now));
            }
            rig.run(rig.random().nextInt(400) * MILLISECOND);
            if (rig.random().nextInt(3) == 0 && !ids.isEmpty()) {
                a.disconnect(ids.remove(rig.random().nextInt(ids.size())), rig.now);
            }
            if (!asked.isEmpty()) {
                CmId id = asked.remove(rig.random().nextInt(asked.size()));
                b.accept(id, local(5000 + number), new byte[0], new ConnectionManagerRig.Log(), rig.now);
                if (rig.random().nextInt(4) == 0) {
                    rig.run(rig.random().nextInt(1000) * MILLISECOND);
                    b.disconnect(id, rig.now);
                }
            }
        }
        ids.forEach(id -> a.disconnect(id, rig.now));
        rig.run(200 * SECOND);
        assertEquals(0, rig.entries());
    }
}
