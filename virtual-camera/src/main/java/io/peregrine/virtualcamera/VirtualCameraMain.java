package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaProviders;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a virtual camera until the process is ended. The launcher needs the name only, no public class. */
final class VirtualCameraMain {
    private static final String USAGE = """
            Usage: VirtualCameraMain [--bind ADDRESS] [--port PORT] [--interface NAME]
                                     [--scenario FILE] [--serial SERIAL] [--user-name NAME] [--size WIDTHxHEIGHT]
                                     [--rate FPS] [--format NAME]
                                     [--gendc off|on|automatic] [--flows single|per-component]
                                     [--content NAME] [--payload NAME]
                                     [--send socket|verbs]
                                     [--rdma[=auto|verbs|software]] [--rdma-port PORT]
            """;

    private static final String RDMA = "--rdma";

    private VirtualCameraMain() {}

    /**
     * Starts the camera.
     *
     * @param arguments see the usage text
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        int status = run(arguments, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    private static int run(String[] arguments, PrintStream out, PrintStream err) {
        Scenario scenario;
        try {
            scenario = scenario(arguments);
        } catch (VirtualCameraException e) {
            err.println(e.getMessage());
            err.print(USAGE);
            return 2;
        }
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            end.countDown();
            awaitQuietly(ended);
        }));
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            out.println("Virtual camera " + scenario.serial() + " at "
                    + camera.address().getAddress().getHostAddress() + ":"
                    + camera.address().getPort());
            if (scenario.sending().way() == Scenario.Sending.Way.VERBS) {
                out.println("Stream packets " + camera.sendState());
            }
            if (!scenario.rdmaProvider().equalsIgnoreCase(Scenario.NO_RDMA)) {
                out.println("RDMA " + camera.rdmaState());
            }
            awaitQuietly(end);
            out.println(camera.statistics());
            return 0;
        } catch (VirtualCameraException e) {
            err.println(e.getMessage());
            return 1;
        } finally {
            ended.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Scenario scenario(String[] arguments) {
        ScenarioBuilder builder = Scenario.builder();
        for (int i = 0; i + 1 < arguments.length; i++) {
            if (arguments[i].equals("--scenario")) {
                builder = Scenario.read(Path.of(arguments[i + 1])).toBuilder();
            }
        }
        for (int i = 0; i < arguments.length; i += 2) {
            String option = arguments[i];
            if (option.equals(RDMA) || option.startsWith(RDMA + "=")) {
                builder.rdmaProvider(option.equals(RDMA) ? RdmaProviders.AUTO : option.substring(RDMA.length() + 1));
                i--; // It has no value of its own.
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new VirtualCameraException("No value for " + option);
            }
            String value = arguments[i + 1];
            try {
                switch (option) {
                    case "--scenario" -> {}
                    case "--bind" -> builder.bindAddress(value);
                    case "--port" -> builder.port(Integer.parseInt(value));
                    case "--rdma-port" -> builder.rdmaPort(Integer.parseInt(value));
                    case "--interface" -> builder.networkInterface(value);
                    case "--serial" -> builder.serial(value);
                    case "--user-name" -> builder.userName(value);
                    case "--rate" -> builder.frameRate(Double.parseDouble(value));
                    case "--format" -> builder.pixelFormat(value);
                    case "--gendc" -> builder.genDcMode(ScenarioJson.choice(option, value, Scenario.GenDcMode.class));
                    case "--content" -> builder.content(ScenarioJson.choice(option, value, Content.class));
                    case "--payload" -> builder.payload(ScenarioJson.choice(option, value, StreamPayload.class));
                    case "--flows" -> builder.flows(ScenarioJson.choice(option, value, Scenario.Flows.class));
                    case "--send" -> builder.sendBy(ScenarioJson.choice(option, value, Scenario.Sending.Way.class));
                    case "--size" -> {
                        int x = value.indexOf('x');
                        builder.size(
                                Integer.parseInt(value.substring(0, Math.max(0, x))),
                                Integer.parseInt(value.substring(x + 1)));
                    }
                    default -> throw new VirtualCameraException("Unknown option " + option);
                }
            } catch (NumberFormatException e) {
                throw new VirtualCameraException(option + " cannot be " + value, e);
            }
        }
        return builder.build();
    }
}
