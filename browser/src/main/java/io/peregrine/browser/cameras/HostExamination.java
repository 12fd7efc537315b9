package io.peregrine.browser.cameras;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.HostChecks;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.RdmaDoctor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Examines this host and a camera, for one page at a time, since it starts programs of the system. */
public final class HostExamination {
    /** How long counters of dropped packets are watched. */
    private static final Duration WATCH = Duration.ofSeconds(1);

    private final Cameras cameras;
    private final ReentrantLock examining = new ReentrantLock();

    /** Creates it. */
    public HostExamination(Cameras cameras) {
        this.cameras = cameras;
    }

    /**
     * Examines; changes nothing.
     *
     * @throws HttpProblem if another page examines
     */
    public Examination of(Optional<Camera> camera) {
        if (!examining.tryLock()) {
            throw HttpProblem.conflict("the doctor is at work for another page: try again in a few seconds");
        }
        try {
            Map<String, List<Finding>> groups = new LinkedHashMap<>();
            camera.ifPresent(one -> groups.put("camera", cameras.examine(one)));
            groups.put("network", NetworkDoctor.ofSystem().examine(WATCH));
            groups.put("rdma", RdmaDoctor.ofSystem().examine(Optional.empty()));
            groups.putAll(HostChecks.ofModules());
            return new Examination(groups);
        } finally {
            examining.unlock();
        }
    }
}
