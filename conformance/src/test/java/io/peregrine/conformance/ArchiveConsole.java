package io.peregrine.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Asks an archive by the commands of users. */
final class ArchiveConsole {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String address;

    ArchiveConsole(String address) {
        this.address = address;
    }

    /** What it holds; empty while no archive answers. */
    JsonNode list() {
        try (ChildProcess list =
                ChildProcess.start(CameraProcess.command("archive", "list", "--json", "--at", address))) {
            return list.awaitEnd(LIMIT) == 0 ? json(list.output()) : JSON.createArrayNode();
        }
    }

    /** What a check of each recording shows; all must be intact. */
    List<JsonNode> check() {
        return ChildProcess.runToEnd(LIMIT, CameraProcess.command("archive", "check", "--json", "--at", address))
                .lines()
                .map(ArchiveConsole::json)
                .toList();
    }

    /** Replays a stream up to now, and checks each byte of it; see {@link PublishedFramesReport}. */
    String replay(String name) {
        return ChildProcess.runToEnd(
                LIMIT,
                ChildProcess.java(
                        List.of("-Ddistribution.archive=" + address),
                        PublishedFramesMain.class.getName(),
                        List.of(name + "@archive:to=now", Integer.toString(Integer.MAX_VALUE))));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whole frames of all recordings that were checked. */
    static long whole(List<JsonNode> checked) {
        return checked.stream()
                .mapToLong(one -> one.get("framesComplete").asLong())
                .sum();
    }
}
