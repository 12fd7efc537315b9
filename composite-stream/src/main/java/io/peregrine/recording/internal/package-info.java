/** What a device that is a recording needs of its replay; not for users. */
@NullMarked
package io.peregrine.recording.internal;

import org.jspecify.annotations.NullMarked;
