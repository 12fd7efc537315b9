package io.peregrine.virtualcamera;

/** What the camera writes into the fields of part types that only it knows. */
final class CustomFields {
    static final long FIRST = 0x1122334455667788L;
    static final long SECOND = 0x99AABBCCDDEEFF00L;

    private CustomFields() {}
}
