package io.peregrine.conformance.softroce;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Tests that need the network and the devices of {@code conformance/soft-roce}. {@code SoftRoceTest} runs them there.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(InsideSoftRoce.TAG)
@EnabledIfEnvironmentVariable(
        named = InsideSoftRoce.VARIABLE,
        matches = "1",
        disabledReason = "needs the virtual machine of conformance/soft-roce, which SoftRoceTest starts")
@interface InsideSoftRoce {
    /** What marks the tests. */
    String TAG = "inside-soft-roce";
    /** Environment variable that is set in the machine. */
    String VARIABLE = "PEREGRINE_SOFT_ROCE";
}
