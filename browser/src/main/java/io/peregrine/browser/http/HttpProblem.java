package io.peregrine.browser.http;

/** Why a request is refused, with the status that answers it. */
public final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * Creates the problem.
     *
     * @param status of HTTP
     * @param message what was wrong and what to do
     */
    public HttpProblem(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** The request is malformed. */
    public static HttpProblem badRequest(String message) {
        return new HttpProblem(400, message);
    }

    /** There is nothing of that name. */
    public static HttpProblem notFound(String message) {
        return new HttpProblem(404, message);
    }

    /** It cannot be done now. */
    public static HttpProblem conflict(String message) {
        return new HttpProblem(409, message);
    }
}
