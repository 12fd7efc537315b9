package io.peregrine.rocev2;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any messages and any calls at any time: no exception, few answers, every end told once, nothing left in the end. */
class ConnectionManagerFuzzTest {
    private static final int LOCAL = 0x0A000001;
    private static final int PEER = 0x0A000002;
    private static final int PORT = 7174;
    private static final int MAX_SEEN = 10;
    private static final long LONG_AFTER = 200L * 1_000_000_000;
    /** A refusal and a request to disconnect, and what the application does about both. */
    private static final int MAX_ANSWERS = 4;
    /** Reads that the own side serves and makes at a time. */
    private static final int READS = 9;

    /** Where the choices come from. */
    private interface Choice {
        boolean left();

        int number(int bound);

        long any();
    }

    @FuzzTest(maxDuration = "60s")
    void anyMessagesAtAnyTime(FuzzedDataProvider data) {
        new Run(new Choice() {
                    @Override
                    public boolean left() {
                        return data.remainingBytes() > 0;
                    }

                    @Override
                    public int number(int bound) {
                        return data.consumeInt(0, bound - 1);
                    }

                    @Override
                    public long any() {
                        return data.consumeLong();
                    }
                })
                .run();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void randomMessagesAtRandomTimes(long seed) {
        Random random = new Random(seed);
        int[] left = {20_000};
        Run run = new Run(new Choice() {
            @Override
            public boolean left() {
                return left[0]-- > 0;
            }

            @Override
            public int number(int bound) {
                return random.nextInt(bound);
            }

            @Override
            public long any() {
                return random.nextLong();
            }
        });
        ConnectionManager manager = run.run();
        // Otherwise the checks above would be of little worth.
        for (CmCounters.Counter counter : CmCounters.Counter.values()) {
            check(manager.get(counter) > 0 || counter == CmCounters.Counter.NO_ROOM, counter + " never happened");
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static final class Run {
        private final Choice choice;
        private final ConnectionManager manager;
        private final List<CmId> ids = new ArrayList<>();
        /** The last local ids that were on the wire. */
        private final List<Integer> seen = new ArrayList<>(List.of(0, 1));

        private long now;
        private int sent;

        Run(Choice choice) {
            this.choice = choice;
            now = choice.any();
            manager = new ConnectionManager(
                    LOCAL, 7, new Random(choice.any()), CmTimers.defaults(), (destination, mad) -> {
                        check(mad.remaining() == CmMessage.LENGTH_BYTES, "a message of " + mad.remaining() + " bytes");
                        sent++;
                        CmMessage message = CmMessage.decode(mad, 0).orElseThrow();
                        if (message instanceof CmRep rep) {
                            check(rep.responderResources() <= READS, "a reply offers to serve too many reads");
                            check(rep.initiatorDepth() <= READS, "a reply announces too many reads");
                        }
                        int id = message.localId();
                        if (!seen.contains(id)) {
                            seen.add(id);
                        }
                        if (seen.size() > MAX_SEEN) {
                            seen.remove(0);
                        }
                    });
        }

        ConnectionManager run() {
            manager.listen(PORT, new CmListener() {
                @Override
                public void requested(CmId id, CmRequest request) {
                    ids.add(id);
                    answer(id);
                }

                @Override
                public void withdrawn(CmId id) {
                    check(ids.contains(id), "an unknown request was withdrawn");
                }
            });
            while (choice.left()) {
                sent = 0;
                int step = choice.number(20);
                if (step < 3) {
                    now += choice.number(300_000_000);
                    long next = manager.onTime(now);
                    check(next == manager.nextDeadlineNanos(), "two deadlines");
                    check(next == ConnectionManager.NO_DEADLINE || next - now > 0, "a deadline is over");
                } else if (step == 3) {
                    act();
                } else {
                    int before = manager.connectionCount();
                    onMad();
                    check(sent <= MAX_ANSWERS, sent + " answers to a message");
                    check(manager.connectionCount() <= before + 2, "one message made many connections");
                }
                check(manager.connectionCount() <= ConnectionManager.MAX_CONNECTIONS, "too many connections");
            }
            ids.forEach(id -> manager.disconnect(id, now));
            for (long end = now + LONG_AFTER; manager.nextDeadlineNanos() != ConnectionManager.NO_DEADLINE; ) {
                now = manager.nextDeadlineNanos();
                check(now - end < 0, "a connection is never forgotten");
                manager.onTime(now);
            }
            check(manager.connectionCount() + manager.indexSize() == 0, "something is left");
            return manager;
        }

        private void act() {
            int what = choice.number(6);
            if (what < 2 && manager.connectionCount() < 100) {
                Told told = new Told();
                ids.add(manager.connect(
                        PEER + choice.number(2), PORT, local(), new byte[choice.number(57)], told, now));
                told.id = ids.get(ids.size() - 1);
            } else if (!ids.isEmpty()) {
                CmId id = ids.get(ids.size() - 1 - choice.number(Math.min(ids.size(), 30)));
                switch (what) {
                    case 3 -> manager.disconnect(id, now);
                    case 4 -> manager.onData(100 + choice.number(8));
                    case 5 -> manager.onData(id);
                    default -> answer(id);
                }
            }
        }

        private void answer(CmId id) {
            switch (choice.number(4)) {
                case 0 -> manager.reject(id, new byte[choice.number(149)], now);
                case 1 -> {
                    Told told = new Told();
                    told.id = id;
                    manager.accept(id, local(), new byte[choice.number(197)], told, now);
                }
                default -> {
                    // Later.
                }
            }
        }

        private CmLocal local() {
            return new CmLocal(
                    100 + choice.number(8), choice.number(1 << 24), 1 + choice.number(5), 16, 7, 7, false, READS);
        }

        private void onMad() {
            ByteBuffer packet = ByteBuffer.allocate(8 + CmMessage.LENGTH_BYTES);
            message().encode(packet, 4);
            if (choice.number(10) == 0) {
                for (int flips = choice.number(4); flips >= 0; flips--) {
                    packet.put(4 + choice.number(CmMessage.LENGTH_BYTES), (byte) choice.number(256));
                }
            }
            if (choice.number(100) == 0) {
                packet.putShort(4 + 16, (short) 0x19);
            }
            int length = choice.number(50) == 0 ? choice.number(300) : CmMessage.LENGTH_BYTES;
            int source = PEER + (choice.number(10) == 0 ? 1 : 0);
            manager.onMad(source, packet, 4, length, now);
        }

        private CmMessage message() {
            int from = 1 + choice.number(6);
            int to = seen.get(choice.number(seen.size()));
            long guid = 1L + choice.number(2);
            int queuePair = choice.number(8);
            byte[] nothing = {};
            return switch (choice.number(7)) {
                case 0 ->
                    new CmReq(
                            CmHeader.of(CmMessage.ATTRIBUTE_REQ, 1),
                            from,
                            0,
                            CmReq.TCP_PORT_SPACE | PORT,
                            guid,
                            0,
                            0,
                            queuePair,
                            /* responderResources= */ choice.number(256),
                            0,
                            /* initiatorDepth= */ choice.number(256),
                            0,
                            20,
                            0,
                            false,
                            5,
                            20,
                            7,
                            0xFFFF,
                            3,
                            false,
                            7,
                            15,
                            false,
                            0,
                            CmPath.ipv4(PEER, LOCAL, 0, 16),
                            CmPath.NONE,
                            CmAddress.ipv4(1, PEER, LOCAL).with(nothing));
                case 1 ->
                    new CmRep(
                            CmHeader.of(CmMessage.ATTRIBUTE_REP, 1),
                            from,
                            to,
                            0,
                            queuePair,
                            0,
                            0,
                            5,
                            /* responderResources= */ choice.number(256),
                            /* initiatorDepth= */ choice.number(256),
                            15,
                            0,
                            false,
                            7,
                            false,
                            0,
                            guid,
                            CmBytes.padded(nothing, CmRep.PRIVATE_DATA_BYTES));
                case 2 ->
                    new CmRtu(
                            CmHeader.of(CmMessage.ATTRIBUTE_RTU, 1),
                            from,
                            to,
                            CmBytes.padded(nothing, CmRtu.PRIVATE_DATA_BYTES));
                case 3 ->
                    new CmRej(
                            CmHeader.of(CmMessage.ATTRIBUTE_REJ, 1),
                            from,
                            to,
                            choice.number(3),
                            choice.number(2) == 0 ? 4 : 28,
                            0,
                            8,
                            CmBytes.padded(ByteBuffer.allocate(8).putLong(guid).array(), CmRej.INFORMATION_BYTES),
                            CmBytes.padded(nothing, CmRej.PRIVATE_DATA_BYTES));
                case 4 ->
                    new CmMra(
                            CmHeader.of(CmMessage.ATTRIBUTE_MRA, 1),
                            from,
                            to,
                            choice.number(2),
                            choice.number(32),
                            0,
                            CmBytes.padded(nothing, CmMra.PRIVATE_DATA_BYTES));
                case 5 ->
                    new CmDreq(
                            CmHeader.of(CmMessage.ATTRIBUTE_DREQ, 1),
                            from,
                            to,
                            100 + queuePair,
                            0,
                            CmBytes.padded(nothing, CmDreq.PRIVATE_DATA_BYTES));
                default ->
                    new CmDrep(
                            CmHeader.of(CmMessage.ATTRIBUTE_DREP, 1),
                            from,
                            to,
                            CmBytes.padded(nothing, CmDrep.PRIVATE_DATA_BYTES));
            };
        }

        private final class Told implements CmEvents {
            private CmId id = new CmId(0);
            private boolean established;
            private boolean ended;

            @Override
            public void established(CmPeer peer, byte[] privateData) {
                check(!established && !ended, "established again");
                established = true;
                if (choice.number(20) == 0) {
                    manager.disconnect(id, now);
                    ended = true;
                }
            }

            @Override
            public void rejected(int reason, byte[] privateData) {
                check(!established, "rejected what was established");
                end();
            }

            @Override
            public void disconnected() {
                end();
            }

            @Override
            public void failed(String why) {
                check(!why.isEmpty(), "failed for no reason");
                end();
            }

            private void end() {
                check(!ended, "ended again");
                ended = true;
                manager.disconnect(id, now);
            }
        }
    }
}
