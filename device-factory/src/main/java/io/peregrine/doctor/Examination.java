package io.peregrine.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.doctor.Finding.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that was found.
 *
 * @param groups findings by what was looked at, for example {@code network}, in the order of the examination
 */
public record Examination(Map<String, List<Finding>> groups) {
    /** Copies the map. */
    public Examination {
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
    }

    /** How many findings there are of each verdict. */
    public Map<Verdict, Integer> counts() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(verdict, 0);
        }
        findings().forEach(finding -> counts.merge(finding.verdict(), 1, Integer::sum));
        return counts;
    }

    /** The findings of all groups. */
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>();
        groups.values().forEach(all::addAll);
        return all;
    }

    /** Counts by verdict, and the array {@code findings}. */
    public ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        counts().forEach((verdict, count) -> root.put(verdict.name().toLowerCase(Locale.ROOT), count));
        ArrayNode array = root.putArray("findings");
        groups.forEach((group, findings) -> {
            for (Finding finding : findings) {
                array.addObject()
                        .put("group", group)
                        .put("check", finding.check())
                        .put("subject", finding.subject())
                        .put("verdict", finding.verdict().name())
                        .put("evidence", finding.evidence())
                        .put("fix", finding.fix());
            }
        });
        return root;
    }
}
