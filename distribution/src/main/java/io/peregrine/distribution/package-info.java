/**
 * Frames to other programs and hosts, through <a href="https://aeron.io">Aeron</a>:
 * {@link io.peregrine.distribution.FramePublisher} sends the composites of any stream, and
 * {@link io.peregrine.device.DeviceFactory} finds what is published and opens it as a device.
 */
@NullMarked
package io.peregrine.distribution;

import org.jspecify.annotations.NullMarked;
