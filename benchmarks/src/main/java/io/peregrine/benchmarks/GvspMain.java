package io.peregrine.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Receives the same GVSP streams with Peregrine and with Aravis, in turn, and prints what each got and what it cost.
 * Run by {@code benchmarks/gvsp}, which makes the two network namespaces: {@code FOLDER CAMERA_NAMESPACE
 * RECEIVER_NAMESPACE ROUNDS SECONDS WARM_UP_SECONDS verify|count SELECTION awake|asleep [OPTION OF THE RECEIVERS'
 * JVM...]}.
 */
public final class GvspMain {
    private static final String ARAVIS = "Aravis";
    /** One run without a peer, for what only time shows. */
    private static final String LONG = "long";
    /** For a long warm-up: what rings cost when the compilers of the JVM are done. */
    private static final String SETTLED = "settled";

    private static final Set<String> SPECIAL = Set.of(LONG, SETTLED, "driver");

    /**
     * All of it resident from the begin: what grows is something else. Young objects have room for half an hour, so
     * that a collection shows more than a few hundred KB a second.
     */
    private static final List<String> RESIDENT_HEAP =
            List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmx1g", "-Xmn768m", "-XX:+AlwaysPreTouch");

    private static final String PACKET_SOCKET = "Aravis, packet socket";
    private static final String SMALL_BUFFER = "Aravis, UDP, default buffer";
    private static final String LARGE_BUFFER = "Aravis, UDP, 4 MiB buffer";
    private static final String PEREGRINE = "Peregrine, no rights";
    private static final String MMSG = "Peregrine, UDP";
    private static final String RING = "Peregrine, packet ring";
    private static final String NEGOTIATED = "Peregrine, negotiated";
    private static final String KEPT = "Peregrine, PacketSize=keep";
    private static final String DRIVER = "Baumer";

    private static final int MOST_TRIES = 4;
    private static final int STEAL_FIELD = 8;

    private final Path folder;
    private final String cameraSpace;
    private final String receiverSpace;
    private final int rounds;
    private final String seconds;
    private final String warmUpSeconds;
    private final boolean verify;
    private final boolean keepsAwake;
    /** The only one to compare, or 0. */
    private final int packetSize;
    /** A run is repeated when the host took more than that share of the processors' time. */
    private final double mostTaken;

    private final List<String> options;
    private final List<ProcessHandle> awake = new ArrayList<>();
    private int repeated;

    private GvspMain(String... arguments) {
        folder = Path.of(arguments[0]);
        cameraSpace = arguments[1];
        receiverSpace = arguments[2];
        rounds = Integer.parseInt(arguments[3]);
        seconds = arguments[4];
        warmUpSeconds = arguments[5];
        verify = arguments[6].equals("verify");
        keepsAwake = arguments[8].equals("awake");
        packetSize = Integer.parseInt(arguments[9]);
        mostTaken = Integer.parseInt(arguments[10]) / 100.0;
        options = List.of(arguments).subList(11, arguments.length);
    }

    /** Where receivers run. */
    private enum Core {
        FREE("free"),
        ONE("one core"),
        SHARED("half a core");

        private final String text;

        Core(String text) {
            this.text = text;
        }
    }

    /** One line of rows: what is sent, and who receives it. */
    private record Offer(String group, int packetSize, int rate, int loss, int cameras, Core core, List<String> ways) {
        boolean pinned() {
            return core != Core.FREE;
        }

        String text() {
            return String.format(Locale.ROOT, "%d | %d | %d | %d | %s", packetSize, rate, loss, cameras, core.text);
        }
    }

    /**
     * Compares.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if a process fails
     */
    public static void main(String[] arguments) throws Exception {
        new GvspMain(arguments).run(arguments[7]);
    }

