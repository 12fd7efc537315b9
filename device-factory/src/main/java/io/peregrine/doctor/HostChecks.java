package io.peregrine.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** What a further module needs of a host; found by {@link ServiceLoader}. */
public interface HostChecks {

    /** What is examined, in one word. */
    String group();

    /** Examines the host; changes nothing. */
    List<Finding> examine();

    /** The findings of all modules that are there, by group. */
    static Map<String, List<Finding>> ofModules() {
        Map<String, List<Finding>> groups = new LinkedHashMap<>();
        for (HostChecks checks : ServiceLoader.load(HostChecks.class, HostChecks.class.getClassLoader())) {
            groups.put(checks.group(), checks.examine());
        }
        return groups;
    }
}
