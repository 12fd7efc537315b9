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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages of others in the same browser, rebound names, and strangers on this host get. */
@Timeout(30)
class AttackTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String[] UPGRADE = {
        "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };

    private static CameraBrowser browser;
    private static RawHttp http;
    private static String cookie;

    @BeforeAll
    static void start() throws IOException {
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                BrowserOptions.loopback());
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

    @Test
    void anInvitedViewerInvitesNobody() throws IOException {
        RawHttp.Answer invitation = http.sendTo(
                http.host(), "POST", "/api/invitations", "{\"role\":\"view\"}", cookie, http.ownOrigin(), JSON);
        String token = invitation.body().replaceAll(".*\"token\":\"([^\"]*)\".*", "$1");
        String viewer = "Cookie: " + RawHttp.login(browser.origin() + "/#" + token);
        assertEquals(
                403,
                http.sendTo(
                                http.host(),
                                "POST",
                                "/api/invitations",
                                "{\"role\":\"control\"}",
                                viewer,
                                http.ownOrigin(),
                                JSON)
                        .status());
    }

    @Test
    void otherHostsAreServedByTlsOnly() throws Exception {
        InetAddress address = InetAddress.getByName("192.0.2.1");
        assertThrows(IllegalArgumentException.class, () -> new BrowserOptions(address, 0, List.of(), Optional.empty()));
    }
}
