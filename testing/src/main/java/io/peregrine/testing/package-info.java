/** What the tests of several modules share: waiting, child processes, network namespaces, captures, test data, expected warnings. */
package io.peregrine.testing;
