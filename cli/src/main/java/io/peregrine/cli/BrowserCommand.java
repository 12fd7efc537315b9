package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves a page that shows cameras. */
@Command(
        name = "browser",
        description =
                "Serves a page for a web browser that finds cameras, sets them up and shows their frames, and prints"
                        + " its address, which is good for one login. Runs until it is ended.",
        mixinStandardHelpOptions = true)
final class BrowserCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "Port; a free one by default")
    private int port;

    @Option(names = "--open", description = "Open the page in the browser of the desktop")
    private boolean open;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Address of this host that others reach; needs --tls. Only this host by default")
    private Optional<InetAddress> listen = Optional.empty();

    @Option(
            names = "--tls",
            paramLabel = "FILE",
            description =
                    "Key and certificate, a PKCS #12 file; its password is in the variable" + " BROWSER_TLS_PASSWORD")
    private Optional<Path> keyStore = Optional.empty();

    @Option(
            names = "--host",
            paramLabel = "NAME:PORT",
            description =
                    "Further name by which a browser reaches the page, for example localhost:9000 where a tunnel has"
                            + " another port; may be repeated")
    private List<String> hosts = new ArrayList<>();

    @Option(
            names = "--recordings",
            paramLabel = "FOLDER",
            defaultValue = "recordings",
            description = "Folder for recordings that pages make; recordings in the working directory by default")
    private Path recordings;

    @Override
    public void run() {
        if (port < 0 || port > 65535) {
            throw new ParameterException(spec.commandLine(), "--port is between 0 and 65535");
        }
        if (listen.isPresent() && !listen.get().isLoopbackAddress() && keyStore.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--listen needs --tls: other hosts can read what is sent");
        }
        try (UntilEnded untilEnded = new UntilEnded();
                BrowserServer server = BrowserServer.start(
                        finder.factory(),
                        listen.orElse(InetAddress.getLoopbackAddress()),
                        port,
                        hosts,
                        keyStore,
                        recordings)) {
            String address = server.newAddress();
            if (output.json()) {
                ObjectNode object = Output.object();
                output.printLine(object.put("address", address));
            } else {
                output.print(address);
            }
            if (open && !server.openPage()) {
                output.say("no desktop: open the address in a browser");
            }
            untilEnded.await();
        }
    }
}
