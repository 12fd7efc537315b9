/** The {@code peregrine} command. */
module io.peregrine.cli {
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires io.peregrine.device;
    requires io.peregrine.virtualcamera;
    requires java.desktop;

    opens io.peregrine.cli to
            info.picocli;
}
