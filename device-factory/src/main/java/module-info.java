/** Discover, open and stream devices. */
module io.peregrine.device {
    requires transitive io.peregrine.discovery;
    requires transitive io.peregrine.genapi;
    requires transitive io.peregrine.composite;
    requires com.fasterxml.jackson.databind;
    requires java.management;
    requires org.apache.commons.configuration2;
    requires static org.jspecify;

    exports io.peregrine.device;
}
