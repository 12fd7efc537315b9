package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.PVAUnion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that harm: the others, and the publisher, do not notice. */
class HostileClientTest {
    private static final String IMAGE = "CAM:Pva1:Image";
    private static final int MOST_CLIENTS = 4;
    private static final int FRAME_BYTES = 1_000_000;

    /**
     * As in the protocol specification: connectionValidation, and createChannel for {@code CAM:Pva1:Image} as number 2.
     */
    private static final byte[] VALIDATE_AND_OPEN = HexFormat.of()
            .parseHex("ca020001" + "13000000" + "00400000" + "ff7f" + "0000" + "09616e6f6e796d6f7573" + "ff"
                    + "ca020007" + "15000000" + "0100" + "02000000" + "0e" + "43414d3a507661313a496d616765");

    private PvaRig rig;

    @BeforeEach
    void start() {
        rig = new PvaRig(PvaRig.settings(2).withLimits(MOST_CLIENTS, 64 << 20));
        try (Composite frame = Frames.mono8(1, 1000, 1000)) {
            rig.offer(frame);
        }
    }

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    private Socket connect() throws IOException {
        return rig.keep(new Socket(
                rig.publisher().address().getAddress(),
                rig.publisher().address().getPort()));
    }

    private void othersGetFrames() throws Exception {
        PVAChannel channel = rig.channel(IMAGE);
        try (Composite frame = Frames.mono8(2, 1000, 1000)) {
            rig.offer(frame);
        }
        PVAStructure value = PvaRig.get(channel);
        PVAUnion union = value.get("value");
        PVAByteArray pixels = union.get();
        assertArrayEquals(Frames.counting(((PVAInt) value.get("uniqueId")).get(), FRAME_BYTES), pixels.get());
    }

    /** Reads until the publisher closes the connection. */
    private static void awaitClosed(Socket socket) throws IOException {
        socket.setSoTimeout((int) PvaRig.PATIENCE.toMillis());
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("reset"), e::toString);
        }
    }

    @Test
    void garbageEndsTheConnection() throws Exception {
        Socket socket = connect();
        byte[] garbage = new byte[1000];
        new Random(1).nextBytes(garbage);

        socket.getOutputStream().write(garbage);

        awaitClosed(socket);
        othersGetFrames();
    }

    @Test
    void aRequestThatAnnouncesGigabytesEndsTheConnection() throws Exception {
        Socket socket = connect();

        socket.getOutputStream().write(HexFormat.of().parseHex("ca020001ffffff7f00"));

        awaitClosed(socket);
        othersGetFrames();
    }

    @Test
    void aRequestInSegmentsEndsTheConnection() throws Exception {
        Socket socket = connect();

        socket.getOutputStream().write(HexFormat.of().parseHex("ca0210010400000000000000"));

        awaitClosed(socket);
        othersGetFrames();
    }

    @Test
    void aClientThatAsksAndNeverReadsTakesNoMemory() throws Exception {
        Socket socket = connect();
        socket.getOutputStream().write(VALIDATE_AND_OPEN);
        ByteBuffer answers = ByteBuffer.wrap(read(socket, "CAM channel")).order(ByteOrder.LITTLE_ENDIAN);
        int channel = answers.getInt(answers.capacity() - 5);
        byte[] get = ByteBuffer.allocate(17)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(HexFormat.of().parseHex("ca02000a09000000"))
                .putInt(channel)
                .putInt(1)
                .put((byte) 0)
                .array();
        byte[] many = new byte[get.length * 1000];
        for (int at = 0; at < many.length; at += get.length) {
            System.arraycopy(get, 0, many, at, get.length);
        }

        // 100,000 requests for a megabyte each, in a megabyte and more: the socket's buffers hold the rest.
        Thread asking = new Thread(() -> {
            try {
                for (int i = 0; i < 100; i++) {
                    socket.getOutputStream().write(many);
                }
            } catch (IOException e) {
                // The end of the test.
            }
        });
        asking.setDaemon(true);
        asking.start();

        Await.until(
                "answers", PvaRig.PATIENCE, () -> rig.publisher().statistics().framesSent() > 0);
        othersGetFrames();
        assertTrue(rig.publisher().statistics().framesSent() < 100, rig.publisher()::toString);
    }

    /** Reads until the answer to the request for a channel: its id and status are the last five bytes. */
    private static byte[] read(Socket socket, String what) throws IOException {
        socket.setSoTimeout((int) PvaRig.PATIENCE.toMillis());
        InputStream in = socket.getInputStream();
        while (true) {
            byte[] header = in.readNBytes(8);
            assertEquals(8, header.length, what);
            boolean control = (header[2] & 1) != 0;
            int size = control
                    ? 0
                    : ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
            byte[] payload = in.readNBytes(size);
            if (header[3] == 7 && !control) {
                return payload;
            }
        }
    }

    @Test
    void moreClientsThanAllowedAreTurnedAway() throws Exception {
        for (int i = 0; i < MOST_CLIENTS; i++) {
            connect();
        }
        Await.until(
                "clients", PvaRig.PATIENCE, () -> rig.publisher().statistics().clients() == MOST_CLIENTS);

        Socket further = connect();

        awaitClosed(further);
        assertEquals(1, rig.publisher().statistics().clientsRefused());
        assertTrue(
                rig.publisher().diagnosis().toString().contains("refused"),
                () -> "" + rig.publisher().diagnosis());
    }

    @Test
    void searchesThatAreNoneAreIgnored() throws Exception {
        Random random = new Random(2);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 100; i++) {
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                socket.send(
                        new DatagramPacket(bytes, bytes.length, rig.publisher().searchAddress()));
            }
            // A name of two gigabytes.
            byte[] claim = HexFormat.of()
                    .parseHex("ca020003" + "2b000000" + "01000000" + "00000000" + "00".repeat(16) + "1111" + "01"
                            + "03746370" + "0100" + "01000000" + "fefffffff7" + "00");
            socket.send(new DatagramPacket(claim, claim.length, rig.publisher().searchAddress()));
        }

        othersGetFrames();
    }
}
