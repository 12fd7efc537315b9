package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlParametersTest {
    private static ControlParameters heartbeat(String value, boolean debuggable) {
        return ControlParameters.of(values(OpenParameter.HEARTBEAT_TIMEOUT, value), debuggable);
    }

    private static ParameterValues values(OpenParameter parameter, String value) {
        PeregrineSettings settings =
                PeregrineSettings.load(Map.of(parameter.settingsKey(), value), Map.of(), java.nio.file.Path.of(""));
        return ParameterValues.of(settings, Map.of());
    }

    @Test
    void theDeviceKeepsItsHeartbeatTimeout() {
        assertEquals(Optional.empty(), heartbeat("auto", false).heartbeatTimeout());
    }

    @Test
    void aProgramUnderADebuggerHasFiveMinutes() {
        assertEquals(Optional.of(Duration.ofMinutes(5)), heartbeat("auto", true).heartbeatTimeout());
    }

    @Test
    void aGivenTimeoutHoldsUnderADebuggerToo() {
        assertEquals(Optional.of(Duration.ofSeconds(2)), heartbeat("2s", true).heartbeatTimeout());
    }

    @Test
    void withoutHeartbeatADeviceThatNeedsOneHasFiveMinutes() {
        ControlParameters off = heartbeat("off", false);
        assertTrue(off.heartbeatDisabled());
        assertEquals(Optional.of(Duration.ofMinutes(5)), off.heartbeatTimeout());
    }

    @ParameterizedTest
    @ValueSource(strings = {"499ms", "1441min", "soon", "", "-1s"})
    void anImpossibleHeartbeatTimeoutIsRefused(String value) {
        assertThrows(DeviceException.class, () -> heartbeat(value, false));
    }

    @Test
    void aJvmThatADebuggerMayStopIsKnownByItsArguments() {
        assertTrue(ControlParameters.debuggable(List.of("-Xmx1g", "-agentlib:jdwp=transport=dt_socket,server=y")));
        assertTrue(ControlParameters.debuggable(List.of("-Xrunjdwp:transport=dt_socket")));
        assertFalse(ControlParameters.debuggable(List.of("-Xmx1g", "-agentlib:hprof")));
    }

    @Test
    void aSwitchoverKeyHasSixteenBits() {
        ParameterValues key = values(OpenParameter.SWITCHOVER_KEY, "65535");
        assertEquals(OptionalInt.of(65535), ControlParameters.of(key, false).switchoverKey());
        ParameterValues tooLarge = values(OpenParameter.SWITCHOVER_KEY, "65536");
        assertThrows(DeviceException.class, () -> ControlParameters.of(tooLarge, false));
    }
}
