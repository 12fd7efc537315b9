/**
 * Frames to <a href="https://docs.epics-controls.org/">EPICS</a> clients: {@link io.peregrine.pvaccess.PvaPublisher}
 * offers the composites of any stream as NTNDArray through pvAccess.
 */
@NullMarked
package io.peregrine.pvaccess;

import org.jspecify.annotations.NullMarked;
