package io.peregrine.browser.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** One request, for the resource that answers it. */
public final class Call {
    /** Bytes of a body. */
    static final int MAX_BODY_BYTES = 4 << 20;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Request request;
    private final Map<String, String> path;
    private final Sessions.Session session;

    Call(Request request, Map<String, String> path, Sessions.Session session) {
        this.request = request;
        this.path = path;
        this.session = session;
    }

    /** The part of the path that stands for a name in braces. */
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The route has no {" + name + "}");
        }
        return value;
    }

    /** All values of a parameter of the query, which may be separated by commas. */
    public List<String> query(String name) {
        Fields fields = Request.extractQueryParameters(request);
        return Optional.ofNullable(fields.getValues(name)).orElse(List.of()).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /** Who asks. */
    public Sessions.Session session() {
        return session;
    }

    /**
     * The body, an object in JSON.
     *
     * @throws HttpProblem if it is something else, or too long
     */
    public ObjectNode body() {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null || !type.startsWith("application/json")) {
            throw new HttpProblem(415, "the body has to be application/json");
        }
        try {
            JsonNode tree = MAPPER.readTree(read(MAX_BODY_BYTES));
            if (tree instanceof ObjectNode object) {
                return object;
            }
            throw HttpProblem.badRequest("the body has to be an object in JSON");
        } catch (JsonProcessingException e) {
            throw HttpProblem.badRequest("the body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw HttpProblem.badRequest("the body did not arrive");
        }
    }

    /**
     * The body as it is, of the type {@code application/octet-stream}, which no form of another page can send.
     *
     * @param maxBytes how long it may be
     * @throws HttpProblem if it is of another type, or too long
     */
    public byte[] bytes(int maxBytes) {
        if (!"application/octet-stream".equals(request.getHeaders().get(HttpHeader.CONTENT_TYPE))) {
            throw new HttpProblem(415, "the body has to be application/octet-stream");
        }
        try {
            return read(maxBytes);
        } catch (IOException e) {
            throw HttpProblem.badRequest("the body did not arrive");
        }
    }

    /**
     * A property of the body that has to be there.
     *
     * @throws HttpProblem if it is missing or not a text
     */
    public static String text(ObjectNode body, String property) {
        JsonNode value = body.get(property);
        if (value == null || !value.isTextual()) {
            throw HttpProblem.badRequest("the text \"" + property + "\" is missing");
        }
        return value.textValue();
    }

    private byte[] read(int maxBytes) throws IOException {
        try (InputStream in = Content.Source.asInputStream(request)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new HttpProblem(413, "the body is longer than " + maxBytes + " bytes");
            }
            return bytes;
        }
    }
}
