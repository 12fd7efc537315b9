package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * A message of the InfiniBand connection manager: a management datagram of 256 bytes that travels between the queue
 * pairs 1 of two ports. Layouts as in the InfiniBand Architecture Specification, volume 1, "Communication Management",
 * checked against captures of Linux. Every bit of a message is kept, so that writing what was read gives the same
 * bytes.
 *
 * <p>In a message "local" is the side that sends it, and "remote" the side that receives it.
 *
 * <pre>
 *  0  1  base version, 1               8  8  transaction id
 *  1  1  class, 7                     16  2  attribute: which message
 *  2  1  class version, 2             18  2  reserved
 *  3  1  method, 3                    20  4  attribute modifier
 *  4  2  status                       24 232 the message; the tables below count from here
 *  6  2  class specific
 * </pre>
 */
sealed interface CmMessage {
    /** Length of every message in bytes. */
    int LENGTH_BYTES = 256;

    /** Request to connect. */
    int ATTRIBUTE_REQ = 0x10;
    /** The message was received, and its answer takes time. */
    int ATTRIBUTE_MRA = 0x11;
    /** Refusal. */
    int ATTRIBUTE_REJ = 0x12;
    /** Reply to a request: accepted. */
    int ATTRIBUTE_REP = 0x13;
    /** Ready to use. */
    int ATTRIBUTE_RTU = 0x14;
    /** Request to disconnect. */
    int ATTRIBUTE_DREQ = 0x15;
    /** Reply to a request to disconnect. */
    int ATTRIBUTE_DREP = 0x16;

    /** Rejection: not enough resources. */
    int REASON_NO_RESOURCES = 3;
    /** Rejection: no answer in time. */
    int REASON_TIMEOUT = 4;
    /** Rejection: no one listens. */
    int REASON_INVALID_SERVICE_ID = 8;
    /** Rejection: not a reliable connection. */
    int REASON_INVALID_TRANSPORT = 9;
    /** Rejection: the queue pair is connected already. */
    int REASON_STALE_CONNECTION = 10;
    /** Rejection: not an address of the asked port. */
    int REASON_INVALID_GID = 12;
    /** Rejection: the path MTU cannot be. */
    int REASON_INVALID_MTU = 26;
    /** Rejection: by the application. */
    int REASON_CONSUMER = 28;

    /** What a rejection or a "received" speaks of: a request. */
    int ABOUT_REQ = 0;
    /** What a rejection or a "received" speaks of: a reply. */
    int ABOUT_REP = 1;
    /** What a rejection speaks of: no message, or another one. */
    int ABOUT_OTHER = 2;

    /** Length of the header in bytes. */
    int HEADER_BYTES = 24;

    /** The header of the message. */
    Header header();

    /** Identifier that the sending side gave the connection. */
    int localId();

    /** Identifier that the receiving side gave the connection, 0 when the sender does not know it. */
    int remoteId();

    /** Writes the message proper; the buffer holds zeros, starts behind the header, and is big-endian. */
    void writeBody(ByteBuffer to);

    /**
     * Writes the message.
     *
     * @param to gets {@link #LENGTH_BYTES} bytes
     * @param offset where in the buffer, whose position does not matter
     */
    default void encode(ByteBuffer to, int offset) {
        ByteBuffer mad = to.slice(offset, LENGTH_BYTES);
        for (int at = 0; at < LENGTH_BYTES; at += Long.BYTES) {
            mad.putLong(at, 0);
        }
        header().write(mad);
        writeBody(mad.slice(HEADER_BYTES, LENGTH_BYTES - HEADER_BYTES));
    }