    private static List<Offer> offers() {
        List<Offer> offers = new ArrayList<>();
        List<String> unprivileged = List.of(PEREGRINE, SMALL_BUFFER, LARGE_BUFFER);
        List<String> sockets = List.of(PEREGRINE, LARGE_BUFFER);
        List<String> all = List.of(PEREGRINE, MMSG, LARGE_BUFFER, RING, PACKET_SOCKET);
        for (int packetSize : new int[] {1500, 9000}) {
            offers.add(new Offer("gigabit", packetSize, 118, 0, 1, Core.FREE, unprivileged));
        }
        offers.add(new Offer("fast", 1500, 500, 0, 1, Core.FREE, all));
        offers.add(new Offer("fast", 9000, 1180, 0, 1, Core.FREE, all));
        List<String> best = List.of(MMSG, LARGE_BUFFER, RING, PACKET_SOCKET);
        for (int rate : new int[] {300, 450, 600}) {
            offers.add(new Offer("pinned", 1500, rate, 0, 1, Core.ONE, best));
        }
        for (int rate : new int[] {800, 1200}) {
            offers.add(new Offer("pinned", 9000, rate, 0, 1, Core.ONE, best));
        }
        List<String> rings = List.of(RING, PACKET_SOCKET);
        for (int rate : new int[] {1350, 1650}) {
            offers.add(new Offer("rings", 9000, rate, 0, 1, Core.ONE, rings));
        }
        offers.add(new Offer(SETTLED, 1500, 500, 0, 1, Core.FREE, rings));
        for (int rate : new int[] {300, 450}) {
            offers.add(new Offer(SETTLED, 1500, rate, 0, 1, Core.ONE, rings));
        }
        for (int packetSize : new int[] {1500, 9000}) {
            offers.add(new Offer("overload", packetSize, packetSize == 1500 ? 1000 : 2400, 0, 1, Core.ONE, all));
        }
        List<String> buffers = List.of(PEREGRINE, MMSG, LARGE_BUFFER);
        for (int rate : new int[] {500, 1000}) {
            offers.add(new Offer("shared", 1500, rate, 0, 1, Core.SHARED, buffers));
        }
        for (int rate : new int[] {1200, 2400}) {
            offers.add(new Offer("shared", 9000, rate, 0, 1, Core.SHARED, buffers));
        }
        for (int loss : new int[] {50, 10, 1}) {
            for (int packetSize : new int[] {1500, 9000}) {
                offers.add(new Offer(loss == 50 ? "loss" : "rare loss", packetSize, 118, loss, 1, Core.FREE, sockets));
            }
        }
        for (int packetSize : new int[] {1500, 9000}) {
            offers.add(new Offer("cameras", packetSize, 118, 0, 4, Core.FREE, sockets));
            offers.add(new Offer("cameras", packetSize, 500, 0, 4, Core.FREE, all));
        }
        // The cameras begin with packets of 1500 bytes; the cable carries 9000.
        offers.add(new Offer("driver", 1500, 246, 0, 1, Core.FREE, List.of(NEGOTIATED, KEPT, DRIVER)));
        offers.add(new Offer(LONG, 1500, 500, 0, 1, Core.FREE, List.of(PEREGRINE)));
        return offers;
    }

    private static boolean selected(Offer offer, String selection) {
        if (selection.equals(offer.group) || (selection.equals("all") && !SPECIAL.contains(offer.group))) {
            return true;
        }
        return selection.equals("quick")
                && (offer.group.equals("gigabit")
                        || offer.group.equals("fast")
                        || (offer.group.equals("pinned") && (offer.rate == 300 || offer.rate == 1200))
                        || offer.group.equals("overload")
                        || (offer.group.equals("loss") && offer.packetSize == 1500));
    }

