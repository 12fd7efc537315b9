/** PFNC pixel formats. */
package io.peregrine.pfnc;
