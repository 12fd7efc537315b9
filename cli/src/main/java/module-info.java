/** The {@code peregrine} command. */
module io.peregrine.cli {
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires static io.peregrine.browser;
    requires io.peregrine.device;
    requires io.peregrine.distribution;
    requires io.peregrine.pvaccess;
    requires io.peregrine.virtualcamera;
    requires java.desktop;
    requires java.logging;
    requires java.management;
    requires me.tongfei.progressbar;

    opens io.peregrine.cli to
            info.picocli;
}
