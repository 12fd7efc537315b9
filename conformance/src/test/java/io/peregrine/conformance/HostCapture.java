package io.peregrine.conformance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** GVCP at an interface of a namespace, as the dissectors of Wireshark understand it. */
final class HostCapture implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** A packet to this port marks the end of the session, one to the next port a place in it. */
    private static final int END_PORT = 9;

    private static final int MARK_PORT = 10;

    private final NetworkNamespace host;
    private final Path file;
    private final ChildProcess tshark;

    private HostCapture(NetworkNamespace host, Path file, ChildProcess tshark) {
        this.host = host;
        this.file = file;
        this.tshark = tshark;
    }

    /** Starts a capture; it sees every packet from now on. */
    static HostCapture start(NetworkNamespace host, String networkInterface, Path file) {
        String filter = "udp port 3956 or udp port " + END_PORT + " or udp port " + MARK_PORT;
        ChildProcess tshark =
                host.start("tshark", "-i", networkInterface, "-f", filter, "-P", "-l", "-w", file.toString());
        tshark.awaitLine("start of the capture", LIMIT, line -> line.contains("Capture started"));
        return new HostCapture(host, file, tshark);
    }

    /** Leaves a packet in the capture that {@link #frameOfMark} finds; it goes to an address beyond the interface. */
    void mark(String address) {
        send(address, MARK_PORT);
    }

    /** Number of the frame with the mark. */
    int frameOfMark() {
        return Integer.parseInt(decode("udp.dstport == " + MARK_PORT).get(0).get(0));
    }

    /** Ends the capture when it has all packets until now; the last goes to an address beyond the interface. */
    void end(String address) {
        send(address, END_PORT);
        tshark.awaitLine("end of the session", LIMIT, line -> line.matches(".* " + END_PORT + " Len=\\d+.*"));
        tshark.interrupt();
        tshark.awaitEnd(LIMIT);
    }

    private void send(String address, int port) {
        host.run(LIMIT, "bash", "-c", "echo mark > /dev/udp/" + address + "/" + port);
    }

    /** The fields of all packets that a filter takes, and the number of the packet behind them. */
    List<List<String>> decode(String filter, String... fields) {
        List<String> command = new ArrayList<>(
                List.of("tshark", "-r", file.toString(), "-Y", filter, "-T", "fields", "-E", "separator=|"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        command.addAll(List.of("-e", "frame.number"));
        // Other lines are warnings of the program.
        return host.run(LIMIT, command)
                .lines()
                .filter(line -> line.matches("(.*\\|)?\\d+"))
                .map(line -> List.of(line.split("\\|", -1)))
                .toList();
    }

    /** Troubles and numbers of the packets that are not as they must be. */
    List<List<String>> malformed() {
        return decode("gvcp && (_ws.malformed || _ws.expert.severity >= 0x600000)", "_ws.expert.message");
    }

    @Override
    public void close() {
        tshark.close();
    }
}
