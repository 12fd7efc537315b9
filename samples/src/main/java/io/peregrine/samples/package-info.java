/** Small programs, one idea each: copy them. */
package io.peregrine.samples;
