/**
 * Control and RDMA traffic of other programs, written down without what is personal, for {@code ./peregrine
 * gvrsp-record}. Only for the command line.
 */
@NullMarked
package io.peregrine.traffic;

import org.jspecify.annotations.NullMarked;
