package io.peregrine.device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameters by subject, in the order of the documents. */
final class OpenParameterGroups {
    private OpenParameterGroups() {}

    /** Each group by its title. */
    static Map<String, List<OpenParameter>> of() {
        Map<String, List<OpenParameter>> groups = new LinkedHashMap<>();
        groups.put(
                "Transport and access",
                List.of(OpenParameter.USE_RDMA, OpenParameter.ACCESS_MODE, OpenParameter.PAYLOAD));
        groups.put(
                "Connection",
                List.of(
                        OpenParameter.OPEN_TIMEOUT,
                        OpenParameter.MAX_DESCRIPTION,
                        OpenParameter.HEARTBEAT_TIMEOUT,
                        OpenParameter.RECONNECT,
                        OpenParameter.RECONNECT_TIMEOUT,
                        OpenParameter.RESTORE,
                        OpenParameter.SWITCHOVER_KEY,
                        OpenParameter.MESSAGE_HOST_PORT,
                        OpenParameter.ANNOUNCED_ADDRESS,
                        ControlParameters.CLASS_OF_SERVICE));
        groups.put(
                "Stream destination",
                List.of(
                        OpenParameter.STREAM_INTERFACE,
                        OpenParameter.STREAM_HOST_PORT,
                        OpenParameter.STREAM_DESTINATION,
                        OpenParameter.MULTICAST_JOIN,
                        OpenParameter.UNCONDITIONAL_STREAMING));
        groups.put(
                "Packets and loss",
                List.of(
                        OpenParameter.PACKET_SIZE,
                        OpenParameter.RESEND_ENABLED,
                        OpenParameter.RESEND_TRIES,
                        OpenParameter.FRAME_RETENTION,
                        OpenParameter.IN_ORDER_DELIVERY,
                        OpenParameter.MISSING_BYTES));
        groups.put(
                "Receiver",
                List.of(
                        OpenParameter.LATENCY,
                        OpenParameter.STREAM_BUFFER_HANDLING_MODE,
                        OpenParameter.WARM_UP_FRAMES,
                        OpenParameter.FLOW_SET_COUNT,
                        OpenParameter.PACKET_RECEIVER,
                        OpenParameter.RECEIVE_BUFFER_BYTES,
                        VerbsReception.MAX_PACKET_BYTES,
                        VerbsReception.RECEIVER_COMPLETION_VECTOR,
                        VerbsReception.RECEIVER_MAX_POLL,
                        VerbsReception.STREAM_ENDPOINTS,
                        OpenParameter.RECEIVER_CPUS,
                        OpenParameter.RECEIVER_NICE,
                        OpenParameter.RECEIVER_REAL_TIME_PRIORITY,
                        OpenParameter.RECEIVER_THREAD,
                        OpenParameter.RECEIVER_PAUSE_MICROS,
                        OpenParameter.RECEIVER_BUSY_POLL_MICROS));
        groups.put(
                "RDMA",
                List.of(
                        OpenParameter.RDMA_PROVIDER,
                        OpenParameter.RDMA_INTERFACE,
                        OpenParameter.RDMA_MODE,
                        OpenParameter.RDMA_COMPLETION_VECTOR,
                        OpenParameter.RDMA_MAX_POLL,
                        OpenParameter.RDMA_SHARED));
        groups.put("Recordings", List.of(OpenParameter.REPLAY_RATE, OpenParameter.PLAYBACK_MODE));
        groups.put("Published streams", List.of(OpenParameter.FEATURES_KEY_FILE));
        return Collections.unmodifiableMap(groups);
    }
}
