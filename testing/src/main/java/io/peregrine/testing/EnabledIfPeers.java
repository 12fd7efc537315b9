package io.peregrine.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests only where network namespaces can be made and the named programs are installed; otherwise they are
 * skipped with the reason.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("peers")
@ExtendWith(PeersCondition.class)
public @interface EnabledIfPeers {
    /** Programs that must be on the search path. */
    String[] value();
}
