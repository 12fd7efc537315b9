/** Composites from filled flow sets. */
package io.peregrine.composite;