    private void run(String selection) throws IOException, InterruptedException {
        GvspPictures.write(pictures());
        if (keepsAwake) {
            keepAwake();
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %s s in turn, each after %s s, frames of %d bytes, %d processors, Java %s; frames of"
                        + " all rounds, medians of the"
                        + " rest%s%n%n",
                rounds,
                seconds,
                warmUpSeconds,
                GvspPictures.BYTES,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                verify ? "; every frame compared byte by byte" : "");
        System.out.println("| packet | MB/s offered | loss ‰ | cameras | receiver | way | MB/s sent | good | bad"
                + (verify ? " | wrong | unaccounted packets" : "")
                + " | MB/s | to peer | CPU s/GB | to peer | compilers s/GB | both cores s/GB |");
        System.out.println(
                "|---|---|---|---|---|---|---|---|---|---|---|---|---|---" + (verify ? "|---|---|---|" : "|---|"));
        for (Offer offer : offers()) {
            if (selected(offer, selection) && (packetSize == 0 || packetSize == offer.packetSize)) {
                compare(offer);
            }
        }
        if (mostTaken < 1) {
            System.out.printf(
                    Locale.ROOT,
                    "%nRuns during which the host took more than %.0f %% of the processors' time were repeated: %d%n",
                    100 * mostTaken,
                    repeated);
        }
    }

