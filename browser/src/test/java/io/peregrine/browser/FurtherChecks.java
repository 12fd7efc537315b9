package io.peregrine.browser;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.HostChecks;
import java.util.List;

/** What a module beside the page needs of a host, as distribution does. */
@SuppressWarnings("exports") // Nobody requires the tests.
public final class FurtherChecks implements HostChecks {
    static final String GROUP = "further";
    static final String EVIDENCE = "as it should be";

    /** For the service loader. */
    public FurtherChecks() {}

    @Override
    public String group() {
        return GROUP;
    }

    @Override
    public List<Finding> examine() {
        return List.of(Finding.pass("need", "", EVIDENCE));
    }
}
