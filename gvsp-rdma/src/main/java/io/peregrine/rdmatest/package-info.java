/**
 * Tests the path between two hosts by RDMA: round trips, and throughput of messages and RDMA writes, every byte of
 * which is checked. What {@code ./peregrine rdma-test} runs.
 */
@NullMarked
package io.peregrine.rdmatest;

import org.jspecify.annotations.NullMarked;
