/** Virtual cameras in tests with JUnit 5. */
@NullMarked
package io.peregrine.virtualcamera.junit;

import org.jspecify.annotations.NullMarked;
