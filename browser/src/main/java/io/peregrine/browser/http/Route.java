package io.peregrine.browser.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A resource and where it is.
 *
 * @param method of HTTP
 * @param pattern path; a part in braces stands for any name, for example {@code /api/cameras/{camera}}
 * @param role what the session has to be allowed
 * @param resource answers
 */
public record Route(String method, String pattern, Role role, Resource resource) {
    /** Answers requests; called by several threads, and may wait for a device. */
    public interface Resource {
        /** Answers a request. */
        Reply answer(Call call) throws Exception;
    }

    /** Reads. */
    public static Route get(String pattern, Resource resource) {
        return new Route("GET", pattern, Role.VIEW, resource);
    }

    /** Does something. */
    public static Route post(String pattern, Resource resource) {
        return new Route("POST", pattern, Role.CONTROL, resource);
    }

    /** Sets something. */
    public static Route put(String pattern, Resource resource) {
        return new Route("PUT", pattern, Role.CONTROL, resource);
    }

    /** Ends or removes something. */
    public static Route delete(String pattern, Resource resource) {
        return new Route("DELETE", pattern, Role.CONTROL, resource);
    }

    /** The names in a path that the pattern matches. */
    Optional<Map<String, String>> match(String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                names.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(names);
    }
}
