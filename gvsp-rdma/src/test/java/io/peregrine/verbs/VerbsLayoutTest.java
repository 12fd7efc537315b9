package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.VerbsOps;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks a C compiler what the structures look like. */
class VerbsLayoutTest {
    /** C expressions by the numbers that stand for them here. */
    private static Map<String, Integer> expected() {
        Map<String, Integer> all = new LinkedHashMap<>();
        offset(all, "ibv_context", "device", VerbsLayout.CONTEXT_DEVICE);
        offset(all, "ibv_context", "async_fd", VerbsLayout.CONTEXT_ASYNC_FD);
        offset(all, "ibv_context", "num_comp_vectors", VerbsLayout.CONTEXT_NUM_COMP_VECTORS);
        offset(all, "ibv_context", "ops.poll_cq", VerbsOps.POLL_CQ_OFFSET);
        offset(all, "ibv_context", "ops.req_notify_cq", VerbsOps.REQ_NOTIFY_CQ_OFFSET);
        offset(all, "ibv_context", "ops.post_srq_recv", VerbsOps.POST_SRQ_RECV_OFFSET);
        offset(all, "ibv_context", "ops.post_send", VerbsOps.POST_SEND_OFFSET);
        offset(all, "ibv_context", "ops.post_recv", VerbsOps.POST_RECV_OFFSET);
        offset(all, "ibv_context", "abi_compat", VerbsOps.ABI_COMPAT_OFFSET);
        size(all, "ibv_context", VerbsOps.CONTEXT_BYTES);
        beforeContext(all, "sz", VerbsOps.EXTENDED_SIZE_OFFSET);
        beforeContext(all, "ibv_create_flow", VerbsOps.CREATE_FLOW_OFFSET);
        beforeContext(all, "ibv_destroy_flow", VerbsOps.DESTROY_FLOW_OFFSET);
        beforeContext(all, "modify_qp_rate_limit", VerbsOps.RATE_LIMIT_OFFSET);
        offset(all, "ibv_qp_rate_limit_attr", "rate_limit", 0);
        size(all, "ibv_qp_rate_limit_attr", VerbsLayout.RATE_LIMIT_BYTES);
        all.put("sizeof(struct verbs_context) - offsetof(struct verbs_context, context)", VerbsOps.CONTEXT_BYTES);
        offset(all, "ibv_mr", "pd", VerbsLayout.MR_PD);
        offset(all, "ibv_mr", "addr", VerbsLayout.MR_ADDR);
        offset(all, "ibv_mr", "length", VerbsLayout.MR_LENGTH);
        offset(all, "ibv_mr", "lkey", VerbsLayout.MR_LKEY);
        offset(all, "ibv_mr", "rkey", VerbsLayout.MR_RKEY);
        size(all, "ibv_mr", VerbsLayout.MR_BYTES);
        offset(all, "ibv_cq", "context", VerbsLayout.CQ_CONTEXT);
        offset(all, "ibv_cq", "cqe", VerbsLayout.CQ_CQE);
        offset(all, "ibv_comp_channel", "fd", VerbsLayout.COMP_CHANNEL_FD);
        size(all, "ibv_comp_channel", VerbsLayout.COMP_CHANNEL_BYTES);
        offset(all, "ibv_qp", "context", VerbsLayout.QP_CONTEXT);
        offset(all, "ibv_qp", "pd", VerbsLayout.QP_PD);
        offset(all, "ibv_qp", "qp_num", VerbsLayout.QP_NUM);
        offset(all, "ibv_qp_init_attr", "send_cq", VerbsLayout.QP_INIT_SEND_CQ);
        offset(all, "ibv_qp_init_attr", "recv_cq", VerbsLayout.QP_INIT_RECV_CQ);
        offset(all, "ibv_qp_init_attr", "srq", VerbsLayout.QP_INIT_SRQ);
        offset(all, "ibv_qp_init_attr", "cap.max_send_wr", VerbsLayout.QP_INIT_MAX_SEND_WR);
        offset(all, "ibv_qp_init_attr", "cap.max_recv_wr", VerbsLayout.QP_INIT_MAX_RECV_WR);
        offset(all, "ibv_qp_init_attr", "cap.max_send_sge", VerbsLayout.QP_INIT_MAX_SEND_SGE);
        offset(all, "ibv_qp_init_attr", "cap.max_recv_sge", VerbsLayout.QP_INIT_MAX_RECV_SGE);
        offset(all, "ibv_qp_init_attr", "qp_type", VerbsLayout.QP_INIT_QP_TYPE);
        offset(all, "ibv_qp_init_attr", "sq_sig_all", VerbsLayout.QP_INIT_SQ_SIG_ALL);
        size(all, "ibv_qp_init_attr", VerbsLayout.QP_INIT_BYTES);
        offset(all, "ibv_qp_attr", "qp_state", VerbsLayout.QP_ATTR_STATE);
        offset(all, "ibv_qp_attr", "path_mtu", VerbsLayout.QP_ATTR_PATH_MTU);
        offset(all, "ibv_qp_attr", "max_rd_atomic", VerbsLayout.QP_ATTR_MAX_RD_ATOMIC);
        offset(all, "ibv_qp_attr", "max_dest_rd_atomic", VerbsLayout.QP_ATTR_MAX_DEST_RD_ATOMIC);
        offset(all, "ibv_qp_attr", "min_rnr_timer", VerbsLayout.QP_ATTR_MIN_RNR_TIMER);
        offset(all, "ibv_qp_attr", "timeout", VerbsLayout.QP_ATTR_TIMEOUT);
        offset(all, "ibv_qp_attr", "retry_cnt", VerbsLayout.QP_ATTR_RETRY_CNT);
        offset(all, "ibv_qp_attr", "rnr_retry", VerbsLayout.QP_ATTR_RNR_RETRY);
        offset(all, "ibv_qp_attr", "port_num", VerbsLayout.QP_ATTR_PORT_NUM);
        size(all, "ibv_qp_attr", VerbsLayout.QP_ATTR_BYTES);
        offset(all, "ibv_srq_init_attr", "attr.max_wr", VerbsLayout.SRQ_INIT_MAX_WR);
        offset(all, "ibv_srq_init_attr", "attr.max_sge", VerbsLayout.SRQ_INIT_MAX_SGE);
        size(all, "ibv_srq_init_attr", VerbsLayout.SRQ_INIT_BYTES);
        offset(all, "ibv_sge", "addr", VerbsLayout.SGE_ADDR);
        offset(all, "ibv_sge", "length", VerbsLayout.SGE_LENGTH);
        offset(all, "ibv_sge", "lkey", VerbsLayout.SGE_LKEY);
        size(all, "ibv_sge", VerbsLayout.SGE_BYTES);
        offset(all, "ibv_recv_wr", "wr_id", VerbsLayout.RECV_WR_ID);
        offset(all, "ibv_recv_wr", "next", VerbsLayout.RECV_WR_NEXT);
        offset(all, "ibv_recv_wr", "sg_list", VerbsLayout.RECV_WR_SG_LIST);
        offset(all, "ibv_recv_wr", "num_sge", VerbsLayout.RECV_WR_NUM_SGE);
        size(all, "ibv_recv_wr", VerbsLayout.RECV_WR_BYTES);
        offset(all, "ibv_send_wr", "wr_id", VerbsLayout.SEND_WR_ID);
        offset(all, "ibv_send_wr", "next", VerbsLayout.SEND_WR_NEXT);
        offset(all, "ibv_send_wr", "sg_list", VerbsLayout.SEND_WR_SG_LIST);
        offset(all, "ibv_send_wr", "num_sge", VerbsLayout.SEND_WR_NUM_SGE);
        offset(all, "ibv_send_wr", "opcode", VerbsLayout.SEND_WR_OPCODE);
        offset(all, "ibv_send_wr", "send_flags", VerbsLayout.SEND_WR_FLAGS);
        offset(all, "ibv_send_wr", "imm_data", VerbsLayout.SEND_WR_IMM_DATA);
        offset(all, "ibv_send_wr", "wr.rdma.remote_addr", VerbsLayout.SEND_WR_REMOTE_ADDR);
        offset(all, "ibv_send_wr", "wr.rdma.rkey", VerbsLayout.SEND_WR_RKEY);
        size(all, "ibv_send_wr", VerbsLayout.SEND_WR_BYTES);
        offset(all, "ibv_wc", "wr_id", VerbsLayout.WC_WR_ID);
        offset(all, "ibv_wc", "status", VerbsLayout.WC_STATUS);
        offset(all, "ibv_wc", "opcode", VerbsLayout.WC_OPCODE);
        offset(all, "ibv_wc", "vendor_err", VerbsLayout.WC_VENDOR_ERR);
        offset(all, "ibv_wc", "byte_len", VerbsLayout.WC_BYTE_LEN);
        offset(all, "ibv_wc", "imm_data", VerbsLayout.WC_IMM_DATA);
        offset(all, "ibv_wc", "qp_num", VerbsLayout.WC_QP_NUM);
        offset(all, "ibv_wc", "wc_flags", VerbsLayout.WC_FLAGS);
        size(all, "ibv_wc", VerbsLayout.WC_BYTES);
        offset(all, "ibv_port_attr", "active_mtu", VerbsLayout.PORT_ATTR_ACTIVE_MTU);
        offset(all, "ibv_device_attr", "max_qp_wr", VerbsLayout.DEVICE_ATTR_MAX_QP_WR);
        offset(all, "ibv_device_attr", "max_cqe", VerbsLayout.DEVICE_ATTR_MAX_CQE);
        offset(all, "ibv_device_attr", "max_qp_rd_atom", VerbsLayout.DEVICE_ATTR_MAX_QP_RD_ATOM);
        offset(all, "ibv_device_attr", "max_qp_init_rd_atom", VerbsLayout.DEVICE_ATTR_MAX_QP_INIT_RD_ATOM);
        offset(all, "ibv_device_attr", "max_srq_wr", VerbsLayout.DEVICE_ATTR_MAX_SRQ_WR);
        offset(all, "ibv_device_attr", "device_cap_flags", VerbsLayout.DEVICE_ATTR_CAP_FLAGS);
        offset(all, "ibv_device_attr", "max_sge", VerbsLayout.DEVICE_ATTR_MAX_SGE);
        offset(all, "ibv_flow_attr", "size", VerbsLayout.FLOW_ATTR_SIZE);
        offset(all, "ibv_flow_attr", "num_of_specs", VerbsLayout.FLOW_ATTR_NUM_OF_SPECS);
        offset(all, "ibv_flow_attr", "port", VerbsLayout.FLOW_ATTR_PORT);
        size(all, "ibv_flow_attr", VerbsLayout.FLOW_ATTR_BYTES);
        offset(all, "ibv_flow_spec_eth", "size", VerbsLayout.FLOW_SPEC_SIZE);
        offset(all, "ibv_flow_spec_eth", "val.dst_mac", VerbsLayout.FLOW_ETH_VALUE);
        offset(all, "ibv_flow_spec_eth", "mask", VerbsLayout.FLOW_ETH_MASK);
        offset(all, "ibv_flow_eth_filter", "ether_type", VerbsLayout.FLOW_ETH_TYPE);
        size(all, "ibv_flow_spec_eth", VerbsLayout.FLOW_ETH_BYTES);
        offset(all, "ibv_flow_spec_ipv4", "size", VerbsLayout.FLOW_SPEC_SIZE);
        offset(all, "ibv_flow_spec_ipv4", "val.src_ip", VerbsLayout.FLOW_IPV4_VALUE);
        offset(all, "ibv_flow_spec_ipv4", "mask", VerbsLayout.FLOW_IPV4_MASK);
        offset(all, "ibv_flow_ipv4_filter", "dst_ip", VerbsLayout.FLOW_IPV4_DESTINATION);
        size(all, "ibv_flow_spec_ipv4", VerbsLayout.FLOW_IPV4_BYTES);
        offset(all, "ibv_flow_spec_tcp_udp", "size", VerbsLayout.FLOW_SPEC_SIZE);
        offset(all, "ibv_flow_spec_tcp_udp", "val.dst_port", VerbsLayout.FLOW_UDP_VALUE);
        offset(all, "ibv_flow_spec_tcp_udp", "mask", VerbsLayout.FLOW_UDP_MASK);
        size(all, "ibv_flow_spec_tcp_udp", VerbsLayout.FLOW_UDP_BYTES);
        offset(all, "ibv_async_event", "element", VerbsLayout.ASYNC_ELEMENT);
        offset(all, "ibv_async_event", "event_type", VerbsLayout.ASYNC_TYPE);
        size(all, "ibv_async_event", VerbsLayout.ASYNC_BYTES);
        offset(all, "rdma_cm_id", "verbs", VerbsLayout.CM_ID_VERBS);
        offset(all, "rdma_cm_id", "channel", VerbsLayout.CM_ID_CHANNEL);
        offset(all, "rdma_cm_id", "route.addr.dst_storage", VerbsLayout.CM_ID_DST_ADDR);
        offset(all, "rdma_cm_id", "ps", VerbsLayout.CM_ID_PS);
        offset(all, "rdma_cm_id", "port_num", VerbsLayout.CM_ID_PORT_NUM);
        offset(all, "rdma_cm_event", "id", VerbsLayout.CM_EVENT_ID);
        offset(all, "rdma_cm_event", "listen_id", VerbsLayout.CM_EVENT_LISTEN_ID);
        offset(all, "rdma_cm_event", "event", VerbsLayout.CM_EVENT_TYPE);
        offset(all, "rdma_cm_event", "status", VerbsLayout.CM_EVENT_STATUS);
        offset(all, "rdma_cm_event", "param.conn.private_data", VerbsLayout.CM_EVENT_PRIVATE_DATA);
        offset(all, "rdma_cm_event", "param.conn.private_data_len", VerbsLayout.CM_EVENT_PRIVATE_DATA_LEN);
        size(all, "rdma_cm_event", VerbsLayout.CM_EVENT_BYTES);
        offset(all, "rdma_conn_param", "private_data", VerbsLayout.CONN_PRIVATE_DATA);
        offset(all, "rdma_conn_param", "private_data_len", VerbsLayout.CONN_PRIVATE_DATA_LEN);
        offset(all, "rdma_conn_param", "responder_resources", VerbsLayout.CONN_RESPONDER_RESOURCES);
        offset(all, "rdma_conn_param", "initiator_depth", VerbsLayout.CONN_INITIATOR_DEPTH);
        offset(all, "rdma_conn_param", "retry_count", VerbsLayout.CONN_RETRY_COUNT);
        offset(all, "rdma_conn_param", "rnr_retry_count", VerbsLayout.CONN_RNR_RETRY_COUNT);
        offset(all, "rdma_conn_param", "srq", VerbsLayout.CONN_SRQ);
        offset(all, "rdma_conn_param", "qp_num", VerbsLayout.CONN_QP_NUM);
        size(all, "rdma_conn_param", VerbsLayout.CONN_BYTES);
        size(all, "sockaddr_in", VerbsLayout.SOCKADDR_IN_BYTES);
        offset(all, "sockaddr_in", "sin_port", VerbsLayout.SOCKADDR_PORT);
        offset(all, "sockaddr_in", "sin_addr", VerbsLayout.SOCKADDR_ADDRESS);
        all.put("AF_INET", (int) VerbsLayout.AF_INET);
        all.put("IBV_QPT_RC", VerbsLayout.QPT_RC);
        all.put("IBV_QPT_RAW_PACKET", VerbsLayout.QPT_RAW_PACKET);
        all.put("IBV_QPS_RESET", VerbsLayout.QPS_RESET);
        all.put("IBV_QP_PORT", VerbsLayout.QP_PORT_MASK);
        all.put("IBV_DEVICE_MANAGED_FLOW_STEERING", VerbsLayout.DEVICE_MANAGED_FLOW_STEERING);
        all.put("IBV_FLOW_SPEC_ETH", VerbsLayout.FLOW_SPEC_ETH);
        all.put("IBV_FLOW_SPEC_IPV4", VerbsLayout.FLOW_SPEC_IPV4);
        all.put("IBV_FLOW_SPEC_UDP", VerbsLayout.FLOW_SPEC_UDP);
        all.put("IBV_FLOW_ATTR_NORMAL", 0);
        all.put("IBV_WC_SUCCESS", VerbsLayout.WC_SUCCESS);
        all.put("IBV_WC_WR_FLUSH_ERR", VerbsLayout.WC_FLUSH_ERROR);
        all.put("RDMA_PS_UDP", VerbsLayout.PS_UDP);
        all.put("IBV_QPS_INIT", VerbsLayout.QPS_INIT);
        all.put("IBV_QPS_RTR", VerbsLayout.QPS_RTR);
        all.put("IBV_QPS_RTS", VerbsLayout.QPS_RTS);
        all.put("IBV_QPS_ERR", VerbsLayout.QPS_ERR);
        all.put("IBV_QP_STATE", VerbsLayout.QP_STATE_MASK);
        all.put("IBV_QP_TIMEOUT", VerbsLayout.QP_TIMEOUT_MASK);
        all.put("IBV_QP_RETRY_CNT", VerbsLayout.QP_RETRY_CNT_MASK);
        all.put("IBV_QP_RNR_RETRY", VerbsLayout.QP_RNR_RETRY_MASK);
        all.put("IBV_QP_MIN_RNR_TIMER", VerbsLayout.QP_MIN_RNR_TIMER_MASK);
        all.put("IBV_WR_RDMA_WRITE", VerbsLayout.WR_RDMA_WRITE);
        all.put("IBV_WR_RDMA_WRITE_WITH_IMM", VerbsLayout.WR_RDMA_WRITE_WITH_IMM);
        all.put("IBV_WR_SEND", VerbsLayout.WR_SEND);
        all.put("IBV_WR_SEND_WITH_IMM", VerbsLayout.WR_SEND_WITH_IMM);
        all.put("IBV_WR_RDMA_READ", VerbsLayout.WR_RDMA_READ);
        all.put("IBV_SEND_SIGNALED", VerbsLayout.SEND_SIGNALED);
        all.put("IBV_WC_RECV_RDMA_WITH_IMM", VerbsLayout.WC_RECV_RDMA_WITH_IMM);
        all.put("IBV_WC_WITH_IMM", VerbsLayout.WC_WITH_IMM);
        all.put("IBV_EVENT_QP_FATAL", VerbsLayout.EVENT_QP_FATAL);
        all.put("IBV_EVENT_QP_REQ_ERR", VerbsLayout.EVENT_QP_REQ_ERR);
        all.put("IBV_EVENT_QP_ACCESS_ERR", VerbsLayout.EVENT_QP_ACCESS_ERR);
        all.put("IBV_EVENT_COMM_EST", VerbsLayout.EVENT_COMM_EST);
        all.put("IBV_EVENT_DEVICE_FATAL", VerbsLayout.EVENT_DEVICE_FATAL);
        all.put("IBV_ACCESS_LOCAL_WRITE", VerbsLayout.ACCESS_LOCAL_WRITE);
        all.put("IBV_ACCESS_REMOTE_WRITE", VerbsLayout.ACCESS_REMOTE_WRITE);
        all.put("IBV_ACCESS_REMOTE_READ", VerbsLayout.ACCESS_REMOTE_READ);
        all.put("RDMA_PS_TCP", VerbsLayout.PS_TCP);
        all.put("RDMA_OPTION_ID", VerbsLayout.OPTION_LEVEL_ID);
        all.put("RDMA_OPTION_ID_ACK_TIMEOUT", VerbsLayout.OPTION_ACK_TIMEOUT);
        all.put("RDMA_CM_EVENT_ADDR_RESOLVED", CmEvent.ADDR_RESOLVED);
        all.put("RDMA_CM_EVENT_ADDR_ERROR", CmEvent.ADDR_ERROR);
        all.put("RDMA_CM_EVENT_ROUTE_RESOLVED", CmEvent.ROUTE_RESOLVED);
        all.put("RDMA_CM_EVENT_ROUTE_ERROR", CmEvent.ROUTE_ERROR);
        all.put("RDMA_CM_EVENT_CONNECT_REQUEST", CmEvent.CONNECT_REQUEST);
        all.put("RDMA_CM_EVENT_CONNECT_RESPONSE", CmEvent.CONNECT_RESPONSE);
        all.put("RDMA_CM_EVENT_CONNECT_ERROR", CmEvent.CONNECT_ERROR);
        all.put("RDMA_CM_EVENT_UNREACHABLE", CmEvent.UNREACHABLE);
        all.put("RDMA_CM_EVENT_REJECTED", CmEvent.REJECTED);
        all.put("RDMA_CM_EVENT_ESTABLISHED", CmEvent.ESTABLISHED);
        all.put("RDMA_CM_EVENT_DISCONNECTED", CmEvent.DISCONNECTED);
        all.put("RDMA_CM_EVENT_DEVICE_REMOVAL", CmEvent.DEVICE_REMOVAL);
        return all;
    }

