package io.peregrine.browser.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What answers a request.
 *
 * @param status of HTTP
 * @param contentType media type; empty without a body
 * @param body bytes
 * @param headers others
 * @param parts writes what follows, if the answer has no end
 */
public record Reply(
        int status,
        String contentType,
        ByteBuffer body,
        Map<String, String> headers,
        Optional<Consumer<PartWriter>> parts) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** JSON. */
    public static Reply of(JsonNode json) {
        return of(200, json);
    }

    /** It is done; there is nothing to say. */
    public static Reply done() {
        return new Reply(204, "", ByteBuffer.allocate(0), Map.of(), Optional.empty());
    }

    /**
     * A file for the user to keep.
     *
     * @param name letters, digits, dots and hyphens
     */
    public static Reply file(String name, String contentType, byte[] bytes) {
        return new Reply(
                200,
                contentType,
                ByteBuffer.wrap(bytes),
                Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""),
                Optional.empty());
    }

    /** An answer that goes on until the client ends it. */
    public static Reply endless(String contentType, Consumer<PartWriter> parts) {
        return new Reply(200, contentType, ByteBuffer.allocate(0), Map.of(), Optional.of(parts));
    }

    /** A refusal: an object with the property {@code error}. */
    public static Reply problem(int status, String reason) {
        return of(status, object().put("error", reason));
    }

    /** An empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Reply of(int status, JsonNode json) {
        return new Reply(status, "application/json", ByteBuffer.wrap(bytes(json)), Map.of(), Optional.empty());
    }

    private static byte[] bytes(JsonNode json) {
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    void send(Request request, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        if (!contentType.isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
        headers.forEach((name, value) -> response.getHeaders().put(name, value));
        parts.ifPresentOrElse(
                writer -> writer.accept(new PartWriter(request, response, callback)),
                () -> response.write(true, body.duplicate(), callback));
    }
}
