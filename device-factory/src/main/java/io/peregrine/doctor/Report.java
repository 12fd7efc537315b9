package io.peregrine.doctor;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumEntryNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What a bug report needs, as the entries of a zip file. What is unavailable is listed in {@code errors.txt} instead.
 * The home folder of the user is written as {@code ~}. For one thread.
 */
public final class Report {
    /** First address and bytes of the areas that hold bootstrap registers (GigE Vision 2.2), without keys. */
    private static final int[][] AREAS = {
        {0x0000, 0x00F8},
        {0x0200, 0x0200},
        {0x0400, 0x0200},
        {0x0600, 4},
        {0x064C, 4},
        {0x065C, 4},
        {0x066C, 8},
        {0x0900, 16},
        {0x092C, 12},
        {0x0938, 12},
        {0x0948, 8},
        {0x0954, 8},
        {0x0960, 16},
        {0x0A00, 8},
        {0x0A14, 4},
        {0x0B00, 4},
        {0x0B10, 16},
        {0x0D00, 12},
        {0x0D18, 40},
        {0x9000, 0x0200},
    };

    private final Function<RuntimeException, String> words;
    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final StringBuilder errors = new StringBuilder();

    /**
     * An empty report.
     *
     * @param words what users read of an exception
     */
    public Report(Function<RuntimeException, String> words) {
        this.words = words;
    }

    /** Adds a text; one that cannot be made is listed as an error. */
    public void add(String entry, Supplier<String> content) {
        attempt(entry, () -> entries.put(entry, homeless(content.get()).getBytes(StandardCharsets.UTF_8)));
    }

    /** Does something; an exception is listed as an error. */
    public void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            errors.append(what).append(": ").append(homeless(words.apply(e))).append('\n');
        }
    }

    private static String homeless(String text) {
        String home = System.getProperty("user.home", "");
        return home.length() < 2 ? text : text.replace(home, "~");
    }

    /**
     * Adds the versions of program, Java and system.
     *
     * @param program name and version
     */
    public void addVersions(String program) {
        add(
                "versions.txt",
                () -> String.join(
                        "\n",
                        program,
                        "Java " + System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vm.name")
                                + ", " + System.getProperty("java.vendor"),
                        System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                                + System.getProperty("os.arch"),
                        Runtime.getRuntime().availableProcessors() + " processors, "
                                + (Runtime.getRuntime().maxMemory() >> 20) + " MiB heap at most",
                        ""));
    }

    /** Adds the bootstrap registers of a camera and its GenICam XML. */
    public void add(DeviceRegisters registers) {
        add("registers.txt", () -> dump(registers));
        attempt("description.xml", () -> entries.put("description.xml", registers.description()));
    }

    /** Adds the features of all node maps of a camera, and the problems of its description. */
    public void add(Device device) {
        for (String map : device.nodeMapNames()) {
            add(map + ".txt", () -> values(device.nodeMap(map)));
        }
        add("problems.txt", () -> {
            StringBuilder text = new StringBuilder();
            device.nodes().problems().forEach(problem -> text.append(problem).append('\n'));
            return text.toString();
        });
    }

    private String dump(DeviceRegisters registers) {
        StringBuilder text = new StringBuilder();
        for (int[] area : AREAS) {
            try {
                byte[] bytes = registers.read(area[0], area[1]);
                for (int offset = 0; offset < bytes.length; offset += 16) {
                    int end = Math.min(offset + 16, bytes.length);
                    text.append(String.format(Locale.ROOT, "%04X  ", area[0] + offset))
                            .append(HexFormat.ofDelimiter(" ").formatHex(bytes, offset, end))
                            .append('\n');
                }
            } catch (DeviceTimeoutException e) {
                // A camera that is gone would keep everybody waiting once for each area.
                if (text.length() == 0) {
                    throw e;
                }
                leftOut(area[0], e);
                break;
            } catch (RuntimeException e) {
                leftOut(area[0], e);
            }
        }
        return text.toString();
    }

    private void leftOut(int address, RuntimeException cause) {
        errors.append(String.format(Locale.ROOT, "registers from 0x%04X: %s%n", address, cause.getMessage()));
    }

    private static String values(NodeMap nodes) {
        List<Node> read = new ArrayList<>();
        for (Node node : nodes.features()) {
            if (!(node instanceof CategoryNode
                    || node instanceof EnumEntryNode
                    || node.kind().equals("Port"))) {
                read.add(node);
            }
        }
        nodes.prefetch(read);
        StringBuilder text = new StringBuilder();
        for (Node node : read) {
            text.append(node.name()).append('\t').append(value(node)).append('\n');
        }
        return text.toString();
    }

    private static String value(Node node) {
        try {
            String value = "-";
            if (node.readable() && !(node instanceof CommandNode)) {
                value = node.valueAsText() + node.unit().map(unit -> " " + unit).orElse("");
            }
            return value + "  [" + node.accessMode().name() + "]";
        } catch (GenApiException | DeviceException e) {
            return "error: " + e.getMessage();
        }
    }

    /** Names of what is in it. */
    public List<String> entries() {
        List<String> names = new ArrayList<>(entries.keySet());
        names.add("errors.txt");
        return names;
    }

    /** What is unavailable, a line each. */
    public String errors() {
        return errors.toString();
    }

    /** Writes the zip file. */
    public void writeTo(OutputStream target) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(target)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                write(zip, entry.getKey(), entry.getValue());
            }
            write(zip, "errors.txt", errors.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void write(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }
}