    /**
     * A virtual processor that sleeps is given away by its host, and comes back late. So each has work that any other
     * work interrupts at once.
     */
    private void keepAwake() throws IOException {
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Process process = Runs.start(List.of(
                    "taskset", "-c", Integer.toString(i), "chrt", "--idle", "0", "sh", "-c", "while :; do :; done"));
            awake.add(process.toHandle());
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        }
    }

    private double awakeSeconds() {
        return awake.stream()
                .mapToDouble(
                        each -> each.info().totalCpuDuration().orElseThrow().toNanos() / 1e9)
                .sum();
    }

    /** What the host of a virtual machine took of the processors' time, since the start (proc(5), steal). */
    private static double takenSeconds() throws IOException {
        return Long.parseLong(ProcessorTime.processorTicks()[STEAL_FIELD]) / ProcessorTime.TICKS_PER_SECOND;
    }

    private Path pictures() {
        return folder.resolve("gvsp-pictures.raw");
    }

    private void compare(Offer offer) throws IOException, InterruptedException {
        Map<String, List<Map<String, Double>>> results = new LinkedHashMap<>();
        // What is verified is what Peregrine receives.
        List<String> ways = offer.ways.stream()
                .filter(way -> !verify || !way.startsWith(ARAVIS))
                .toList();
        moveInterrupts(offer.pinned());
        Process competitor = offer.core == Core.SHARED
                ? Runs.start(List.of("taskset", "-c", "1", "sh", "-c", "while :; do :; done"))
                : null;
        Process cameras = cameras(offer);
        try (BufferedReader said = cameras.inputReader();
                BufferedWriter ask = cameras.outputWriter()) {
            if (!"ready".equals(said.readLine())) {
                throw new IllegalStateException("The cameras did not start");
            }
            for (int round = 0; round < rounds; round++) {
                for (String way : ways) {
                    Map<String, Double> figures;
                    int tries = 0;
                    do {
                        figures = receive(offer, way, said, ask);
                        System.err.println(offer.text() + " | " + way + " " + figures);
                        tries++;
                    } while (figures.get("taken") > mostTaken && tries < MOST_TRIES);
                    repeated += tries - 1;
                    results.computeIfAbsent(way, key -> new ArrayList<>()).add(figures);
                }
            }
        } finally {
            if (competitor != null) {
                competitor.destroyForcibly();
            }
            if (!cameras.waitFor(5, TimeUnit.SECONDS)) {
                cameras.destroyForcibly();
            }
        }
        for (String way : ways) {
            List<Map<String, Double>> peer = results.getOrDefault(peer(offer, way), results.get(way));
            print(offer, way, results.get(way), peer);
            if (offer.group.equals(LONG)) {
                printMemory(results.get(way));
            }
        }
    }

    /**
     * What arrives is worked on by the processor that sends it, unless it is moved (RPS, the kernel's scaling
     * document).
     */
    private void moveInterrupts(boolean pinned) throws IOException, InterruptedException {
        List<String> command = Runs.inside(receiverSpace, "", false);
        command.addAll(List.of("sh", "-c", "echo " + (pinned ? 2 : 0) + " > /sys/class/net/gvb/queues/rx-0/rps_cpus"));
        if (Runs.start(command).waitFor() != 0) {
            throw new IllegalStateException("The work of receiving cannot be moved to another processor");
        }
    }

    private static String peer(Offer offer, String way) {
        return offer.ways.contains(DRIVER) ? DRIVER : peer(way);
    }

    private static String peer(String way) {
        return way.equals(RING) || way.equals(PACKET_SOCKET) ? PACKET_SOCKET : LARGE_BUFFER;
    }

    private void print(Offer offer, String way, List<Map<String, Double>> own, List<Map<String, Double>> peer) {
        double rate = Runs.median(own, "rate");
        double cost = Runs.median(own, "processPerGigabyte");
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f | %.0f%s | %.0f | %.2f | %.3f | %.2f | %s | %.2f |%n",
                offer.text(),
                way,
                Runs.median(own, "sentRate"),
                sum(own, "good"),
                sum(own, "bad") + sum(own, "missing"),
                verify
                        ? String.format(Locale.ROOT, " | %.0f | %.0f", sum(own, "corrupt"), sum(own, "unaccounted"))
                        : "",
                rate,
                rate / Runs.median(peer, "rate"),
                cost,
                cost / Runs.median(peer, "processPerGigabyte"),
                !way.startsWith("Peregrine")
                        ? ""
                        : String.format(Locale.ROOT, "%.3f", Runs.median(own, "compilersPerGigabyte")),
                Runs.median(own, "machinePerGigabyte"));
    }

    private static void printMemory(List<Map<String, Double>> runs) {
        for (Map<String, Double> run : runs) {
            System.out.printf(
                    Locale.ROOT,
                    "%nIn %.0f s: resident memory %.1f MB, after half of the time %.1f MB, at the end %.1f MB, at"
                            + " most %.1f MB;"
                            + " %.0f collections of garbage, the longest %.0f ms%n",
                    run.get("seconds"),
                    run.get("resident") / 1024,
                    run.get("residentHalfway") / 1024,
                    run.get("residentAtEnd") / 1024,
                    run.get("residentMost") / 1024,
                    run.get("collections"),
                    run.get("longestCollection"));
        }
    }

    private Process cameras(Offer offer) throws IOException {
        List<String> command = Runs.inside(cameraSpace, offer.pinned() ? "0" : "", false);
        List<String> java = Runs.java(GvspCamerasMain.class, List.of());
        // With it they would not hear the broadcasts by which drivers look for them.
        java.remove(Runs.IPV4);
        command.addAll(java);
        command.addAll(List.of(
                Integer.toString(offer.cameras),
                Integer.toString(offer.rate),
                Integer.toString(offer.packetSize),
                Integer.toString(offer.loss)));
        return Runs.start(command);
    }

    private Map<String, Double> receive(Offer offer, String way, BufferedReader cameras, BufferedWriter ask)
            throws IOException, InterruptedException {
        Map<String, Double> before = ask(cameras, ask);
        Process receiver = Runs.start(command(offer, way));
        Map<String, Double> atBegin = before;
        Map<String, Double> atEnd = before;
        double restless = 0;
        double taken = 0;
        String line = "";
        try (BufferedReader said = receiver.inputReader()) {
            for (String next = said.readLine(); next != null; next = said.readLine()) {
                line = next;
                if (next.equals("begin")) {
                    restless = -awakeSeconds();
                    taken = -takenSeconds();
                    atBegin = ask(cameras, ask);
                } else if (next.equals("end")) {
                    restless += awakeSeconds();
                    taken += takenSeconds();
                    atEnd = ask(cameras, ask);
                }
            }
        }
        if (receiver.waitFor() != 0 || !line.startsWith("good=")) {
            throw new IllegalStateException(way + " failed: " + line);
        }
        Map<String, Double> figures = Runs.figures(line);
        Map<String, Double> after = ask(cameras, ask);
        double frameMegabytes = GvspPictures.BYTES / 1e6;
        double time = figures.get("seconds");
        double gigabytes = Math.max(figures.get("good") * frameMegabytes / 1e3, 1e-9);
        figures.put("rate", figures.get("good") * frameMegabytes / time);
        figures.put("sentRate", (atEnd.get("blocks") - atBegin.get("blocks")) * frameMegabytes / time);
        figures.put("processPerGigabyte", figures.get("process") / gigabytes);
        figures.put("compilersPerGigabyte", figures.getOrDefault("compilers", 0.0) / gigabytes);
        figures.put("machinePerGigabyte", (figures.get("machine") - restless) / gigabytes);
        figures.put("taken", taken / (time * Runtime.getRuntime().availableProcessors()));
        // What neither arrived nor was dropped by the kernel for lack of room in the socket.
        figures.put("sent", after.get("packets") - before.get("packets"));
        figures.put("lost", after.get("lost") - before.get("lost"));
        if (figures.containsKey("lostPackets")) {
            figures.put(
                    "unaccounted",
                    figures.get("sent") + figures.get("lost") - figures.get("packets") - figures.get("lostPackets"));
        }
        return figures;
    }

    private static Map<String, Double> ask(BufferedReader said, BufferedWriter ask) throws IOException {
        ask.newLine();
        ask.flush();
        return Runs.figures(said.readLine());
    }

    private List<String> command(Offer offer, String way) {
        if (way.equals(DRIVER)) {
            List<String> driver = Runs.inside(receiverSpace, "", false);
            driver.addAll(List.of(
                    "benchmarks/driver",
                    folder.resolve("gentl-client").toString(),
                    System.getenv("PRODUCER"),
                    Integer.toString(GvspPictures.BYTES),
                    warmUpSeconds,
                    seconds));
            return driver;
        }
        boolean peregrine = !way.startsWith(ARAVIS);
        boolean privileged = !List.of(PEREGRINE, NEGOTIATED, KEPT).contains(way);
        List<String> command = Runs.inside(receiverSpace, offer.pinned() ? "1" : "", !privileged);
        if (peregrine) {
            List<String> ofJava = new ArrayList<>(offer.group.equals(LONG) ? RESIDENT_HEAP : List.of());
            ofJava.addAll(options);
            command.addAll(Runs.java(GvspReceiverMain.class, ofJava));
        } else {
            command.add(folder.resolve("aravis").toString());
        }
        command.addAll(List.of(
                Integer.toString(offer.cameras),
                warmUpSeconds,
                seconds,
                verify ? pictures().toString() : "-"));
        String packetSize = Integer.toString(offer.packetSize);
        command.addAll(
                switch (way) {
                    case PEREGRINE -> List.of("PacketSize=" + packetSize, "Payload=Image");
                    case NEGOTIATED -> List.of("Payload=Image");
                    case KEPT -> List.of("PacketSize=keep", "Payload=Image");
                    case MMSG -> tuned(packetSize, "mmsg");
                    case RING -> tuned(packetSize, "ring");
                    case SMALL_BUFFER -> List.of(packetSize, "socket", "0");
                    case LARGE_BUFFER -> List.of(packetSize, "socket", Integer.toString(4 << 20));
                    default -> List.of(packetSize, "packet", "0");
                });
        return command;
    }

    private static List<String> tuned(String packetSize, String receiver) {
        return List.of("PacketSize=" + packetSize, "Payload=Image", "PacketReceiver=" + receiver, "FlowSetCount=20");
    }

    private static double sum(List<Map<String, Double>> rounds, String figure) {
        return rounds.stream().mapToDouble(each -> each.get(figure)).sum();
    }
}
