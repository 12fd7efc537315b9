package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A message of the connection manager that a third party sees, by fields. What says who takes part is apart from the
 * rest, so that it can be replaced.
 *
 * @param kind {@code REQ}, {@code MRA}, {@code REJ}, {@code REP}, {@code RTU}, {@code DREQ}, {@code DREP}; the number
 *     of the attribute in hex for any other
 * @param transactionId chosen by who starts an exchange, repeated in its answers
 * @param numbers fields that are numbers, by name, in the order of the message
 * @param ports identifiers of ports, 16 bytes each, by name: global identifiers and IP addresses
 * @param adapters GUIDs of adapters, by name
 * @param bytes what applications say, by name, of the full length of the field
 */
public record ObservedMessage(
        String kind,
        long transactionId,
        Map<String, Long> numbers,
        Map<String, byte[]> ports,
        Map<String, Long> adapters,
        Map<String, byte[]> bytes) {

    private static final String PRIVATE_DATA = "privateData";
    /** Service ids from here on are of IP port spaces; private data of a request then begins with addresses. */
    private static final long IP_SERVICE = 0x0100_0000L;

    private static final int IP_SERVICE_BITS = 24;

    private ObservedMessage(CmHeader header, String kind) {
        this(
                kind,
                header.transactionId(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>());
    }

    /** Empty if the bytes are no message of the connection manager. */
    static Optional<ObservedMessage> parse(ByteBuffer packet, int offset, int lengthBytes) {
        if (!CmMessage.fits(packet, offset, lengthBytes)) {
            return Optional.empty();
        }
        CmHeader header = CmHeader.read(packet.slice(offset, CmMessage.LENGTH_BYTES));
        Optional<CmMessage> known = CmMessage.decode(packet, offset);
        if (known.isEmpty()) {
            return Optional.of(new ObservedMessage(header, String.format(Locale.ROOT, "0x%04X", header.attribute())));
        }
        CmMessage message = known.get();
        String kind = message.getClass().getSimpleName().substring(2).toUpperCase(Locale.ROOT);
        ObservedMessage observed = new ObservedMessage(header, kind);
        observed.put("localCommId", Integer.toUnsignedLong(message.localId()));
        if (!(message instanceof CmReq)) {
            observed.put("remoteCommId", Integer.toUnsignedLong(message.remoteId()));
        }
        if (message instanceof CmReq req) {
            observed.request(req);
        } else if (message instanceof CmRep rep) {
            observed.reply(rep);
        } else if (message instanceof CmRej rej) {
            observed.put("about", rej.about());
            observed.put("reason", rej.reason());
            observed.put("informationBytes", rej.informationBytes());
            observed.bytes.put("information", rej.information().toArray());
            observed.bytes.put(PRIVATE_DATA, rej.privateData().toArray());
        } else if (message instanceof CmMra mra) {
            observed.put("about", mra.about());
            observed.put("serviceTimeout", mra.serviceTimeout());
            observed.bytes.put(PRIVATE_DATA, mra.privateData().toArray());
        } else if (message instanceof CmDreq dreq) {
            observed.put("remoteQueuePair", dreq.remoteQueuePairNumber());
            observed.bytes.put(PRIVATE_DATA, dreq.privateData().toArray());
        } else if (message instanceof CmPlain plain) {
            observed.bytes.put(PRIVATE_DATA, plain.privateData().toArray());
        }
        return Optional.of(observed);
    }

    private void put(String name, long value) {
        numbers.put(name, value);
    }

    private void put(String name, boolean value) {
        numbers.put(name, value ? 1L : 0L);
    }

    private void request(CmReq req) {
        put("serviceId", req.serviceId());
        adapters.put("caGuid", req.caGuid());
        put("queueKey", Integer.toUnsignedLong(req.queueKey()));
        put("queuePair", req.queuePairNumber());
        put("responderResources", req.responderResources());
        put("initiatorDepth", req.initiatorDepth());
        put("remoteResponseTimeout", req.remoteResponseTimeout());
        put("transportType", req.transportType());
        put("flowControl", req.flowControl());
        put("startingPsn", req.startingPsn());
        put("localResponseTimeout", req.localResponseTimeout());
        put("retryCount", req.retryCount());
        put("partitionKey", req.partitionKey());
        put("pathMtuBytes", Headers.mtuBytes(req.pathMtuCode()));
        put("rnrRetryCount", req.rnrRetryCount());
        put("maxCmRetries", req.maxRetries());
        put("sharedReceiveQueue", req.sharedReceiveQueue());
        put("extendedTransport", req.extendedTransport());
        CmPath path = req.primary();
        port("localGid", path.localGid());
        port("remoteGid", path.remoteGid());
        put("flowLabel", path.flowLabel());
        put("packetRate", path.packetRate());
        put("trafficClass", path.trafficClass());
        put("hopLimit", path.hopLimit());
        put("ackTimeout", path.ackTimeoutExponent());
        if (req.serviceId() >>> IP_SERVICE_BITS != IP_SERVICE >>> IP_SERVICE_BITS) {
            bytes.put(PRIVATE_DATA, req.privateData().toArray());
            return;
        }
        CmAddress address = req.address();
        put("cmaVersion", address.version());
        put("ipVersion", address.ipVersion());
        put("sourcePort", address.sourcePort());
        ports.put("source", address.source().toArray());
        ports.put("destination", address.destination().toArray());
        bytes.put(PRIVATE_DATA, req.userData());
    }

    private void reply(CmRep rep) {
        put("queueKey", Integer.toUnsignedLong(rep.queueKey()));
        put("queuePair", rep.queuePairNumber());
        put("startingPsn", rep.startingPsn());
        put("responderResources", rep.responderResources());
        put("initiatorDepth", rep.initiatorDepth());
        put("ackDelay", rep.ackDelay());
        put("failover", rep.failover());
        put("flowControl", rep.flowControl());
        put("rnrRetryCount", rep.rnrRetryCount());
        put("sharedReceiveQueue", rep.sharedReceiveQueue());
        adapters.put("caGuid", rep.caGuid());
        bytes.put(PRIVATE_DATA, rep.privateData().toArray());
    }

    private void port(String name, CmGid gid) {
        ports.put(
                name,
                ByteBuffer.allocate(16).putLong(gid.high()).putLong(gid.low()).array());
    }
}
