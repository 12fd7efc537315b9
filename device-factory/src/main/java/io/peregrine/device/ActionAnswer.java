package io.peregrine.device;

import io.peregrine.gvcp.GvcpStatus;
import java.net.InetSocketAddress;

/**
 * What a camera answered to an action that it was meant for.
 *
 * @param camera its address and port
 * @param statusCode status of the acknowledge (GigE Vision)
 * @param status the standard's name of the status: SUCCESS; ACTION_LATE when the time had passed and the camera acted
 *     at once; NO_REF_TIME when its clock is not synchronised, and OVERFLOW when too many actions were waiting, so that
 *     it will not act. A camera whose extended status codes are off answers ERROR instead of the last three
 * @param description what the status means, in words
 */
public record ActionAnswer(InetSocketAddress camera, int statusCode, String status, String description) {
    static ActionAnswer of(InetSocketAddress camera, GvcpStatus status) {
        return new ActionAnswer(camera, status.code(), status.name(), status.description());
    }

    /** Whether the camera acted, or will when the time has come. */
    public boolean accepted() {
        return statusCode == GvcpStatus.SUCCESS.code() || late();
    }

    /** Whether the camera acted at once because the time had passed. */
    public boolean late() {
        return statusCode == GvcpStatus.ACTION_LATE.code();
    }
}
