package io.peregrine.verbs;

import java.nio.ByteOrder;

/**
 * Offsets, sizes and constants of rdma-core's structures on 64-bit systems ({@code infiniband/verbs.h},
 * {@code rdma/rdma_cma.h}). A test compares them with what a C compiler says.
 */
final class VerbsLayout {
    /** {@code ibv_context}. */
    static final int CONTEXT_DEVICE = 0;

    static final int CONTEXT_ASYNC_FD = 268;
    static final int CONTEXT_NUM_COMP_VECTORS = 272;
    static final int CONTEXT_BYTES_READ = 276;

    /** {@code ibv_mr}. */
    static final int MR_PD = 8;

    static final int MR_ADDR = 16;
    static final int MR_LENGTH = 24;
    static final int MR_LKEY = 36;
    static final int MR_RKEY = 40;
    static final int MR_BYTES = 48;

    /** {@code ibv_cq}. */
    static final int CQ_CONTEXT = 0;

    static final int CQ_CQE = 28;
    static final int CQ_BYTES_READ = 32;

    /** {@code ibv_comp_channel}. */
    static final int COMP_CHANNEL_FD = 8;

    static final int COMP_CHANNEL_BYTES = 16;

    /** {@code ibv_qp}. */
    static final int QP_CONTEXT = 0;

    static final int QP_PD = 16;
    static final int QP_NUM = 52;
    static final int QP_BYTES_READ = 56;

    /** {@code ibv_qp_init_attr}. */
    static final int QP_INIT_SEND_CQ = 8;

    static final int QP_INIT_RECV_CQ = 16;
    static final int QP_INIT_SRQ = 24;
    static final int QP_INIT_MAX_SEND_WR = 32;
    static final int QP_INIT_MAX_RECV_WR = 36;
    static final int QP_INIT_MAX_SEND_SGE = 40;
    static final int QP_INIT_MAX_RECV_SGE = 44;
    static final int QP_INIT_QP_TYPE = 52;
    static final int QP_INIT_SQ_SIG_ALL = 56;
    static final int QP_INIT_BYTES = 64;
    static final int QPT_RC = 2;
    static final int QPT_RAW_PACKET = 8;

    /** {@code ibv_qp_attr}. */
    static final int QP_ATTR_STATE = 0;

    static final int QP_ATTR_PATH_MTU = 8;
    static final int QP_ATTR_MAX_RD_ATOMIC = 126;
    static final int QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
    static final int QP_ATTR_MIN_RNR_TIMER = 128;
    static final int QP_ATTR_TIMEOUT = 130;
    static final int QP_ATTR_RETRY_CNT = 131;
    static final int QP_ATTR_RNR_RETRY = 132;
    static final int QP_ATTR_PORT_NUM = 129;
    static final int QP_ATTR_BYTES = 144;
    static final int QPS_RESET = 0;
    static final int QPS_INIT = 1;
    static final int QPS_RTR = 2;
    static final int QPS_RTS = 3;
    static final int QPS_ERR = 6;
    static final int QP_STATE_MASK = 1;
    static final int QP_PORT_MASK = 32;
    static final int QP_TIMEOUT_MASK = 512;
    static final int QP_RETRY_CNT_MASK = 1024;
    static final int QP_RNR_RETRY_MASK = 2048;
    static final int QP_MIN_RNR_TIMER_MASK = 32768;

    /** {@code ibv_qp_rate_limit_attr}: kbit/s first. */
    static final int RATE_LIMIT_BYTES = 16;

    /** {@code ibv_srq_init_attr}. */
    static final int SRQ_INIT_MAX_WR = 8;

    static final int SRQ_INIT_MAX_SGE = 12;
    static final int SRQ_INIT_BYTES = 24;

    /** {@code ibv_sge}. */
    static final int SGE_ADDR = 0;

    static final int SGE_LENGTH = 8;
    static final int SGE_LKEY = 12;
    static final int SGE_BYTES = 16;

    /** {@code ibv_recv_wr}. */
    static final int RECV_WR_ID = 0;

    static final int RECV_WR_NEXT = 8;
    static final int RECV_WR_SG_LIST = 16;
    static final int RECV_WR_NUM_SGE = 24;
    static final int RECV_WR_BYTES = 32;

    /** {@code ibv_send_wr}. */
    static final int SEND_WR_ID = 0;

    static final int SEND_WR_NEXT = 8;
    static final int SEND_WR_SG_LIST = 16;
    static final int SEND_WR_NUM_SGE = 24;
    static final int SEND_WR_OPCODE = 28;
    static final int SEND_WR_FLAGS = 32;
    static final int SEND_WR_IMM_DATA = 36;
    static final int SEND_WR_REMOTE_ADDR = 40;
    static final int SEND_WR_RKEY = 48;
    static final int SEND_WR_BYTES = 128;
    static final int WR_RDMA_WRITE = 0;
    static final int WR_RDMA_WRITE_WITH_IMM = 1;
    static final int WR_SEND = 2;
    static final int WR_SEND_WITH_IMM = 3;
    static final int WR_RDMA_READ = 4;
    static final int SEND_SIGNALED = 2;

    /** {@code ibv_wc}. */
    static final int WC_WR_ID = 0;

    static final int WC_STATUS = 8;
    static final int WC_OPCODE = 12;
    static final int WC_VENDOR_ERR = 16;
    static final int WC_BYTE_LEN = 20;
    static final int WC_IMM_DATA = 24;
    static final int WC_QP_NUM = 28;
    static final int WC_FLAGS = 36;
    static final int WC_BYTES = 48;
    static final int WC_RECV_RDMA_WITH_IMM = 129;
    static final int WC_WITH_IMM = 2;
    static final int WC_SUCCESS = 0;
    static final int WC_FLUSH_ERROR = 5;

