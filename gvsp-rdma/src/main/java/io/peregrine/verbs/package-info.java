/**
 * RDMA by the verbs of an adapter, or of the kernel's Soft-RoCE, and its connection manager: rdma-core's libibverbs and
 * librdmacm. Nothing of it is needed to build or to start; where it is missing the provider says what is missing.
 */
package io.peregrine.verbs;
