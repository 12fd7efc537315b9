package io.peregrine.genapi;

/** A node with bytes of its own behind a port. */
interface RegisterBacked {
    /** Those bytes. */
    RegisterAccess register();
}
