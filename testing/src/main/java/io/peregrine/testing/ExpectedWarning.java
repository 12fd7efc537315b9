package io.peregrine.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A warning that a test causes on purpose, or one of the tests of a class. It must be logged. Every other warning or
 * error fails the class, see {@link LogGuard}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(ExpectedWarning.List.class)
public @interface ExpectedWarning {
    /** Regular expression that is found in the message. */
    String value();

    /** Several of them. */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** All of them. */
        ExpectedWarning[] value();
    }
}
