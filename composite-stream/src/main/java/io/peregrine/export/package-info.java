/** Items of a composite as pictures, point clouds and files. */
package io.peregrine.export;
