/** Stream reception over GVSP and RDMA. */
package io.peregrine.stream;
