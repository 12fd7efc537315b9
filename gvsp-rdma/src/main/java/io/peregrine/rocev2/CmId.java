package io.peregrine.rocev2;

import java.util.Locale;

/**
 * Names a connection, or a request for one, at one {@link ConnectionManager}.
 *
 * @param localId the connection's own communication id
 */
record CmId(int localId) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "cm %08x", localId);
    }
}
