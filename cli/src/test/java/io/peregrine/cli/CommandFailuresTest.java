package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every command ends when something is wrong: with which exit code, and with which message. */
@Timeout(60)
class CommandFailuresTest {
    /** CAM is a camera, GONE an address without one, DIR a directory, FULL a file on a full disk. */
    private static final String WRONG = """
            # no camera
            list --address GONE --timeout 50ms     | 3 | [] no camera answered
            info GONE                              | 3 | No GigE Vision device answered at GONE:3956: check the address
            get GONE Width                         | 3 | No GigE Vision device answered at GONE:3956: check the address
            set GONE Width=32                      | 3 | No GigE Vision device answered at GONE:3956: check the address
            settings save GONE DIR/s.txt           | 3 | No GigE Vision device answered at GONE:3956: check the address
            settings load GONE DIR/good.txt        | 3 | No GigE Vision device answered at GONE:3956: check the address
            files list GONE                        | 3 | No GigE Vision device answered at GONE:3956: check the address
            files get GONE UserFile1 DIR/f         | 3 | No GigE Vision device answered at GONE:3956: check the address
            files put GONE DIR/good.txt UserFile1  | 3 | No GigE Vision device answered at GONE:3956: check the address
            files delete GONE UserFile1            | 3 | No GigE Vision device answered at GONE:3956: check the address
            files firmware GONE DIR/good.txt       | 3 | No GigE Vision device answered at GONE:3956: check the address
            ip GONE --timeout 50ms                 | 3 | No GigE Vision device answered at GONE:3956: check the address
            xml GONE                               | 3 | No GigE Vision device answered at GONE:3956: check the address
            stream GONE                            | 3 | No GigE Vision device answered at GONE:3956: check the address
            events GONE                            | 3 | No GigE Vision device answered at GONE:3956: check the address
            action GONE                            | 3 | No GigE Vision device answered at GONE:3956: check the address
            ptp GONE                               | 3 | No GigE Vision device answered at GONE:3956: check the address
            record GONE DIR/r.pgr                  | 3 | No GigE Vision device answered at GONE:3956: check the address
            archive export line DIR/x.gendc        | 1 | No archive is known: set distribution.archive
            subscribe line                         | 1 | No routes are known on which to look: set distribution.routes
            get nobody Width --address CAM | 3 | No device with the serial number, user-defined name or MAC address \
            'nobody' answered
            replay DIR/missing                     | 3 | There is no recording at DIR/missing
            # wrong names
            nonsense                               | 2 | [] Unmatched argument at index 0: 'nonsense'
            list --interface eth99                 | 1 | no network interface "eth99" with an IPv4 address; there are
            list --adress CAM                      | 2 | Unknown option
            info CAM Width                         | 2 | Unmatched argument at index 2: 'Width'
            get CAM Widht                          | 1 | There is no feature Widht. Did you mean Width?
            get CAM width | 1 | There is no feature width. Did you mean Width? Upper and lower case matter.
            get CAM Width --node-map Devise | 1 | There is no node map Devise: there are [Device, TLDatastream, \
            TLDevice]
            set CAM Widht=32                       | 1 | There is no feature Widht. Did you mean Width?
            set CAM Width                          | 2 | 'Width' sets nothing: write FEATURE=VALUE
            settings                               | 2 | [] Name one of save, load
            settings load CAM DIR/misspelt.txt | 1 | [] cannot be set to 32: There is no feature Widht. Did you mean \
            Width?
            files get CAM UserFile9 DIR/f          | 1 | The device has no file UserFile9, but [UserFile1, Firmware]
            files put CAM DIR/good.txt UserFile9   | 1 | The device has no file UserFile9, but [UserFile1, Firmware]
            files delete CAM UserFile9             | 1 | The device has no file UserFile9, but [UserFile1, Firmware]
            ip CAM --methods DHPC                  | 2 | Invalid value for option '--methods'
            stream CAM --set Widht=32              | 1 | There is no feature Widht. Did you mean Width?
            stream CAM --param PacketSiez=1500     | 2 | There is no parameter PacketSiez. Did you mean PacketSize?
            events CAM Tset                        | 1 | The device has no event Tset. Did you mean Test?
            events CAM Test --execute TestEventGenerat | 1 | There is no feature TestEventGenerat. Did you mean \
            TestEventGenerate?
            action --broadcast eth99               | 1 | eth99
            record CAM DIR/r.pgr --set Widht=32    | 1 | There is no feature Widht. Did you mean Width?
            gendc DIR/good.txt --to jpeg           | 2 | Invalid value for option '--to'
            camera --bind nowhere                  | 2 | bindAddress
            camera --bind 127.44.0.1 --port 0 --rdma hardware | 2 | --rdma is 'hardware': give auto, verbs or software
            completion fish                        | 2 | Unmatched argument
            # wrong values
            list --timeout 3x | 2 | Invalid value for option '--timeout': '3x' is no time: give for example 300ms, 2s \
            or 10min
            list --address 1.2.3.4.5               | 1 | '1.2.3.4.5' is not an IPv4 address, with or without a port
            get 127.44.0.1:99999 Width             | 1 | Port 99999 is not possible: give 1 to 65535
            set CAM Width=abc                      | 1 | 'abc' is no whole number, as node Width needs it
            set CAM Width=100000                   | 1 | Node Width does not take 100000: it takes 16 to 1280 px
            set CAM PixelFormat=mono8 | 1 | Node PixelFormat has no entry 'mono8'. Did you mean Mono8? Upper and \
            lower case matter.
            set CAM DeviceModelName=x              | 1 | Node DeviceModelName cannot be written: it is RO (read only)
            set file:DIR/run.pgr Width=32          | 1 | Node Width cannot be written: this is a recording
            settings load CAM DIR/beyond.txt | 1 | [] cannot be set to 1000: Node Gain does not take 1000.0: it takes \
            0.0 to 48.0 dB
            settings load CAM DIR/broken.json      | 1 | The settings are no JSON: look at line 2, column 1
            settings load CAM DIR/broken.txt       | 1 | Line 1 of the settings cannot be understood: a tab is expected
            settings load CAM DIR/binary           | 1 | DIR/binary is no text in UTF-8: these are no settings
            files firmware CAM DIR/good.txt        | 1 | The device could not Close Firmware
            ip CAM --force 1.2.3 | 2 | '1.2.3' does not say how large the subnet is: write it as 192.168.1.20/24
            xml --file DIR/binary --check          | 1 | [] The device description holds no XML
            xml --file DIR/good.txt --port seven   | 2 | [] zero or random:SEED
            stream CAM --frames abc | 2 | Invalid value for option '--frames': 'abc' is not a whole number, or too large
            stream CAM --frames -1                 | 2 | --frames cannot be negative
            stream CAM --packet-size 1.5 | 2 | PacketSize is '1.5': give negotiate, keep, or 576 to 16260 in steps of 4
            stream CAM --param PacketSize=100 | 2 | PacketSize is '100': give negotiate, keep, or 576 to 16260 in \
            steps of 4
            stream CAM --reconnect-timeout soon | 2 | Invalid value for option '--reconnect-timeout': 'soon' is no time
            events CAM --count -1                  | 2 | --count cannot be negative
            events CAM Test --count 1 --event-timeout 0.05 | 1 | no event came for 0.05 s
            action CAM --device-key me             | 2 | 'me' is not a number
            ptp CAM --wait -1                      | 2 | '-1' is no time: give seconds, 0 or more
            record CAM DIR/r.pgr --frames -1       | 2 | --frames cannot be negative
            record CAM DIR/run.pgr --count 1 | 1 | Cannot begin the recording DIR/run.pgr (it already exists): choose \
            a name that is not in use
            replay DIR/run.pgr --rate quick        | 2 | 'quick' is no rate: give original, max, or frames a second
            replay DIR/good.txt                    | 1 | DIR/good.txt is no recording
            gendc DIR/good.txt                     | 1 | [] CONTAINER_REJECTED
            gendc DIR/good.txt --depth-unit 0      | 2 | --depth-unit must be more than 0
            doctor --seconds soon                  | 2 | 'soon' is no number of seconds
            camera --port 99999                    | 2 | port must be between 0 and 65535, not 99999
            camera --bind 192.0.2.1 | 1 | Cannot assign requested address: choose an address of this host by --bind, \
            such as 127.0.0.2, or --port 0
            camera --scenario DIR/broken.json      | 1 | DIR/broken.json is not valid JSON: look at line 2, column 1
            camera --scenario DIR/wrong.json       | 1 | DIR/wrong.json: width must be a whole number, not "wide"
            # missing files and directories
            settings load CAM DIR/missing | 1 | The settings cannot be read from DIR/missing: there is no such file
            settings save CAM DIR/missing/s.txt | 1 | The settings cannot be written to DIR/missing/s.txt: there is \
            no directory DIR/missing
            files put CAM DIR/missing UserFile1 | 1 | DIR/missing cannot be copied to UserFile1: there is no such file
            files get CAM UserFile1 DIR/missing/f | 1 | UserFile1 cannot be copied to DIR/missing/f: there is no \
            directory DIR/missing
            files firmware CAM DIR/missing         | 1 | [] DIR/missing cannot be read: there is no such file
            xml --file DIR/missing                 | 1 | Cannot read DIR/missing: there is no such file
            stream CAM --save DIR/good.txt/x       | 1 | Cannot make the directory DIR/good.txt/x: Not a directory
            record CAM DIR/missing/r.pgr | 1 | Cannot begin the recording DIR/missing/r.pgr (there is no directory \
            DIR/missing)
            gendc DIR/missing                      | 1 | Cannot read DIR/missing: there is no such file
            settings load CAM DIR/empty.txt        | 1 | DIR/empty.txt holds no value of a feature
            report --output DIR/good.txt | 1 | DIR/good.txt is there already: give another file by --output, or \
            --force to replace it
            report --output DIR/missing/r.zip | 1 | The report cannot be written to DIR/missing/r.zip: there is no \
            directory DIR/missing
            doctor --network --seconds 0 --fix-script DIR/missing/x | 1 | The script cannot be written to \
            DIR/missing/x: there is no directory DIR/missing
            camera --scenario DIR/missing          | 1 | There is no scenario DIR/missing: check the name
            # a full disk
            settings save CAM FULL                 | 1 | The settings cannot be written to FULL: No space left on device
            files get CAM UserFile1 FULL           | 1 | UserFile1 cannot be copied to FULL: No space left on device
            stream CAM --frames 0 --save DIR/pictures | 1 | Cannot write frame-000001-0-intensity.png in \
            DIR/pictures: No space left on device
            gendc DIR/frame.gendc --extract DIR/parts | 1 | Cannot write DIR/parts/00-0-intensity-Mono8.raw: No space \
            left on device
            report --output FULL                   | 1 | The report cannot be written to FULL: No space left on device
            doctor --network --seconds 0 --fix-script FULL | 1 | The script cannot be written to FULL: No space left \
            on device
            """;

