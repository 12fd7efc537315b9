/** Cameras in a web page: find, set up, and see their frames. */
module io.peregrine.browser {
    requires transitive io.peregrine.device;
    requires com.fasterxml.jackson.databind;
    requires java.desktop;
    // Jetty finds the files of the page in a jar only with it.
    requires jdk.zipfs;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.websocket.server;
    requires static org.jspecify;

    exports io.peregrine.browser;

    // Jetty calls the endpoints by public lookup.
    opens io.peregrine.browser.socket;
}
