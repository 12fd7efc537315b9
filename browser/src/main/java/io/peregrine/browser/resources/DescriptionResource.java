package io.peregrine.browser.resources;

import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.genapi.NodeMap;
import java.util.List;

/** Device descriptions from files, without a device. */
public final class DescriptionResource {
    /** Bytes of a file; the largest known description has 7 MB, and zipped ones a tenth. */
    private static final int MAX_BYTES = 16 << 20;

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.post("/api/description", this::read));
    }

    /** The features of the description in the body, as text or zipped. One at a time, since it can need much memory. */
    private synchronized Reply read(Call call) {
        byte[] file = call.bytes(MAX_BYTES);
        return Reply.of(FeatureJson.tree(NodeMap.load(file, name -> null)));
    }
}
