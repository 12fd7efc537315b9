/**
 * The machinery of streams, whatever the transport: flow sets and their pool, the engine that drives a source, counters
 * and diagnosis. For other modules of the project.
 */
package io.peregrine.stream.engine;
