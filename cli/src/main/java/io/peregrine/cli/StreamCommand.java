package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenOptions;
import io.peregrine.device.StreamingMode;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Receives frames, and counts, checks and saves them. */
@Command(
        name = "stream",
        description = "Receives frames of a camera, and counts, checks and saves them. Exit code 1 when a frame is"
                + " incomplete or lost, has bad bytes, or does not come in time.",
        mixinStandardHelpOptions = true)
final class StreamCommand implements Callable<Integer> {
    /** Frames wait longer when images are made of them. */
    private static final int FLOW_SETS_WHEN_SAVING = 32;

    @Spec
    private CommandSpec spec;

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Reception reception;

    @Mixin
    private Output output;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many frames to receive, incomplete ones included; 100 by default, 0 until ended")
    private long frames;

    @Option(
            names = "--multicast",
            paramLabel = "GROUP[:PORT]",
            description = "Let the camera send to a group, such as 239.192.0.1:5000, that others can join")
    private Optional<String> group = Optional.empty();

    @Option(names = "--monitor", description = "Join the stream of another application without controlling the camera")
    private boolean monitor;

    @Option(
            names = "--packet-size",
            paramLabel = "BYTES",
            converter = Converters.PacketSize.class,
            description =
                    "Bytes of a packet, IP header included; keep leaves what the camera was set to, negotiate (the"
                            + " default) takes the largest that arrives")
    private Optional<OpenOptions> packetSize = Optional.empty();

    @Option(names = "--verify", description = "Check each byte, where the test pattern of the camera is known")
    private boolean verify;

    @Option(names = "--save", paramLabel = "DIR", description = "Save the items of each frame as PNG files")
    private Optional<Path> directory = Optional.empty();

    private long complete;
    private long incomplete;
    private long badBytes;
    private long lostBefore;
    private long payloadBytes;

    @Override
    public Integer call() {
        if (frames < 0) {
            throw new ParameterException(spec.commandLine(), "--frames cannot be negative");
        }
        DiscoveryInformation info = camera.find();
        reception.prepare(info);
        group.ifPresent(destination -> info.setParameter("StreamDestination", destination));
        if (monitor) {
            info.setParameter("AccessMode", "ReadOnly");
        }
        packetSize.ifPresent(info::setParameters);
        Optional<Verification> verification = verify ? Optional.of(Verification.of(info)) : Optional.empty();
        if (directory.isPresent()) {
            create(directory.get());
            PictureWriter.prepare();
            if (info.parameters().get("FlowSetCount") == null) {
                info.setParameter("FlowSetCount", Integer.toString(FLOW_SETS_WHEN_SAVING));
            }
        }

        try (PictureWriter pictures = new PictureWriter(directory.orElse(Path.of("")));
                UntilEnded untilEnded = new UntilEnded();
                Device device = camera.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            output.say("streaming by " + device.streamingMode());
            Duration cpuBefore = cpuTime();
            long begin = System.nanoTime();
            Optional<CliException> failure = reception.receive(
                    device,
                    stream,
                    () -> (frames == 0 || complete + incomplete < frames)
                            && pictures.failure().isEmpty()
                            && !untilEnded.ended(),
                    output,
                    composite -> {
                        if (joined(composite, stream)) {
                            take(composite, verification, pictures);
                        }
                    });
            double seconds = (System.nanoTime() - begin) / 1e9;
            double cpuSeconds = cpuTime().minus(cpuBefore).toNanos() / 1e9;
            StreamStatistics counted = stream.statistics();
            List<String> diagnosis = stream.diagnosis();
            stream.stop();
            long saved = pictures.finish();
            return report(
                    device.streamingMode(),
                    counted,
                    diagnosis,
                    seconds,
                    cpuSeconds,
                    saved,
                    failure.or(pictures::failure));
        }
    }

