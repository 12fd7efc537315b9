package io.peregrine.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sends requests exactly as they are written, which clients of the JDK do not: they correct paths and hosts. */
final class RawHttp {
    /** What came back. */
    record Answer(int status, List<String> headers, String body) {
        Optional<String> header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }

        String cookie() {
            return header("Set-Cookie").orElseThrow().split(";", 2)[0];
        }
    }

    private final URI origin;

    RawHttp(String origin) {
        this.origin = URI.create(origin);
    }

    String host() {
        return origin.getAuthority();
    }

    /** Logs in by an address that a server gave out, and returns the cookie. */
    static String login(String address) throws IOException {
        URI uri = URI.create(address);
        RawHttp http = new RawHttp("http://" + uri.getAuthority());
        return http.send("POST", "/login", "X-Token: " + uri.getFragment(), http.ownOrigin())
                .cookie();
    }

    String ownOrigin() {
        return "Origin: " + origin;
    }

    /** A request with the right host. */
    Answer send(String method, String path, String... headers) throws IOException {
        return sendTo(host(), method, path, "", headers);
    }

    /** A request with any host. */
    Answer sendTo(String host, String method, String path, String body, String... headers) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n");
        Arrays.asList(headers).forEach(line -> request.append(line).append("\r\n"));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (!method.equals("GET")) {
            request.append("Content-Length: ").append(bytes.length).append("\r\n");
        }
        boolean upgrade = Arrays.stream(headers).anyMatch(line -> line.startsWith("Upgrade:"));
        request.append(upgrade ? "Connection: Upgrade\r\n\r\n" : "Connection: close\r\n\r\n");
        try (Socket socket = new Socket(origin.getHost(), origin.getPort())) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.toString().getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.flush();
            return read(socket.getInputStream());
        }
    }

    private static Answer read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        List<String> lines = head.toString().lines().toList();
        int status = Integer.parseInt(lines.get(0).split(" ", 3)[1]);
        Answer answer = new Answer(status, lines.subList(1, lines.size()), "");
        int length = Integer.parseInt(answer.header("Content-Length").orElse("0"));
        return new Answer(status, answer.headers(), new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }
}