    /** {@code ibv_port_attr}. */
    static final int PORT_ATTR_ACTIVE_MTU = 8;

    static final int PORT_ATTR_BYTES = 64;

    /** {@code ibv_device_attr}. */
    static final int DEVICE_ATTR_MAX_QP_WR = 112;

    static final int DEVICE_ATTR_CAP_FLAGS = 116;
    static final int DEVICE_ATTR_MAX_SGE = 120;
    static final int DEVICE_ATTR_MAX_CQE = 132;
    static final int DEVICE_ATTR_MAX_QP_RD_ATOM = 144;
    static final int DEVICE_ATTR_MAX_QP_INIT_RD_ATOM = 156;
    static final int DEVICE_ATTR_MAX_SRQ_WR = 216;
    static final int DEVICE_ATTR_BYTES = 256;
    static final int DEVICE_MANAGED_FLOW_STEERING = 0x20000000;

    /** {@code ibv_flow_attr}. */
    static final int FLOW_ATTR_SIZE = 8;

    static final int FLOW_ATTR_NUM_OF_SPECS = 12;
    static final int FLOW_ATTR_PORT = 13;
    static final int FLOW_ATTR_BYTES = 20;

    /** Every {@code ibv_flow_spec}: type 4 bytes, size 2, value, mask. */
    static final int FLOW_SPEC_SIZE = 4;

    /** {@code ibv_flow_spec_eth}: destination address 6 bytes, source address 6, EtherType 2, VLAN tag 2. */
    static final int FLOW_SPEC_ETH = 0x20;

    static final int FLOW_ETH_VALUE = 6;
    static final int FLOW_ETH_MASK = 22;
    static final int FLOW_ETH_TYPE = 12;
    static final int FLOW_ETH_BYTES = 40;

    /** {@code ibv_flow_spec_ipv4}: source 4 bytes, destination 4. */
    static final int FLOW_SPEC_IPV4 = 0x30;

    static final int FLOW_IPV4_VALUE = 8;
    static final int FLOW_IPV4_MASK = 16;
    static final int FLOW_IPV4_DESTINATION = 4;
    static final int FLOW_IPV4_BYTES = 24;

    /** {@code ibv_flow_spec_tcp_udp}: destination port 2 bytes, source port 2. */
    static final int FLOW_SPEC_UDP = 0x41;

    static final int FLOW_UDP_VALUE = 6;
    static final int FLOW_UDP_MASK = 10;
    static final int FLOW_UDP_BYTES = 16;

    /** {@code ibv_async_event}. */
    static final int ASYNC_ELEMENT = 0;

    static final int ASYNC_TYPE = 8;
    static final int ASYNC_BYTES = 16;
    static final int EVENT_QP_FATAL = 1;
    static final int EVENT_QP_REQ_ERR = 2;
    static final int EVENT_QP_ACCESS_ERR = 3;
    static final int EVENT_COMM_EST = 4;
    static final int EVENT_DEVICE_FATAL = 8;

    /** {@code ibv_access_flags}. */
    static final int ACCESS_LOCAL_WRITE = 1;

    static final int ACCESS_REMOTE_WRITE = 2;
    static final int ACCESS_REMOTE_READ = 4;

    /** {@code rdma_cm_id}. */
    static final int CM_ID_VERBS = 0;

    static final int CM_ID_CHANNEL = 8;
    static final int CM_ID_DST_ADDR = 160;
    static final int CM_ID_PS = 344;
    static final int CM_ID_PORT_NUM = 348;
    static final int CM_ID_BYTES_READ = 352;

    /** {@code rdma_cm_event}. */
    static final int CM_EVENT_ID = 0;

    static final int CM_EVENT_LISTEN_ID = 8;
    static final int CM_EVENT_TYPE = 16;
    static final int CM_EVENT_STATUS = 20;
    static final int CM_EVENT_PRIVATE_DATA = 24;
    static final int CM_EVENT_PRIVATE_DATA_LEN = 32;
    static final int CM_EVENT_BYTES = 80;

    /** {@code rdma_conn_param}. */
    static final int CONN_PRIVATE_DATA = 0;

    static final int CONN_PRIVATE_DATA_LEN = 8;
    static final int CONN_RESPONDER_RESOURCES = 9;
    static final int CONN_INITIATOR_DEPTH = 10;
    static final int CONN_RETRY_COUNT = 12;
    static final int CONN_RNR_RETRY_COUNT = 13;
    static final int CONN_SRQ = 14;
    static final int CONN_QP_NUM = 16;
    static final int CONN_BYTES = 24;

    /** {@code rdma_port_space}. */
    static final int PS_TCP = 0x106;

    static final int PS_UDP = 0x111;

    /** {@code rdma_set_option}. */
    static final int OPTION_LEVEL_ID = 0;

    /** {@code RDMA_OPTION_ID_TOS}. */
    static final int OPTION_TOS = 0;

    static final int OPTION_ACK_TIMEOUT = 3;

    /** {@code struct sockaddr_in}: family 2 bytes, port 2 in network order, address 4. */
    static final int SOCKADDR_IN_BYTES = 16;

    static final int SOCKADDR_PORT = 2;
    static final int SOCKADDR_ADDRESS = 4;
    static final short AF_INET = 2;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private VerbsLayout() {}

    /** Between the host's order and network order, both ways. */
    static int networkOrder(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /** Between the host's order and network order, both ways. */
    static short networkOrder(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    /** Bytes of an {@code ibv_mtu}: 1 is 256, 5 is 4096. */
    static int mtuBytes(int mtu) {
        return mtu < 1 || mtu > 5 ? 256 : 128 << mtu;
    }
}
