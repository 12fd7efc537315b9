package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Confirmations;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Role;
import io.peregrine.browser.http.Route;
import io.peregrine.device.DeviceFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files in a camera, firmware among them. What is to be written is looked at first; it is written when it comes
 * again with the confirmation of that look. Nothing of it is kept in between.
 */
public final class FilesResource {
    /** Bytes of a file. */
    static final int MAX_FILE_BYTES = 64 << 20;

    private static final String FILES = "/api/cameras/{camera}/files";

    private final Cameras cameras;
    private final Confirmations<Upload> confirmations = new Confirmations<>();
    /** One transfer at a time, since each has a file in memory. */
    private final ReentrantLock transfer = new ReentrantLock();

    /** What is confirmed. */
    private record Upload(String camera, String file, String sha256) {}

    private interface Work {
        Reply run(OpenCamera camera, String file) throws IOException;
    }

    /** Creates the resource. */
    public FilesResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(FILES, this::list));
        routes.add(Route.post(FILES + "/{file}/read", call -> alone(call, FilesResource::read)));
        routes.add(Route.post(
                FILES + "/{file}/check", call -> alone(call, (camera, file) -> check(call, camera, file))));
        routes.add(Route.post(
                FILES + "/{file}/write", call -> alone(call, (camera, file) -> write(call, camera, file))));
    }

    /** Sizes are for those that control the camera: reading them moves FileSelector. */
    private Reply list(Call call) {
        DeviceFiles files = cameras.open(call.path("camera")).device().files();
        boolean control = call.session().role().includes(Role.CONTROL);
        ObjectNode answer = Reply.object();
        ArrayNode array = answer.putArray("files");
        for (String name : files.names()) {
            ObjectNode file = array.addObject().put("name", name);
            if (control) {
                files.sizeBytes(name).ifPresent(bytes -> file.put("bytes", bytes));
            }
        }
        return Reply.of(answer);
    }

    private Reply alone(Call call, Work work) throws IOException {
        OpenCamera camera = cameras.open(call.path("camera"));
        String file = call.path("file");
        if (!camera.device().files().names().contains(file)) {
            throw HttpProblem.notFound("the camera has no such file");
        }
        if (!transfer.tryLock()) {
            throw HttpProblem.conflict("another file is transferred: try again when it is done");
        }
        try {
            return work.run(camera, file);
        } finally {
            transfer.unlock();
        }
    }

    private static Reply read(OpenCamera camera, String file) throws IOException {
        try (InputStream in = camera.device().files().read(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw HttpProblem.conflict(
                        file + " is longer than " + MAX_FILE_BYTES + " bytes: use ./peregrine files get");
            }
            return Reply.file(file.replaceAll("[^A-Za-z0-9.-]", "-"), "application/octet-stream", bytes);
        } catch (IOException e) {
            throw HttpProblem.conflict(file + " cannot be read: " + e.getMessage());
        }
    }

    /** Says what would be written, and whether it can be, and changes nothing. */
    private Reply check(Call call, OpenCamera camera, String file) throws IOException {
        byte[] bytes = call.bytes(MAX_FILE_BYTES);
        List<DeviceFiles.UploadCheck> checks = withFile(
                bytes,
                path -> camera.device().files().checkUpload(path, file).stream()
                        .map(one -> new DeviceFiles.UploadCheck(
                                one.what(), one.passed(), one.evidence().replace(path.toString(), "what you chose")))
                        .toList());
        boolean passed = checks.stream().allMatch(DeviceFiles.UploadCheck::passed);
        ObjectNode answer = Reply.object().put("passed", passed);
        ArrayNode array = answer.putArray("checks");
        checks.forEach(one -> array.addObject()
                .put("check", one.what())
                .put("passed", one.passed())
                .put("evidence", one.evidence()));
        if (passed) {
            String name = cameras.camera(call.path("camera")).label();
            answer.put("what", file + " of " + name + " will be replaced by " + bytes.length + " bytes");
            answer.put(
                    "confirmation",
                    confirmations.ask(call.session(), new Upload(call.path("camera"), file, sha256(bytes))));
        }
        return Reply.of(answer);
    }

    /** The query {@code confirmation} has the token of a look at the same bytes. */
    private Reply write(Call call, OpenCamera camera, String file) throws IOException {
        byte[] bytes = call.bytes(MAX_FILE_BYTES);
        String token = call.query("confirmation").stream().findFirst().orElse("");
        Upload confirmed = confirmations.take(call.session(), token);
        if (!confirmed.equals(new Upload(call.path("camera"), file, sha256(bytes)))) {
            throw HttpProblem.conflict("something else was looked at: look at this, then confirm");
        }
        long written = withFile(bytes, path -> camera.device().files().upload(path, file, camera.fileProgress(file)));
        camera.publishChanges();
        return Reply.of(Reply.object().put("bytes", written));
    }

    private interface Step<T> {
        T with(Path path);
    }

    /** The file is made and named here. */
    private static <T> T withFile(byte[] bytes, Step<T> step) throws IOException {
        Path path = Files.createTempFile("peregrine-upload", ".bin");
        try {
            Files.write(path, bytes);
            return step.with(path);
        } finally {
            Files.deleteIfExists(path);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
