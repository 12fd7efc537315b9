/** GenDC containers. */
package io.peregrine.gendc;
