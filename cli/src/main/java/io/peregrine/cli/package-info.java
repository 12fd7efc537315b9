/** Commands for the shell. */
package io.peregrine.cli;
