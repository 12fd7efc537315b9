package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages of others in the same browser, rebound names, and strangers on this host get. */
@Timeout(30)
class AttackTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String[] UPGRADE = {
        "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };

    private static final List<String> WRITES = List.of(
            "POST /api/invitations",
            "POST /api/search",
            "PUT /api/cameras/c1/region",
            "DELETE /api/cameras/c1/region",
            "POST /api/cameras/c1/open",
            "POST /api/cameras/c1/close",
            "PUT /api/cameras/c1/parameters",
            "PUT /api/cameras/c1/maps/Device/features/Width",
            "POST /api/cameras/c1/maps/Device/features/Width/execute",
            "POST /api/cameras/c1/maps/Device/apply",
            "POST /api/description",
            "POST /api/cameras/c1/stream/start",
            "POST /api/cameras/c1/stream/stop",
            "PUT /api/cameras/c1/configured",
            "POST /api/configured/remove",
            "POST /api/configured/find",
            "POST /api/devices",
            "POST /api/cameras/c1/recording/start",
            "POST /api/cameras/c1/recording/arm",
            "POST /api/cameras/c1/recording/trigger",
            "POST /api/cameras/c1/recording/stop",
            "POST /api/recordings/a.pgr/replay",
            "POST /api/cameras/c1/settings/save",
            "POST /api/cameras/c1/settings/load",
            "POST /api/cameras/c1/settings/compare",
            "POST /api/cameras/c1/settings/compare-set",
            "POST /api/cameras/c1/usersets/load",
            "POST /api/cameras/c1/usersets/save",
            "POST /api/cameras/c1/usersets/start",
            "POST /api/cameras/c1/address/suggest",
            "POST /api/cameras/c1/address/check",
            "POST /api/cameras/c1/address/apply",
            "POST /api/cameras/c1/files/Firmware/read",
            "POST /api/cameras/c1/files/Firmware/check",
            "POST /api/cameras/c1/files/Firmware/write",
            "POST /api/doctor",
            "POST /api/report",
            "POST /api/cameras/c1/report",
            "PUT /api/cameras/c1/events/Test",
            "PUT /api/cameras/c1/ptp",
            "POST /api/actions/keys",
            "POST /api/actions/send",
            "PUT /api/cameras/c1/packet-delay",
            "POST /api/cameras/c1/probe-path",
            "POST /api/cameras/c1/doctor");

    @TempDir
    static Path folder;

    private static CameraBrowser browser;
    private static RawHttp http;
    private static String cookie;

