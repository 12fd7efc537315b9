/** GenApi node maps. */
package io.peregrine.genapi;
