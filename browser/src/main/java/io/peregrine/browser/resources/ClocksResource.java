package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.DeviceClock;
import io.peregrine.device.DeviceException;
import io.peregrine.genapi.GenApiException;
import java.util.List;
import java.util.Locale;

/** The clocks of the open cameras by IEEE 1588, under the names of SFNC. */
public final class ClocksResource {
    private static final List<String> IDENTITIES = List.of("PtpClockID", "PtpParentClockID", "PtpGrandmasterClockID");

    private final Cameras cameras;

    /** Creates the resource. */
    public ClocksResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/clocks", call -> read()));
        routes.add(Route.put("/api/cameras/{camera}/ptp", this::set));
    }

    private Reply read() {
        ObjectNode answer = Reply.object();
        ArrayNode clocks = answer.putArray("clocks");
        for (Camera camera : cameras.list()) {
            if (camera.info().recording().isEmpty()) {
                camera.opened().ifPresent(open -> clocks.add(json(camera, open)));
            }
        }
        return Reply.of(answer);
    }

    private static ObjectNode json(Camera camera, OpenCamera open) {
        ObjectNode object = Reply.object().put("id", camera.id()).put("name", camera.label());
        try {
            DeviceClock clock = open.device().clock();
            object.put("possible", clock.ptpPossible());
            object.put("tickHertz", Long.toUnsignedString(clock.rate().hertz()));
            if (clock.ptpPossible()) {
                DeviceClock.PtpState state = clock.ptpState();
                object.put("PtpEnable", state.enabled());
                object.put("PtpStatus", symbol(state.port()));
                state.offsetNanos().ifPresent(nanos -> object.put("PtpOffsetFromMaster", Long.toString(nanos)));
                for (String name : IDENTITIES) {
                    open.number(name).ifPresent(id -> object.put(name, String.format(Locale.ROOT, "%016X", id)));
                }
            }
        } catch (DeviceException | GenApiException e) {
            object.put("problem", String.valueOf(e.getMessage()));
        }
        return object;
    }

    /** The entry of PtpStatus, for example {@code PreMaster}. */
    private static String symbol(DeviceClock.PtpState.Port port) {
        StringBuilder symbol = new StringBuilder();
        for (String word : port.name().split("_", -1)) {
            symbol.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return symbol.toString();
    }

    /** A body with {@code on}. */
    private Reply set(Call call) {
        OpenCamera camera = cameras.open(call.path("camera"));
        camera.device().clock().ptp(call.body().path("on").asBoolean());
        camera.publishChanges();
        return Reply.done();
    }
}
