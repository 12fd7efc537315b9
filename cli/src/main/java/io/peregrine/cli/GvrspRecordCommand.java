package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.DeviceException;
import io.peregrine.traffic.LiveTraffic;
import io.peregrine.traffic.TrafficRecorder;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records how others stream over RDMA, so that it can be learned. */
@Command(
        name = "gvrsp-record",
        description = "Records how another program and a camera use GVCP and RDMA, for learning how cameras of GigE"
                + " Vision 3.0 stream (GVRSP): registers, connections, lengths of messages; no images. Placeholders"
                + " stand for MAC and IP addresses, serial numbers, names and keys. Sends nothing. What is kept, and"
                + " where to send it, is in docs/gvrsp.md.",
        mixinStandardHelpOptions = true)
final class GvrspRecordCommand implements Callable<Integer> {
    /** A signal is noticed after this time at the latest. */
    private static final Duration TURN = Duration.ofMillis(200);

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(paramLabel = "TARGET", description = "Text file to be made, a JSON object in each line")
    private Path target;

    @Option(
            names = "--interface",
            paramLabel = "INTERFACE",
            description = "Record what passes at this interface, by name or IPv4 address, until Ctrl-C; root only, or"
                    + " with CAP_NET_RAW")
    private Optional<String> networkInterface = Optional.empty();

    @Option(
            names = "--file",
            paramLabel = "CAPTURE",
            description = "Take a capture of tcpdump or Wireshark, pcap or pcapng, instead")
    private Optional<Path> capture = Optional.empty();

    @Option(
            names = "--xml",
            paramLabel = "XML",
            description = "GenICam XML of the camera, for names of registers; not needed where the other program"
                    + " reads it from the camera meanwhile")
    private Optional<Path> xml = Optional.empty();

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "How long to record at an interface; until ended by default")
    private Optional<Duration> time = Optional.empty();

    @Override
    public Integer call() {
        if (networkInterface.isPresent() == capture.isPresent()) {
            throw new ParameterException(spec.commandLine(), "Give either --interface or --file");
        }
        TrafficRecorder recorder = new TrafficRecorder();
        xml.ifPresent(file -> recorder.description(XmlCommand.read(file)));
        // Open until all is written: a signal ends the recording, not the program.
        try (UntilEnded untilEnded = new UntilEnded();
                LiveTraffic live = networkInterface.map(LiveTraffic::open).orElse(null);
                Writer writer = create()) {
            boolean written = false;
            try {
                if (live != null) {
                    listen(live, recorder, untilEnded);
                } else {
                    read(capture.orElseThrow(), recorder);
                }
                recorder.write(output.version(), live == null ? 0 : live.drops(), writer);
                written = true;
            } finally {
                if (!written) {
                    Files.deleteIfExists(target);
                }
            }
            return report(recorder, live == null ? 0 : live.drops());
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot write " + target + ": " + FileFailure.reason(e), e);
        }
    }

    private Writer create() throws IOException {
        try {
            return Files.newBufferedWriter(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CliException(ExitCodes.FAILED, target + " exists already: give another name", e);
        }
    }

    private void listen(LiveTraffic live, TrafficRecorder recorder, UntilEnded untilEnded) {
        output.say("recording at " + networkInterface.orElseThrow() + ": open the camera with the other program now"
                + (time.isPresent() ? "" : ", and end this one with Ctrl-C"));
        long begin = System.nanoTime();
        long endNanos = time.map(Duration::toNanos).orElse(Long.MAX_VALUE);
        while (!untilEnded.ended() && System.nanoTime() - begin < endNanos) {
            live.receive(recorder, TURN);
        }
    }

    private static void read(Path file, TrafficRecorder recorder) {
        try {
            recorder.read(file);
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Cannot read " + file + ": " + FileFailure.reason(e), e);
        } catch (DeviceException e) {
            throw new CliException(ExitCodes.FAILED, file + ": " + e.getMessage(), e);
        }
    }

    private int report(TrafficRecorder recorder, long drops) {
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("target", target.toString());
            object.put("packets", recorder.packets());
            object.put("gvcpPackets", recorder.controlPackets());
            object.put("roceV2Packets", recorder.rdmaPackets());
            object.put("notKept", recorder.dropped());
            object.put("droppedBySystem", drops);
            object.put("captureTorn", recorder.torn());
            output.print(object);
        } else {
            output.row("GVCP packets", Long.toString(recorder.controlPackets()));
            output.row("RoCEv2 packets", Long.toString(recorder.rdmaPackets()));
            output.row("not kept, too many", Long.toString(recorder.dropped()));
            output.row("dropped by the system", Long.toString(drops));
        }
        if (recorder.torn()) {
            output.say("the capture ends in the middle of a packet");
        }
        if (recorder.rdmaPackets() == 0) {
            output.say("no RoCEv2 packet was seen: an adapter with RDMA does not show them to the system of its host;"
                    + " record at a mirror port of a switch, see docs/gvrsp.md");
        }
        if (recorder.controlPackets() == 0) {
            output.say("no GVCP packet was seen: record at the interface to the camera, from before the other program"
                    + " opens it");
        }
        return recorder.controlPackets() + recorder.rdmaPackets() > 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
