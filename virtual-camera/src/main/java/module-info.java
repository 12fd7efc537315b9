/** A GigE Vision device in software. */
module io.peregrine.virtualcamera {
    requires transitive io.peregrine.gendc;
    requires transitive io.peregrine.stream;
    requires com.fasterxml.jackson.databind;
    requires com.sun.jna;
    requires java.desktop;
    requires static org.jspecify;
    requires static org.junit.jupiter.api;

    exports io.peregrine.virtualcamera;
    exports io.peregrine.virtualcamera.junit;

    // JUnit makes the extension behind the annotation.
    opens io.peregrine.virtualcamera.junit to
            org.junit.platform.commons;
}