    /** Each prints something. */
    private static final String PRINTING = """
            list --address CAM
            info CAM
            get CAM Width
            set CAM Gain=1
            settings save CAM DIR/s.txt
            settings load CAM DIR/good.txt
            files list CAM
            files get CAM UserFile1 DIR/f
            files put CAM DIR/good.txt UserFile1
            files firmware CAM DIR/good.txt --dry-run
            ip CAM
            xml CAM
            xml CAM --check
            stream CAM --frames 1
            events CAM Test --execute TestEventGenerate
            action CAM --window 0 --json
            ptp CAM
            record CAM DIR/NEW --count 1
            replay DIR/run.pgr --rate max --list
            gendc DIR/frame.gendc
            doctor --network --seconds 0
            report --output DIR/r.zip --force
            camera --bind 127.44.0.2 --port 0
            completion
            --help
            --version
            """;

    @TempDir
    private static Path directory;

    private static VirtualCamera camera;
    private static String address;
    private static int files;

    @BeforeAll
    static void prepare() throws IOException {
        Path full = Path.of("/dev/full");
        Needs.that(Files.exists(full), "/dev/full");
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.44.0.1")
                .size(64, 48)
                .frameRate(100)
                .build());
        address = camera.address().getAddress().getHostAddress() + ":"
                + camera.address().getPort();
        write("empty.txt", "\n");
        write("good.txt", "Gain\t2\n");
        write("misspelt.txt", "Gain\t2\nWidht\t32\n");
        write("beyond.txt", "Gain\t1000\n");
        write("broken.txt", "rubbish");
        write("broken.json", "{\"settings\":[\n");
        write("wrong.json", "{\"width\": \"wide\"}");
        Files.write(directory.resolve("binary"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1});
        // By a link, so that whatever is put in the place of the file is not in the place of the device.
        Files.createSymbolicLink(directory.resolve("full"), full);
        Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("pictures")).resolve("frame-000001-0-intensity.png"), full);
        Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("parts")).resolve("00-0-intensity-Mono8.raw"), full);
        run("files put CAM DIR/good.txt UserFile1");
        run("record CAM DIR/run.pgr --count 3");
        run("record CAM DIR/frames --count 1 --directory");
        Files.copy(directory.resolve("frames/frame-0000000000.gendc"), directory.resolve("frame.gendc"));
    }

    private static void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private static void run(String command) {
        Cli result = Cli.run(arguments(command));
        assertEquals(0, result.exitCode(), result.err());
    }

    @AfterAll
    static void stop() throws IOException {
        for (String link : List.of("full", "pictures/frame-000001-0-intensity.png", "parts/00-0-intensity-Mono8.raw")) {
            Files.deleteIfExists(directory.resolve(link));
        }
        if (camera != null) {
            camera.close();
        }
    }

    private static String filled(String text) {
        return text.replace("CAM", address)
                .replace("GONE", "127.44.255.254")
                .replace("NEW", "new-" + files++)
                .replace("FULL", directory.resolve("full").toString())
                .replace("DIR", directory.toString());
    }

    private static String[] arguments(String command) {
        return filled(command).split(" ", -1);
    }

    static Stream<String> wrong() {
        return WRONG.lines().filter(line -> !line.startsWith("#")).map(line -> line.replaceAll(" +\\| ", " | "));
    }

    static Stream<String> printing() {
        return PRINTING.lines();
    }

    /** Without the one that watches the host for a second. */
    static Stream<String> quick() {
        return printing().filter(command -> !command.startsWith("report"));
    }

    /** Messages after [] are beside a result that is of another form, or of none. */
    @ParameterizedTest
    @MethodSource("wrong")
    void whatIsWrongEndsWithItsExitCodeAndMessage(String row) throws JsonProcessingException {
        String[] cells = row.split(" \\| ", 3);
        boolean error = !cells[2].startsWith("[] ");
        String message = filled(error ? cells[2] : cells[2].substring(3));
        boolean json = !cells[0].matches("nonsense|settings");
        Cli result = Cli.run(arguments(cells[0] + (json ? " --json" : "")));
        assertEquals(Integer.parseInt(cells[1]), result.exitCode(), result.out() + result.err());
        assertTrue(
                (error ? result.err() : result.out().replace("\\\"", "\"") + result.err()).contains(message),
                result.out() + result.err());
        if (error) {
            JsonNode printed = new ObjectMapper().readTree(result.out());
            assertTrue(printed.path("error").asText().contains(message), result.out());
        }
        PlainWords.check(result.out() + result.err());
    }

    private static Ended run(OutputStream out, String command) {
        StringWriter err = new StringWriter();
        int exitCode = PeregrineMain.run(out, new PrintWriter(err), false, arguments(command));
        // stream says first how frames travel; that is no failure.
        return new Ended(exitCode, err.toString().replaceFirst("^peregrine: streaming by \\w+\\R", ""));
    }

    private record Ended(int exitCode, String err) {}

    @ParameterizedTest
    @MethodSource("printing")
    void aReaderThatWantsNoMoreEndsEveryCommandQuietly(String command) {
        assertEquals(new Ended(141, ""), run(new FailingStream("Broken pipe"), command));
    }

    @ParameterizedTest
    @MethodSource("printing")
    void resultsThatCannotBeWrittenAreAFailureOfEveryCommand(String command) {
        assertEquals(
                new Ended(
                        1, "peregrine: the output cannot be written: No space left on device" + System.lineSeparator()),
                run(new FailingStream("No space left on device"), command));
    }

    @ParameterizedTest
    @MethodSource("quick")
    void everyCommandOfTheTableWorksOtherwise(String command) {
        if (command.startsWith("camera")) {
            Thread.currentThread().interrupt();
        }
        String limited = command.startsWith("events") ? command + " --count 1" : command;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Ended ended = run(out, limited);
        Thread.interrupted();
        String all = out.toString(StandardCharsets.UTF_8) + ended.err;
        assertTrue(ended.exitCode == 0 || command.startsWith("doctor"), all);
        PlainWords.check(all);
    }

    /** A file or pipe that takes nothing. */
    private static final class FailingStream extends OutputStream {
        private final String reason;

        private FailingStream(String reason) {
            this.reason = reason;
        }

        @Override
        public void write(int value) throws IOException {
            throw new IOException(reason);
        }
    }
}