    @BeforeAll
    static void start() throws IOException {
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load()
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")
                        .with(
                                PeregrineSettings.DEVICES,
                                folder.resolve("devices.json").toString())),
                BrowserOptions.loopback().withRecordings(folder.resolve("recordings")));
        http = new RawHttp(browser.origin());
        cookie = "Cookie: " + RawHttp.login(browser.newAddress(true));
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    private static String[] upgrade(String... more) {
        String[] headers = java.util.Arrays.copyOf(UPGRADE, UPGRADE.length + more.length);
        System.arraycopy(more, 0, headers, UPGRADE.length, more.length);
        return headers;
    }

    /** As the client of the JDK does. */
    @Test
    void aProgramThatOffersHttp2GetsAnAnswer() throws IOException {
        String[] offer = {"Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA", cookie};
        assertEquals(200, http.send("GET", "/api/session", offer).status());
    }

    @Test
    void aWebSocketOfAStrangePageIsNotHiddenByAnOfferOfHttp2() throws IOException {
        assertEquals(
                403,
                http.send("GET", "/ws/events", upgrade("Upgrade: h2c", cookie)).status());
        assertEquals(
                403,
                http.send("GET", "/ws/events", upgrade("Upgrade: h2c", cookie, "Origin: http://attacker.example"))
                        .status());
    }

    @Test
    void thePageOfTheServerGetsItsSession() throws IOException {
        assertEquals(
                "{\"session\":1,\"role\":\"control\"}",
                http.send("GET", "/api/session", cookie).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "attacker.example:80", "127.0.0.1", "localhost", "127.0.0.1:1"})
    void aReboundNameIsRefused(String host) throws IOException {
        assertEquals(421, http.sendTo(host, "GET", "/", "", cookie).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://attacker.example", "null", "http://localhost:1", "https://127.0.0.1"})
    void thePageOfAnotherOriginWritesNothing(String origin) throws IOException {
        String body = "{\"role\":\"control\"}";
        assertEquals(
                403,
                http.sendTo(http.host(), "POST", "/api/invitations", body, cookie, JSON, "Origin: " + origin)
                        .status());
    }

    @Test
    void aFormOfAnotherPageWithoutOriginWritesNothing() throws IOException {
        assertEquals(
                403,
                http.sendTo(http.host(), "POST", "/api/invitations", "", cookie, JSON)
                        .status());
    }

    @Test
    void aBodyThatFormsCanSendIsRefused() throws IOException {
        assertEquals(
                415,
                http.sendTo(
                                http.host(),
                                "POST",
                                "/api/invitations",
                                "{\"role\":\"view\"}",
                                cookie,
                                http.ownOrigin(),
                                "Content-Type: text/plain")
                        .status());
    }

    @Test
    void thePageOfAnotherOriginReadsNothing() throws IOException {
        assertEquals(
                403,
                http.send("GET", "/api/session", cookie, "Origin: http://attacker.example")
                        .status());
    }

    @Test
    void noOriginIsAllowedToReadAnswers() throws IOException {
        assertTrue(http.send("GET", "/api/session", cookie)
                .header("Access-Control-Allow-Origin")
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://attacker.example", "null"})
    void aWebSocketOfAnotherOriginIsRefused(String origin) throws IOException {
        assertEquals(
                403,
                http.send("GET", "/ws/events", upgrade(cookie, "Origin: " + origin))
                        .status());
    }

    @Test
    void aWebSocketWithoutOriginIsRefused() throws IOException {
        assertEquals(403, http.send("GET", "/ws/events", upgrade(cookie)).status());
    }

    @Test
    void aWebSocketWithoutSessionIsRefused() throws IOException {
        assertEquals(
                401, http.send("GET", "/ws/events", upgrade(http.ownOrigin())).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/session", "/api/cameras", "/api/anything"})
    void aStrangerWithoutSessionReadsNothing(String path) throws IOException {
        assertEquals(401, http.send("GET", path).status());
    }

    @Test
    void aMadeUpCookieIsNoSession() throws IOException {
        String name = cookie.split("=", 2)[0];
        assertEquals(401, http.send("GET", "/api/session", name + "=AAAA").status());
    }

    @Test
    void aWrongTokenLogsNobodyIn() throws IOException {
        RawHttp.Answer answer = http.send("POST", "/login", "X-Token: AAAA", http.ownOrigin());
        assertEquals(403, answer.status());
        assertTrue(answer.header("Set-Cookie").isEmpty());
    }

    @Test
    void aTokenIsGoodForOneLogin() throws IOException {
        String token = URI.create(browser.newAddress(true)).getFragment();
        http.send("POST", "/login", "X-Token: " + token, http.ownOrigin());
        assertEquals(
                403,
                http.send("POST", "/login", "X-Token: " + token, http.ownOrigin())
                        .status());
    }

    @Test
    void anotherOriginCannotUseAToken() throws IOException {
        String token = URI.create(browser.newAddress(true)).getFragment();
        assertEquals(
                403,
                http.send("POST", "/login", "X-Token: " + token, "Origin: http://attacker.example")
                        .status());
    }

    @Test
    void theCookieIsHiddenFromScriptsAndOtherSites() throws IOException {
        String token = URI.create(browser.newAddress(true)).getFragment();
        String set = http.send("POST", "/login", "X-Token: " + token, http.ownOrigin())
                .header("Set-Cookie")
                .orElseThrow();
        assertTrue(set.contains("HttpOnly") && set.contains("SameSite=Strict"), set);
    }

    @Test
    void theTokenIsOnlyInTheFragmentWhichBrowsersDoNotSend() {
        URI address = URI.create(browser.newAddress(true));
        assertEquals("/", address.getPath());
        assertEquals(43, address.getFragment().length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../pom.xml",
                "/app/../../../pom.xml",
                "/%2e%2e/pom.xml",
                "/app/..%2f..%2f..%2fmodule-info.class",
                "/..%5c..%5cpom.xml",
                "//etc/passwd",
                "/app/%00",
                "/;/../module-info.class",
                "/META-INF/MANIFEST.MF",
                "/app/",
                "/lib/"
            })
    void pathsLeadToFilesOfThePageOnly(String path) throws IOException {
        int status = http.send("GET", path, cookie).status();
        assertTrue(status >= 400 && status < 500, () -> path + " was answered by " + status);
    }

    @Test
    void thePageRunsScriptsOfThisServerOnly() throws IOException {
        String policy = http.send("GET", "/").header("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'self';"), policy);
        assertFalse(policy.contains("unsafe"), policy);
    }

    @Test
    void otherPagesCannotFrameThePage() throws IOException {
        RawHttp.Answer page = http.send("GET", "/");
        assertTrue(page.header("Content-Security-Policy").orElse("").contains("frame-ancestors 'none'"));
        assertEquals("DENY", page.header("X-Frame-Options").orElse(""));
    }

    @Test
    void aBodyThatIsTooLongIsRefused() throws IOException {
        assertEquals(
                413,
                http.sendTo(
                                http.host(),
                                "POST",
                                "/api/invitations",
                                " ".repeat((4 << 20) + 1),
                                cookie,
                                http.ownOrigin(),
                                JSON)
                        .status());
    }

    @Test
    void headersThatAreTooLongAreRefused() throws IOException {
        assertEquals(431, http.send("GET", "/", "X-Long: " + "a".repeat(20_000)).status());
    }

    @Test
    void theServerDoesNotSayWhatItIs() throws IOException {
        assertTrue(http.send("GET", "/").header("Server").isEmpty());
    }

    private int write(String cookie, String request, String body) throws IOException {
        String[] parts = request.split(" ", 2);
        return http.sendTo(http.host(), parts[0], parts[1], body, cookie, http.ownOrigin(), JSON)
                .status();
    }

    /** Everything but reading is in this list: {@link #everyRouteThatWritesIsTried} sees to that. */
    private static Stream<String> writes() {
        return WRITES.stream();
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aViewerWritesNothing(String request) throws IOException {
        String viewer = "Cookie: " + RawHttp.login(browser.newAddress(false));
        assertEquals(403, write(viewer, request, "{\"role\":\"control\"}"));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aStrangerWritesNothing(String request) throws IOException {
        assertEquals(401, write("X-None: 1", request, "{}"));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void thePageOfAnotherOriginReachesNoWriter(String request) throws IOException {
        String[] parts = request.split(" ", 2);
        assertEquals(
                403,
                http.sendTo(http.host(), parts[0], parts[1], "{}", cookie, JSON, "Origin: http://attacker.example")
                        .status());
    }

    @Test
    void everyRouteThatWritesIsTried() throws IOException {
        List<String> missing = new ArrayList<>();
        Pattern route = Pattern.compile("Route\\.(post|put|delete)\\((.*?), ", Pattern.DOTALL);
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/peregrine/browser/resources"))) {
            for (Path file : files.filter(name -> name.toString().endsWith("Resource.java"))
                    .toList()) {
                String text = Files.readString(file);
                Matcher found = route.matcher(text);
                while (found.find()) {
                    String path = path(text, found.group(2));
                    String pattern =
                            found.group(1).toUpperCase(Locale.ROOT) + " " + path.replaceAll("\\{[a-z]+}", "[^/]+");
                    if (WRITES.stream().noneMatch(request -> request.matches(pattern))) {
                        missing.add(found.group(1) + " " + path);
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    /** A path of texts and constants of the class, added up. */
    private static String path(String source, String expression) {
        StringBuilder path = new StringBuilder();
        for (String part : expression.split("\\+", -1)) {
            String term = part.strip();
            if (term.startsWith("\"")) {
                path.append(term, 1, term.length() - 1);
            } else {
                Matcher constant = Pattern.compile("String " + term + " = (.*?);", Pattern.DOTALL)
                        .matcher(source);
                assertTrue(constant.find(), term);
                path.append(path(source, constant.group(1)));
            }
        }
        return path.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:/etc/passwd", "FILE:/etc/passwd", "file:.", "file:///etc/passwd", "file:../../x.pgr"})
    void noPageOpensAFileByItsPath(String device) throws IOException {
        assertEquals(400, write(cookie, "POST /api/devices", "{\"device\":\"" + device + "\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"..%2f..%2fetc%2fpasswd", "%2e%2e", "..%5cx.pgr", "%2fetc%2fpasswd", "devices.json"})
    void recordingsAreThoseOfTheFolder(String name) throws IOException {
        int status = write(cookie, "POST /api/recordings/" + name + "/replay", "{}");
        assertTrue(status == 404 || status == 400, () -> name + " was answered by " + status);
    }

    @Test
    void otherHostsAreServedByTlsOnly() throws Exception {
        InetAddress address = InetAddress.getByName("192.0.2.1");
        assertThrows(
                IllegalArgumentException.class,
                () -> new BrowserOptions(address, 0, List.of(), Optional.empty(), Path.of("recordings")));
    }
}
