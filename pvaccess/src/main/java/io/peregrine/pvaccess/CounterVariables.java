package io.peregrine.pvaccess;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.nt.PVAAlarm;
import org.epics.pva.data.nt.PVATimeStamp;
import org.epics.pva.server.ServerPV;

/** Counters of the publisher as process variables (NTScalar), named as areaDetector names those of a plugin. */
final class CounterVariables {
    private static final String NT_SCALAR = "epics:nt/NTScalar:1.0";

    private final Map<ServerPV, LongSupplier> counters = new LinkedHashMap<>();

    CounterVariables(PvaEndpoint endpoint, String prefix, Map<String, LongSupplier> values) {
        values.forEach((name, value) ->
                counters.put(endpoint.offer(FrameVariables.name(prefix, name), scalar(value.getAsLong())), value));
    }

    void update() throws Exception {
        for (Map.Entry<ServerPV, LongSupplier> counter : counters.entrySet()) {
            counter.getKey().update(scalar(counter.getValue().getAsLong()));
        }
    }

    private static PVAStructure scalar(long value) {
        return new PVAStructure(
                "", NT_SCALAR, new PVALong("value", false, value), new PVAAlarm(), new PVATimeStamp("timeStamp"));
    }
}
