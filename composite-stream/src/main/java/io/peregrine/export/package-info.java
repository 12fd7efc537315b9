/** Items of a composite as images of Java, point clouds and files. */
@NullMarked
package io.peregrine.export;

import org.jspecify.annotations.NullMarked;
