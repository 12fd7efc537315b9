package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.LinkPlan;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.doctor.CameraDoctor;
import io.peregrine.doctor.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How cameras share the links of this host: a plan, its packet delays, and how large packets may be. */
public final class BandwidthResource {
    /** 10 Tbit/s. */
    private static final long MAX_MEGABITS = 10_000_000;

    private final Cameras cameras;

    /** Creates the resource. */
    public BandwidthResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/bandwidth", this::plan));
        routes.add(Route.put("/api/cameras/{camera}/packet-delay", this::setDelay));
        routes.add(Route.post("/api/cameras/{camera}/probe-path", this::probe));
    }

    /** The query {@code link} has speeds that count more than those of adapters: {@code eth1:1000}, in Mbit/s. */
    private Reply plan(Call call) {
        Map<String, Long> given = new HashMap<>();
        for (String text : call.query("link")) {
            int colon = text.lastIndexOf(':');
            long megabits = colon < 0 ? 0 : number(text.substring(colon + 1));
            if (megabits < 1 || megabits > MAX_MEGABITS) {
                throw HttpProblem.badRequest("a link is given as INTERFACE:SPEED, 1 to " + MAX_MEGABITS + " Mbit/s");
            }
            given.put(text.substring(0, colon), megabits);
        }
        ObjectNode answer = Reply.object();
        ArrayNode links = answer.putArray("links");
        LinkPlan.of(cameras.list(), given).forEach(plan -> links.add(json(plan)));
        return Reply.of(answer);
    }

    private static ObjectNode json(LinkPlan plan) {
        ObjectNode object = Reply.object()
                .put("interface", plan.networkInterface())
                .put("megabitsPerSecond", plan.link().bitsPerSecond() / 1_000_000)
                .put("source", plan.link().source().name().toLowerCase(Locale.ROOT))
                .put("load", plan.plan().load());
        ArrayNode warnings = object.putArray("warnings");
        plan.plan().warnings().forEach(warnings::add);
        ArrayNode members = object.putArray("cameras");
        for (LinkPlan.Member member : plan.members()) {
            ObjectNode one = members.addObject()
                    .put("id", member.camera().id())
                    .put("name", member.camera().label())
                    .put("problem", member.problem());
            member.delayTicks().ifPresent(ticks -> one.put("delayTicks", Long.toString(ticks)));
            plan.share(member)
                    .ifPresent(share -> one.put("packetBytes", share.stream().packetSizeBytes())
                            .put("framesPerSecond", share.stream().framesPerSecond())
                            .put("linkBytesPerSecond", share.linkBytesPerSecond())
                            .put("tickHertz", Long.toString(share.stream().tickFrequencyHz()))
                            .put("plannedTicks", Long.toString(share.packetDelayTicks())));
        }
        return object;
    }

    /** A body with the text {@code ticks}. */
    private Reply setDelay(Call call) {
        OpenCamera camera = cameras.open(call.path("camera"));
        long ticks = number(Call.text(call.body(), "ticks"));
        if (ticks < 0) {
            throw HttpProblem.badRequest("a packet delay is a number of ticks");
        }
        camera.setPacketDelay(ticks);
        return Reply.done();
    }

    private Reply probe(Call call) {
        String id = call.path("camera");
        OpenCamera camera = cameras.open(id);
        Finding finding = CameraDoctor.path(
                camera.probePath(),
                cameras.camera(id).label(),
                cameras.camera(id).info().address().getHostAddress());
        return Reply.of(Reply.object()
                .put("verdict", finding.verdict().name())
                .put("evidence", finding.evidence())
                .put("fix", finding.fix()));
    }

    /** A decimal number; -1 when it is none. */
    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }
}