    /** A monitor that joins a stream meets a frame that is on its way. */
    private boolean joined(Composite composite, CompositeStream stream) {
        if (!monitor || complete > 0) {
            return true;
        }
        lostBefore = stream.statistics().framesLost();
        return composite.complete();
    }

    private void take(Composite composite, Optional<Verification> verification, PictureWriter pictures) {
        if (composite.complete()) {
            complete++;
        } else {
            incomplete++;
        }
        for (Item item : composite.items()) {
            if (!item.complete()) {
                continue;
            }
            payloadBytes += item.sizeBytes();
            verification.ifPresent(picture -> badBytes += picture.countBadBytes(composite, item));
        }
        if (directory.isPresent()) {
            save(composite, pictures);
        }
    }

    private static void save(Composite composite, PictureWriter pictures) {
        int index = 0;
        for (Item item : composite.items()) {
            Optional<BufferedImage> picture = PictureWriter.picture(item);
            if (picture.isPresent()) {
                String name = String.format(
                        Locale.ROOT,
                        "frame-%06d-%d-%s.png",
                        composite.id(),
                        index,
                        item.componentType().name().toLowerCase(Locale.ROOT));
                pictures.write(picture.get(), name);
            }
            index++;
        }
    }

    private int report(
            StreamingMode mode,
            StreamStatistics counted,
            List<String> diagnosis,
            double seconds,
            double cpuSeconds,
            long saved,
            Optional<CliException> failure) {
        Map<Counter, Long> counters = counted.asMap();
        long lost = counted.framesLost() - lostBefore;
        double megabytesPerSecond = seconds > 0 ? payloadBytes / 1e6 / seconds : 0;
        double cpuSecondsPerGigabyte = payloadBytes > 0 ? cpuSeconds / (payloadBytes / 1e9) : 0;
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("streamingMode", mode.protocol().name());
            mode.rdma().ifPresent(rdma -> object.put("rdmaProvider", rdma.provider()));
            mode.reason().ifPresent(reason -> object.put("streamingModeReason", reason));
            object.put("framesComplete", complete);
            object.put("framesIncomplete", incomplete);
            object.put("framesLost", lost);
            if (verify) {
                object.put("badBytes", badBytes);
            } else {
                object.putNull("badBytes");
            }
            object.put("payloadBytes", payloadBytes);
            object.put("seconds", seconds);
            object.put("megabytesPerSecond", megabytesPerSecond);
            object.put("cpuSecondsPerGigabyte", cpuSecondsPerGigabyte);
            directory.ifPresent(target -> object.put("filesSaved", saved));
            failure.ifPresent(reason -> object.put("error", reason.getMessage()));
            diagnosis.forEach(object.putArray("diagnosis")::add);
            ObjectNode numbers = object.putObject("counters");
            counters.forEach((counter, value) -> numbers.put(counter.name(), value));
            output.print(object);
        } else {
            output.row("frames complete", Long.toString(complete));
            output.row("frames incomplete", Long.toString(incomplete));
            output.row("frames lost", Long.toString(lost));
            output.row("bad bytes", verify ? Long.toString(badBytes) : "not checked");
            output.row("MB/s", String.format(Locale.ROOT, "%.2f", megabytesPerSecond));
            output.row("CPU s/GB", String.format(Locale.ROOT, "%.3f", cpuSecondsPerGigabyte));
            directory.ifPresent(target -> output.row("files saved", Long.toString(saved)));
            counters.forEach((counter, value) -> output.row(counter.name(), Long.toString(value)));
            diagnosis.forEach(output::print);
        }
        failure.ifPresent(reason -> output.say(reason.getMessage()));
        boolean good = incomplete == 0 && lost == 0 && badBytes == 0;
        return failure.map(CliException::exitCode).orElse(good ? ExitCodes.OK : ExitCodes.FAILED);
    }

    private static void create(Path target) {
        try {
            Files.createDirectories(target);
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "Cannot make the directory " + target + ": " + FileFailure.reason(e), e);
        }
    }

    private static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
