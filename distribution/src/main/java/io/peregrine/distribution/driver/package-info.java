/** What Aeron's media driver sends and receives by: runs of datagrams. */
@NullMarked
package io.peregrine.distribution.driver;

import org.jspecify.annotations.NullMarked;