    private static void offset(Map<String, Integer> all, String structure, String member, int value) {
        all.put("offsetof(struct " + structure + ", " + member + ")", value);
    }

    private static void beforeContext(Map<String, Integer> all, String member, int value) {
        all.put(
                "(long) offsetof(struct verbs_context, " + member
                        + ") - (long) offsetof(struct verbs_context, context)",
                value);
    }

    private static void size(Map<String, Integer> all, String structure, int value) {
        all.put("sizeof(struct " + structure + ")", value);
    }

    @Test
    void everyNumberIsWhatTheCompilerSays(@TempDir Path folder) throws Exception {
        Needs.that(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h"))
                        && Files.exists(Path.of("/usr/include/rdma/rdma_cma.h")),
                "the headers of rdma-core: install libibverbs-dev and librdmacm-dev");
        Needs.that(succeeds(folder, "gcc", "--version"), "a C compiler: install gcc");
        StringBuilder source = new StringBuilder("""
                #include <stdio.h>
                #include <stddef.h>
                #include <netinet/in.h>
                #include <rdma/rdma_cma.h>
                #define SAY(what) printf("%ld %s\\n", (long) (what), #what);
                int main(void) {
                """);
        expected().keySet().forEach(what -> source.append("SAY((").append(what).append("))\n"));
        Files.writeString(folder.resolve("layout.c"), source.append("return 0; }\n"));
        assertTrue(succeeds(folder, "gcc", "-o", "layout", "layout.c"), () -> output(folder));
        assertTrue(succeeds(folder, folder.resolve("layout").toString()));

        Map<String, Integer> actual = new TreeMap<>();
        output(folder).lines().forEach(line -> {
            String[] parts = line.split(" ", 2);
            actual.put(parts[1].substring(1, parts[1].length() - 1), Integer.parseInt(parts[0]));
        });

        assertEquals(new TreeMap<>(expected()), actual);
    }

    private static boolean succeeds(Path folder, String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String output(Path folder) {
        try {
            return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
