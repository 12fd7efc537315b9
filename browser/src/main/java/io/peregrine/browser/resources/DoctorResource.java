package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.HostExamination;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.doctor.Examination;
import io.peregrine.doctor.FixScript;
import io.peregrine.doctor.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What this host lacks for streaming, how a camera is reached, and a report of all that; nothing is changed. */
public final class DoctorResource {
    /** A parameter for opening that others must not have. */
    private static final String SECRET = "SwitchoverKey";

    private final Cameras cameras;
    private final HostExamination host;

    /** Creates the resource. */
    public DoctorResource(Cameras cameras) {
        this.cameras = cameras;
        host = new HostExamination(cameras);
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.post("/api/doctor", call -> examine(Optional.empty())));
        routes.add(Route.post(
                "/api/cameras/{camera}/doctor", call -> examine(Optional.of(cameras.camera(call.path("camera"))))));
        routes.add(Route.post("/api/report", call -> report(Optional.empty())));
        routes.add(Route.post(
                "/api/cameras/{camera}/report", call -> report(Optional.of(cameras.camera(call.path("camera"))))));
    }

    private Reply examine(Optional<Camera> camera) {
        Examination examination = host.of(camera);
        return Reply.of(examination.json().put("script", FixScript.of(examination.findings())));
    }

    private Reply report(Optional<Camera> camera) throws IOException {
        Report report = new Report(failure -> String.valueOf(failure.getMessage()));
        report.addVersions("camera browser "
                + Optional.ofNullable(DoctorResource.class.getPackage().getImplementationVersion())
                        .orElse("without a version"));
        report.add("discovery.json", () -> found().toPrettyString());
        report.add("doctor.json", () -> host.of(camera).json().toPrettyString());
        camera.ifPresent(one -> report.attempt("camera", () -> addTo(report, one)));
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        report.writeTo(zip);
        return Reply.file("peregrine-report.zip", "application/zip", zip.toByteArray());
    }

    private ArrayNode found() {
        ArrayNode array = Reply.object().putArray("cameras");
        for (Camera camera : cameras.list()) {
            ObjectNode object = array.addObject();
            camera.info().properties().forEach(object::put);
        }
        return array;
    }

    private void addTo(Report report, Camera camera) {
        report.attempt("control channel", () -> cameras.readRegisters(camera, report::add));
        OpenCamera open = cameras.open(camera.id());
        report.add("stream.json", () -> {
            ObjectNode stream = Reply.object();
            ObjectNode parameters = stream.putObject("parameters");
            open.device()
                    .info()
                    .parameters()
                    .forEach((name, value) -> parameters.put(name, name.equals(SECRET) ? "***" : value));
            stream.set("state", open.acquisition().state());
            stream.set("diagnosis", open.acquisition().diagnosis());
            stream.set("statistics", open.acquisition().statistics());
            return stream.toPrettyString();
        });
        report.add(open.device());
        report.add("settings.txt", () -> open.device().settings().read().toText());
    }
}
