package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.FixScript;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.RdmaDoctor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** What this host lacks for streaming, and how a camera is reached; nothing is changed. */
public final class DoctorResource {
    /** How long counters of dropped packets are watched. */
    private static final Duration WATCH = Duration.ofSeconds(1);

    private final Cameras cameras;
    private final ReentrantLock examining = new ReentrantLock();

    /** Creates the resource. */
    public DoctorResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.post("/api/doctor", call -> examine(Optional.empty())));
        routes.add(Route.post(
                "/api/cameras/{camera}/doctor", call -> examine(Optional.of(cameras.camera(call.path("camera"))))));
    }

    /** One at a time, since each starts programs of the system. */
    private Reply examine(Optional<Camera> camera) {
        if (!examining.tryLock()) {
            throw HttpProblem.conflict("the doctor is at work for another page: try again in a few seconds");
        }
        try {
            Map<String, List<Finding>> groups = new LinkedHashMap<>();
            camera.ifPresent(one -> groups.put("camera", cameras.examine(one)));
            groups.put("network", NetworkDoctor.ofSystem().examine(WATCH));
            groups.put("rdma", RdmaDoctor.ofSystem().examine(Optional.empty()));
            Examination examination = new Examination(groups);
            ObjectNode answer = examination.json();
            return Reply.of(answer.put("script", FixScript.of(examination.findings())));
        } finally {
            examining.unlock();
        }
    }
}
