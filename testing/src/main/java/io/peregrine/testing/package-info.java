/**
 * What the tests of several modules share: waiting, child processes, network namespaces, captures, containers, test
 * data, expected warnings.
 */
package io.peregrine.testing;