    /** Whether the bytes are a message of the connection manager, known or not. */
    static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        return lengthBytes == LENGTH_BYTES
                && offset >= 0
                && offset <= packet.limit() - LENGTH_BYTES
                && packet.get(offset) == Header.BASE_VERSION
                && packet.get(offset + 1) == Header.CLASS
                && packet.get(offset + 2) == Header.CLASS_VERSION
                && packet.get(offset + 3) == Header.METHOD_SEND;
    }

    /**
     * Reads a message.
     *
     * @param packet where {@link #fits} holds
     * @param offset first byte of the datagram
     * @return the message, or empty if it is one of those that nothing here needs
     */
    static Optional<CmMessage> decode(ByteBuffer packet, int offset) {
        ByteBuffer mad = packet.slice(offset, LENGTH_BYTES);
        Header header = Header.read(mad);
        ByteBuffer body = mad.slice(HEADER_BYTES, LENGTH_BYTES - HEADER_BYTES);
        return switch (header.attribute()) {
            case ATTRIBUTE_REQ -> Optional.of(Req.read(header, body));
            case ATTRIBUTE_MRA -> Optional.of(Mra.read(header, body));
            case ATTRIBUTE_REJ -> Optional.of(Rej.read(header, body));
            case ATTRIBUTE_REP -> Optional.of(Rep.read(header, body));
            case ATTRIBUTE_RTU -> Optional.of(Rtu.read(header, body));
            case ATTRIBUTE_DREQ -> Optional.of(Dreq.read(header, body));
            case ATTRIBUTE_DREP -> Optional.of(Drep.read(header, body));
            default -> Optional.empty();
        };
    }

    /** Nanoseconds of a 5-bit time code: 4.096 us times two to its power. */
    static long nanosOfCode(int code) {
        return 4096L << code;
    }

    /** Checks that a field holds its value. */
    static void check(String name, int value, int bits) {
        if (value < 0 || value >>> bits != 0) {
            throw new IllegalArgumentException(name + " is " + value + ", which " + bits + " bits cannot hold");
        }
    }

    /** Checks that bytes fill their field. */
    static void checkLength(String name, CmBytes bytes, int lengthBytes) {
        if (bytes.lengthBytes() != lengthBytes) {
            throw new IllegalArgumentException(
                    name + " has " + bytes.lengthBytes() + " bytes instead of " + lengthBytes);
        }
    }

    private static void checkHeader(Header header, int attribute) {
        if (header.attribute() != attribute) {
            throw new IllegalArgumentException("The header is of another message: " + header);
        }
    }

    private static String ids(String name, CmMessage message) {
        return String.format("%s local id %08x remote id %08x", name, message.localId(), message.remoteId());
    }

    /**
     * What stands in front of every message.
     *
     * @param status 0
     * @param classSpecific 0
     * @param transactionId chosen by who starts an exchange, repeated in its answers
     * @param attribute which message it is
     * @param reserved 0
     * @param attributeModifier 0
     */
    record Header(
            int status, int classSpecific, long transactionId, int attribute, int reserved, int attributeModifier) {
        static final int BASE_VERSION = 1;
        static final int CLASS = 7;
        static final int CLASS_VERSION = 2;
        static final int METHOD_SEND = 3;

        /** Checks the ranges. */
        public Header {
            check("status", status, 16);
            check("classSpecific", classSpecific, 16);
            check("attribute", attribute, 16);
            check("reserved", reserved, 16);
        }

        static Header of(int attribute, long transactionId) {
            return new Header(0, 0, transactionId, attribute, 0, 0);
        }

        static Header read(ByteBuffer mad) {
            return new Header(
                    unsignedShort(mad, 4),
                    unsignedShort(mad, 6),
                    mad.getLong(8),
                    unsignedShort(mad, 16),
                    unsignedShort(mad, 18),
                    mad.getInt(20));
        }

        void write(ByteBuffer mad) {
            mad.put(0, (byte) BASE_VERSION).put(1, (byte) CLASS).put(2, (byte) CLASS_VERSION);
            mad.put(3, (byte) METHOD_SEND).putShort(4, (short) status).putShort(6, (short) classSpecific);
            mad.putLong(8, transactionId).putShort(16, (short) attribute).putShort(18, (short) reserved);
            mad.putInt(20, attributeModifier);
        }
    }

    /**
     * A way between two ports.
     *
     * <pre>
     *  0  2  local LID                  36  20 bit flow label, 6 reserved, 6 packet rate
     *  2  2  remote LID                 40  1  traffic class
     *  4 16  local GID                  41  1  hop limit
     * 20 16  remote GID                 42  4 bit service level, 1 subnet local, 3 reserved
     *                                   43  5 bit acknowledge timeout, 3 reserved
     * </pre>
     *
     * @param localLid ignored over Ethernet
     * @param remoteLid ignored over Ethernet
     * @param localGid where the peer sends to
     * @param remoteGid the peer
     * @param flowLabel 20 bit
     * @param packetRate 6 bit
     * @param trafficClass becomes the type of service of the peer's packets
     * @param hopLimit becomes the time to live of the peer's packets
     * @param serviceLevel 4 bit
     * @param subnetLocal whether both ports are in one subnet
     * @param ackTimeoutExponent timeout of the peer's requests
     * @param reserved the 6, 3 and 3 reserved bits, one after the other
     */
    record Path(
            int localLid,
            int remoteLid,
            CmGid localGid,
            CmGid remoteGid,
            int flowLabel,
            int packetRate,
            int trafficClass,
            int hopLimit,
            int serviceLevel,
            boolean subnetLocal,
            int ackTimeoutExponent,
            int reserved) {
        static final int LENGTH_BYTES = 44;
        /** No path. */
        static final Path NONE = new Path(0, 0, new CmGid(0, 0), new CmGid(0, 0), 0, 0, 0, 0, 0, false, 0, 0);

        private static final int ANY_LID = 0xFFFF;
        private static final int HOP_LIMIT = 64;

        /** Checks the ranges. */
        public Path {
            check("localLid", localLid, 16);
            check("remoteLid", remoteLid, 16);
            Objects.requireNonNull(localGid, "localGid");
            Objects.requireNonNull(remoteGid, "remoteGid");
            check("flowLabel", flowLabel, 20);
            check("packetRate", packetRate, 6);
            check("trafficClass", trafficClass, 8);
            check("hopLimit", hopLimit, 8);
            check("serviceLevel", serviceLevel, 4);
            check("ackTimeoutExponent", ackTimeoutExponent, 5);
            check("reserved", reserved, 12);
        }

        /** A routed way between two IPv4 addresses. */
        static Path ipv4(int local, int remote, int ackTimeoutExponent) {
            return new Path(
                    ANY_LID,
                    ANY_LID,
                    CmGid.ofIpv4(local),
                    CmGid.ofIpv4(remote),
                    0,
                    0,
                    0,
                    HOP_LIMIT,
                    0,
                    false,
                    ackTimeoutExponent,
                    0);
        }

        static Path read(ByteBuffer from, int offset) {
            int flow = from.getInt(offset + 36);
            int level = from.get(offset + 42);
            int timeout = from.get(offset + 43);
            return new Path(
                    unsignedShort(from, offset),
                    unsignedShort(from, offset + 2),
                    new CmGid(from.getLong(offset + 4), from.getLong(offset + 12)),
                    new CmGid(from.getLong(offset + 20), from.getLong(offset + 28)),
                    flow >>> 12,
                    flow & 0x3F,
                    unsignedByte(from, offset + 40),
                    unsignedByte(from, offset + 41),
                    level >> 4 & 0xF,
                    (level & 8) != 0,
                    timeout >> 3 & 0x1F,
                    (flow >> 6 & 0x3F) << 6 | (level & 7) << 3 | (timeout & 7));
        }

        void write(ByteBuffer to, int offset) {
            to.putShort(offset, (short) localLid).putShort(offset + 2, (short) remoteLid);
            to.putLong(offset + 4, localGid.high()).putLong(offset + 12, localGid.low());
            to.putLong(offset + 20, remoteGid.high()).putLong(offset + 28, remoteGid.low());
            to.putInt(offset + 36, flowLabel << 12 | (reserved & 0xFC0) | packetRate);
            to.put(offset + 40, (byte) trafficClass).put(offset + 41, (byte) hopLimit);
            to.put(offset + 42, (byte) (serviceLevel << 4 | (subnetLocal ? 8 : 0) | (reserved >> 3 & 7)));
            to.put(offset + 43, (byte) (ackTimeoutExponent << 3 | (reserved & 7)));
        }
    }

    /**
     * Request to connect.
     *
     * <pre>
     *  0  4  local id                    36  3  local EE context       47  5 bit local response timeout, 3 retries
     *  4  4  reserved, vendor            39  1  initiator depth        48  2  partition key
     *  8  8  service id                  40  3  remote EE context      50  4 bit path MTU, 1 RDC exists, 3 RNR retries
     * 16  8  GUID of the adapter         43  5 bit remote response     51  4 bit most retries, 1 SRQ, 3 ext. transport
     * 24  4  reserved                        timeout, 2 transport,     52 44  primary path
     * 28  4  queue key                       1 flow control            96 44  alternate path
     * 32  3  queue pair                  44  3  starting PSN          140 92  private data
     * 35  1  responder resources
     * </pre>
     *
     * @param header header
     * @param localId identifier of the asking side
     * @param vendor 0
     * @param serviceId what is asked for: port space and port
     * @param caGuid the asking side's adapter
     * @param reserved 0
     * @param queueKey 0
     * @param queuePairNumber the asking side's queue pair
     * @param responderResources reads that the asking side serves at a time
     * @param localEeContext 0
     * @param initiatorDepth reads that the asking side has outstanding at a time
     * @param remoteEeContext 0
     * @param remoteResponseTimeout time code within which the asked side should answer
     * @param transportType 0 for a reliable connection
     * @param flowControl end-to-end flow control
     * @param startingPsn first packet sequence number that the asked side must send
     * @param localResponseTimeout time code within which the asking side answers
     * @param retryCount how often the asked side's queue pair sends again
     * @param partitionKey 0xFFFF
     * @param pathMtuCode 1 for 256 bytes of payload a packet to 5 for 4096
     * @param rdcExists 0
     * @param rnrRetryCount how often the asked side's queue pair sends again for lack of a receive; 7 indefinitely
     * @param maxRetries how often a message of the connection manager is sent again
     * @param sharedReceiveQueue whether the asking side's receives are shared
     * @param extendedTransport 0
     * @param primary the path
     * @param alternate none
     * @param privateData {@link CmAddress}, and what the application says
     */
    record Req(
            Header header,
            int localId,
            int vendor,
            long serviceId,
            long caGuid,
            int reserved,
            int queueKey,
            int queuePairNumber,
            int responderResources,
            int localEeContext,
            int initiatorDepth,
            int remoteEeContext,
            int remoteResponseTimeout,
            int transportType,
            boolean flowControl,
            int startingPsn,
            int localResponseTimeout,
            int retryCount,
            int partitionKey,
            int pathMtuCode,
            boolean rdcExists,
            int rnrRetryCount,
            int maxRetries,
            boolean sharedReceiveQueue,
            int extendedTransport,
            Path primary,
            Path alternate,
            CmBytes privateData)
            implements CmMessage {
        /** Private data of a request in bytes. */
        static final int PRIVATE_DATA_BYTES = 92;
        /** What of it is the application's. */
        static final int USER_DATA_BYTES = PRIVATE_DATA_BYTES - CmAddress.LENGTH_BYTES;
        /** Service ids of the port space that connections are in. */
        static final long TCP_PORT_SPACE = 0x0106_0000L;

        private static final int PRIVATE_DATA_OFFSET = 140;
        private static final int PRIMARY_OFFSET = 52;
        private static final int ALTERNATE_OFFSET = PRIMARY_OFFSET + Path.LENGTH_BYTES;

        /** Checks the ranges. */
        public Req {
            checkHeader(header, ATTRIBUTE_REQ);
            check("queuePairNumber", queuePairNumber, 24);
            check("responderResources", responderResources, 8);
            check("localEeContext", localEeContext, 24);
            check("initiatorDepth", initiatorDepth, 8);
            check("remoteEeContext", remoteEeContext, 24);
            check("remoteResponseTimeout", remoteResponseTimeout, 5);
            check("transportType", transportType, 2);
            check("startingPsn", startingPsn, 24);
            check("localResponseTimeout", localResponseTimeout, 5);
            check("retryCount", retryCount, 3);
            check("partitionKey", partitionKey, 16);
            check("pathMtuCode", pathMtuCode, 4);
            check("rnrRetryCount", rnrRetryCount, 3);
            check("maxRetries", maxRetries, 4);
            check("extendedTransport", extendedTransport, 3);
            Objects.requireNonNull(primary, "primary");
            Objects.requireNonNull(alternate, "alternate");
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Req read(Header header, ByteBuffer from) {
            int timeouts = from.get(43);
            int retries = from.get(47);
            int mtu = from.get(50);
            int shared = from.get(51);
            return new Req(
                    header,
                    from.getInt(0),
                    from.getInt(4),
                    from.getLong(8),
                    from.getLong(16),
                    from.getInt(24),
                    from.getInt(28),
                    from.getInt(32) >>> 8,
                    unsignedByte(from, 35),
                    from.getInt(36) >>> 8,
                    unsignedByte(from, 39),
                    from.getInt(40) >>> 8,
                    timeouts >> 3 & 0x1F,
                    timeouts >> 1 & 3,
                    (timeouts & 1) != 0,
                    from.getInt(44) >>> 8,
                    retries >> 3 & 0x1F,
                    retries & 7,
                    unsignedShort(from, 48),
                    mtu >> 4 & 0xF,
                    (mtu & 8) != 0,
                    mtu & 7,
                    shared >> 4 & 0xF,
                    (shared & 8) != 0,
                    shared & 7,
                    Path.read(from, PRIMARY_OFFSET),
                    Path.read(from, ALTERNATE_OFFSET),
                    CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, vendor).putLong(8, serviceId).putLong(16, caGuid);
            to.putInt(24, reserved).putInt(28, queueKey);
            to.putInt(32, queuePairNumber << 8 | responderResources);
            to.putInt(36, localEeContext << 8 | initiatorDepth);
            to.putInt(
                    40, remoteEeContext << 8 | remoteResponseTimeout << 3 | transportType << 1 | (flowControl ? 1 : 0));
            to.putInt(44, startingPsn << 8 | localResponseTimeout << 3 | retryCount);
            to.putShort(48, (short) partitionKey);
            to.put(50, (byte) (pathMtuCode << 4 | (rdcExists ? 8 : 0) | rnrRetryCount));
            to.put(51, (byte) (maxRetries << 4 | (sharedReceiveQueue ? 8 : 0) | extendedTransport));
            primary.write(to, PRIMARY_OFFSET);
            alternate.write(to, ALTERNATE_OFFSET);
            privateData.write(to, PRIVATE_DATA_OFFSET);
        }

        @Override
        public int remoteId() {
            return 0;
        }

        /** Whether a port of the TCP port space is asked for. */
        boolean isTcpPort() {
            return (serviceId & ~0xFFFFL) == TCP_PORT_SPACE;
        }

        /** The port that is asked for. */
        int port() {
            return (int) (serviceId & 0xFFFF);
        }

        /** The header in the private data. */
        CmAddress address() {
            return CmAddress.of(privateData);
        }

        /** What the application says, zero padded. */
        byte[] userData() {
            return privateData.from(CmAddress.LENGTH_BYTES);
        }

        @Override
        public String toString() {
            return String.format(
                    "REQ local id %08x service id %x CA GUID %016x queue pair %06x PSN %06x MTU code %d retries %d RNR"
                            + " retries %d %s to %s, %s %s",
                    localId,
                    serviceId,
                    caGuid,
                    queuePairNumber,
                    startingPsn,
                    pathMtuCode,
                    retryCount,
                    rnrRetryCount,
                    primary.localGid(),
                    primary.remoteGid(),
                    address(),
                    privateData);
        }
    }

    /**
     * Reply to a request: accepted.
     *
     * <pre>
     *  0  4  local id       16  3  EE context         26  5 bit acknowledge delay, 2 failover, 1 flow control
     *  4  4  remote id      19  1  vendor, middle     27  3 bit RNR retries, 1 SRQ, 4 reserved
     *  8  4  queue key      20  3  starting PSN       28  8  GUID of the adapter
     * 12  3  queue pair     23  1  vendor, low        36 196 private data
     * 15  1  vendor, high   24  1  responder resources
     *                       25  1  initiator depth
     * </pre>
     *
     * @param header header
     * @param localId identifier of the asked side
     * @param remoteId identifier of the asking side
     * @param queueKey 0
     * @param queuePairNumber the asked side's queue pair
     * @param vendor 0
     * @param eeContext 0
     * @param startingPsn first packet sequence number that the asking side must send
     * @param responderResources reads that the asked side serves at a time
     * @param initiatorDepth reads that the asked side has outstanding at a time
     * @param ackDelay time code of the asked side's slowest acknowledgement
     * @param failover answer to the offer of an alternate path
     * @param flowControl end-to-end flow control
     * @param rnrRetryCount how often the asking side's queue pair sends again for lack of a receive; 7 indefinitely
     * @param sharedReceiveQueue whether the asked side's receives are shared
     * @param reserved 0
     * @param caGuid the asked side's adapter
     * @param privateData what the application says
     */
    record Rep(
            Header header,
            int localId,
            int remoteId,
            int queueKey,
            int queuePairNumber,
            int vendor,
            int eeContext,
            int startingPsn,
            int responderResources,
            int initiatorDepth,
            int ackDelay,
            int failover,
            boolean flowControl,
            int rnrRetryCount,
            boolean sharedReceiveQueue,
            int reserved,
            long caGuid,
            CmBytes privateData)
            implements CmMessage {
        /** Private data of a reply in bytes. */
        static final int PRIVATE_DATA_BYTES = 196;

        private static final int PRIVATE_DATA_OFFSET = 36;

        /** Checks the ranges. */
        public Rep {
            checkHeader(header, ATTRIBUTE_REP);
            check("queuePairNumber", queuePairNumber, 24);
            check("vendor", vendor, 24);
            check("eeContext", eeContext, 24);
            check("startingPsn", startingPsn, 24);
            check("responderResources", responderResources, 8);
            check("initiatorDepth", initiatorDepth, 8);
            check("ackDelay", ackDelay, 5);
            check("failover", failover, 2);
            check("rnrRetryCount", rnrRetryCount, 3);
            check("reserved", reserved, 4);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Rep read(Header header, ByteBuffer from) {
            int delay = from.get(26);
            int retries = from.get(27);
            return new Rep(
                    header,
                    from.getInt(0),
                    from.getInt(4),
                    from.getInt(8),
                    from.getInt(12) >>> 8,
                    unsignedByte(from, 15) << 16 | unsignedByte(from, 19) << 8 | unsignedByte(from, 23),
                    from.getInt(16) >>> 8,
                    from.getInt(20) >>> 8,
                    unsignedByte(from, 24),
                    unsignedByte(from, 25),
                    delay >> 3 & 0x1F,
                    delay >> 1 & 3,
                    (delay & 1) != 0,
                    retries >> 5 & 7,
                    (retries & 0x10) != 0,
                    retries & 0xF,
                    from.getLong(28),
                    CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId).putInt(8, queueKey);
            to.putInt(12, queuePairNumber << 8 | vendor >> 16);
            to.putInt(16, eeContext << 8 | (vendor >> 8 & 0xFF));
            to.putInt(20, startingPsn << 8 | (vendor & 0xFF));
            to.put(24, (byte) responderResources).put(25, (byte) initiatorDepth);
            to.put(26, (byte) (ackDelay << 3 | failover << 1 | (flowControl ? 1 : 0)));
            to.put(27, (byte) (rnrRetryCount << 5 | (sharedReceiveQueue ? 0x10 : 0) | reserved));
            to.putLong(28, caGuid);
            privateData.write(to, PRIVATE_DATA_OFFSET);
        }

        @Override
        public String toString() {
            return String.format(
                    "%s CA GUID %016x queue pair %06x PSN %06x RNR retries %d %s",
                    ids("REP", this), caGuid, queuePairNumber, startingPsn, rnrRetryCount, privateData);
        }
    }

    /**
     * The asking side is ready: local id 4, remote id 4, private data 224 bytes.
     *
     * @param header header
     * @param localId identifier of the asking side
     * @param remoteId identifier of the asked side
     * @param privateData what the application says
     */
    record Rtu(Header header, int localId, int remoteId, CmBytes privateData) implements CmMessage {
        /** Private data in bytes. */
        static final int PRIVATE_DATA_BYTES = 224;

        /** Checks the ranges. */
        public Rtu {
            checkHeader(header, ATTRIBUTE_RTU);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Rtu read(Header header, ByteBuffer from) {
            return new Rtu(header, from.getInt(0), from.getInt(4), CmBytes.read(from, 8, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId);
            privateData.write(to, 8);
        }

        @Override
        public String toString() {
            return ids("RTU", this) + " " + privateData;
        }
    }

    /**
     * Refusal, of a request, of a reply, or of what was agreed.
     *
     * <pre>
     *  0  4  local id, 0 if none yet        9  7 bit length of the information, 1 reserved
     *  4  4  remote id                     10  2  reason
     *  8  2 bit what is refused, 6         12 72  additional information
     *        reserved                      84 148 private data
     * </pre>
     *
     * @param header header
     * @param localId identifier of the refusing side, 0 if it gave none
     * @param remoteId identifier of the other side, 0 if not known
     * @param about what is refused: 0 a request, 1 a reply, 2 other
     * @param reason why
     * @param reserved the 6 and the 1 reserved bits, one after the other
     * @param informationBytes how much of the information counts
     * @param information what the reason says more
     * @param privateData what the application says
     */
    record Rej(
            Header header,
            int localId,
            int remoteId,
            int about,
            int reason,
            int reserved,
            int informationBytes,
            CmBytes information,
            CmBytes privateData)
            implements CmMessage {
        /** Additional information in bytes. */
        static final int INFORMATION_BYTES = 72;
        /** Private data in bytes. */
        static final int PRIVATE_DATA_BYTES = 148;

        private static final int INFORMATION_OFFSET = 12;
        private static final int PRIVATE_DATA_OFFSET = INFORMATION_OFFSET + INFORMATION_BYTES;

        /** Checks the ranges. */
        public Rej {
            checkHeader(header, ATTRIBUTE_REJ);
            check("about", about, 2);
            check("reason", reason, 16);
            check("reserved", reserved, 7);
            check("informationBytes", informationBytes, 7);
            checkLength("information", information, INFORMATION_BYTES);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Rej read(Header header, ByteBuffer from) {
            int about = from.get(8);
            int length = from.get(9);
            return new Rej(
                    header,
                    from.getInt(0),
                    from.getInt(4),
                    about >> 6 & 3,
                    unsignedShort(from, 10),
                    (about & 0x3F) << 1 | (length & 1),
                    length >> 1 & 0x7F,
                    CmBytes.read(from, INFORMATION_OFFSET, INFORMATION_BYTES),
                    CmBytes.read(from, PRIVATE_DATA_OFFSET, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId);
            to.put(8, (byte) (about << 6 | reserved >> 1));
            to.put(9, (byte) (informationBytes << 1 | (reserved & 1)));
            to.putShort(10, (short) reason);
            information.write(to, INFORMATION_OFFSET);
            privateData.write(to, PRIVATE_DATA_OFFSET);
        }

        @Override
        public String toString() {
            return ids("REJ", this) + " reason " + reason + " about " + about + " information " + information + " "
                    + privateData;
        }
    }

    /**
     * The message was received, and its answer takes time.
     *
     * <pre>
     *  0  4  local id        8  2 bit which message, 6 reserved       10 222 private data
     *  4  4  remote id       9  5 bit service timeout, 3 reserved
     * </pre>
     *
     * @param header header
     * @param localId identifier of the sending side
     * @param remoteId identifier of the receiving side
     * @param about which message: 0 a request, 1 a reply, 2 an alternate path
     * @param serviceTimeout time code within which the answer comes
     * @param reserved the 6 and the 3 reserved bits, one after the other
     * @param privateData what the application says
     */
    record Mra(
            Header header, int localId, int remoteId, int about, int serviceTimeout, int reserved, CmBytes privateData)
            implements CmMessage {
        /** Private data in bytes. */
        static final int PRIVATE_DATA_BYTES = 222;

        /** Checks the ranges. */
        public Mra {
            checkHeader(header, ATTRIBUTE_MRA);
            check("about", about, 2);
            check("serviceTimeout", serviceTimeout, 5);
            check("reserved", reserved, 9);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Mra read(Header header, ByteBuffer from) {
            int about = from.get(8);
            int timeout = from.get(9);
            return new Mra(
                    header,
                    from.getInt(0),
                    from.getInt(4),
                    about >> 6 & 3,
                    timeout >> 3 & 0x1F,
                    (about & 0x3F) << 3 | (timeout & 7),
                    CmBytes.read(from, 10, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId);
            to.put(8, (byte) (about << 6 | reserved >> 3));
            to.put(9, (byte) (serviceTimeout << 3 | (reserved & 7)));
            privateData.write(to, 10);
        }

        @Override
        public String toString() {
            return ids("MRA", this) + " about " + about + " service timeout " + serviceTimeout + " " + privateData;
        }
    }

    /**
     * Request to disconnect: local id 4, remote id 4, queue pair 3, reserved 1, private data 220 bytes.
     *
     * @param header header
     * @param localId identifier of the sending side
     * @param remoteId identifier of the receiving side
     * @param remoteQueuePairNumber queue pair of the receiving side
     * @param reserved 0
     * @param privateData what the application says
     */
    record Dreq(Header header, int localId, int remoteId, int remoteQueuePairNumber, int reserved, CmBytes privateData)
            implements CmMessage {
        /** Private data in bytes. */
        static final int PRIVATE_DATA_BYTES = 220;

        /** Checks the ranges. */
        public Dreq {
            checkHeader(header, ATTRIBUTE_DREQ);
            check("remoteQueuePairNumber", remoteQueuePairNumber, 24);
            check("reserved", reserved, 8);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Dreq read(Header header, ByteBuffer from) {
            return new Dreq(
                    header,
                    from.getInt(0),
                    from.getInt(4),
                    from.getInt(8) >>> 8,
                    unsignedByte(from, 11),
                    CmBytes.read(from, 12, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId).putInt(8, remoteQueuePairNumber << 8 | reserved);
            privateData.write(to, 12);
        }

        @Override
        public String toString() {
            return ids("DREQ", this) + String.format(" queue pair %06x ", remoteQueuePairNumber) + privateData;
        }
    }

    /**
     * Reply to a request to disconnect: local id 4, remote id 4, private data 224 bytes.
     *
     * @param header header, with the transaction id of the request
     * @param localId identifier of the sending side
     * @param remoteId identifier of the receiving side
     * @param privateData what the application says
     */
    record Drep(Header header, int localId, int remoteId, CmBytes privateData) implements CmMessage {
        /** Private data in bytes. */
        static final int PRIVATE_DATA_BYTES = 224;

        /** Checks the ranges. */
        public Drep {
            checkHeader(header, ATTRIBUTE_DREP);
            checkLength("privateData", privateData, PRIVATE_DATA_BYTES);
        }

        static Drep read(Header header, ByteBuffer from) {
            return new Drep(header, from.getInt(0), from.getInt(4), CmBytes.read(from, 8, PRIVATE_DATA_BYTES));
        }

        @Override
        public void writeBody(ByteBuffer to) {
            to.putInt(0, localId).putInt(4, remoteId);
            privateData.write(to, 8);
        }

        @Override
        public String toString() {
            return ids("DREP", this) + " " + privateData;
        }
    }

    private static int unsignedByte(ByteBuffer from, int offset) {
        return Byte.toUnsignedInt(from.get(offset));
    }

    private static int unsignedShort(ByteBuffer from, int offset) {
        return Short.toUnsignedInt(from.getShort(offset));
    }
}
