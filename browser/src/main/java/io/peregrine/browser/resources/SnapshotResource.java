package io.peregrine.browser.resources;

import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.frames.Jpeg;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.export.Coordinates;
import io.peregrine.export.ExportException;
import io.peregrine.export.Images;
import io.peregrine.export.PointCloud;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Files of the next frame: an item as PNG, TIFF or PLY, with the values that the camera sent, or as JPEG. */
public final class SnapshotResource {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Cameras cameras;

    /** Creates the resource. */
    public SnapshotResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/cameras/{camera}/snapshot/{item}/{form}", this::take));
    }

    private Reply take(Call call) throws IOException {
        String form = call.path("form");
        try (Composite frame = cameras.open(call.path("camera")).acquisition().next(LIMIT)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            String type = write(item(frame, call.path("item")), form, bytes);
            String name = "block-" + frame.blockId() + "-item-" + call.path("item") + "." + form;
            return Reply.file(name, type, bytes.toByteArray());
        } catch (ExportException e) {
            throw HttpProblem.conflict(String.valueOf(e.getMessage()));
        }
    }

    private static Item item(Composite frame, String index) {
        List<Item> items = frame.items();
        for (int i = 0; i < items.size(); i++) {
            if (Integer.toString(i).equals(index)) {
                return items.get(i);
            }
        }
        throw HttpProblem.notFound("the frame has " + items.size() + " items, counted from 0");
    }

    /** Writes an item and gives the media type. */
    private static String write(Item item, String form, ByteArrayOutputStream bytes) throws IOException {
        switch (form) {
            case "png" -> {
                Images.writePng(Images.of(item), bytes);
                return "image/png";
            }
            case "tiff" -> {
                Images.writeTiff(Images.of(item), bytes);
                return "image/tiff";
            }
            case "jpeg" -> {
                bytes.write(new Jpeg().write(Images.forDisplay(item), 90));
                return "image/jpeg";
            }
            case "ply" -> {
                if (!(item instanceof PointCloudItem cloud)) {
                    throw HttpProblem.conflict("the item is no point cloud: use png or tiff");
                }
                PointCloud.of(cloud, Coordinates.IDENTITY).writePly(bytes);
                return "application/octet-stream";
            }
            default -> throw HttpProblem.notFound("there are snapshots as png, tiff, jpeg and ply");
        }
    }
}
