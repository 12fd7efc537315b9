package io.peregrine.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A recording of packets by tshark, and what the dissectors of Wireshark make of it. */
public final class Capture implements AutoCloseable {
    /** A packet to this port marks the end of what is recorded. */
    public static final int END_PORT = 9;

    /** Takes the control channels alone, without streams and messages; for the option -f. */
    public static final String CONTROL = "udp port 3956 or udp port " + END_PORT;

    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** What no dissector understood, or an expert warns of; the remarks below are chat and notes. */
    private static final String DOUBTFUL = "(_ws.malformed || _ws.expert.severity >= 0x600000)";

    private final NetworkNamespace namespace;
    private final Path file;
    private final ChildProcess tshark;
    private final List<String> preferences = new ArrayList<>();

    private Capture(NetworkNamespace namespace, Path file, ChildProcess tshark) {
        this.namespace = namespace;
        this.file = file;
        this.tshark = tshark;
    }

    /** Records what an interface of a namespace sends and receives, from now on; options of tshark may restrict it. */
    public static Capture start(NetworkNamespace namespace, String networkInterface, Path file, String... options) {
        List<String> command = new ArrayList<>(List.of("tshark", "-i", networkInterface, "-B", "64", "-P", "-l"));
        command.addAll(List.of(options));
        command.addAll(List.of("-w", file.toString()));
        ChildProcess tshark = namespace.start(command);
        tshark.awaitLine("start of the capture", LIMIT, line -> line.contains("Capture started"));
        return new Capture(namespace, file, tshark);
    }

    /** Ends the recording when a packet to an address has been seen. */
    public void end(String address) {
        namespace.run(LIMIT, "bash", "-c", "echo end > /dev/udp/" + address + "/" + END_PORT);
        tshark.awaitLine("end of the session", LIMIT, line -> line.matches(".* " + END_PORT + " Len=\\d+.*"));
        tshark.interrupt();
        tshark.awaitEnd(LIMIT);
    }

    /** Takes what goes to or comes from a UDP port for packets of a protocol. */
    public Capture readAs(String protocol, Object port) {
        preferences.addAll(List.of("-d", "udp.port==" + port + "," + protocol));
        return this;
    }

    /** The fields of the packets that pass a filter; several values of one field are joined by commas. */
    public List<Map<String, String>> decode(String filter, String... fields) {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString(), "-Y", filter, "-T", "fields"));
        command.addAll(preferences);
        command.addAll(List.of("-E", "separator=|"));
        // The number tells a packet from what tshark says besides. A field that is asked for twice comes once.
        Set<String> columns = new LinkedHashSet<>(List.of("frame.number"));
        columns.addAll(List.of(fields));
        columns.forEach(column -> command.addAll(List.of("-e", column)));
        List<Map<String, String>> packets = new ArrayList<>();
        ChildProcess.runToEnd(LIMIT, command)
                .lines()
                .filter(line -> line.matches("\\d+(\\|.*)?"))
                .forEach(line -> {
                    Iterator<String> values = List.of(line.split("\\|", -1)).iterator();
                    Map<String, String> packet = new HashMap<>();
                    columns.forEach(column -> packet.put(column, values.next()));
                    packet.keySet().retainAll(List.of(fields));
                    packets.add(packet);
                });
        return packets;
    }

    /** The packets among those that pass a filter that are malformed, or that an expert warns of. */
    public List<Map<String, String>> doubtful(String filter) {
        return decode(filter + " && " + DOUBTFUL, "frame.number", "_ws.col.Protocol", "_ws.expert.message");
    }

    /** Ends the recording at once. Idempotent. */
    @Override
    public void close() {
        tshark.close();
    }
}
