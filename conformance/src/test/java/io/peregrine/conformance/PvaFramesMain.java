package io.peregrine.conformance;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.virtualcamera.TestPattern;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.epics.pva.client.ClientChannelState;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.client.PVAClient;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.PVAStructureArray;
import org.epics.pva.data.PVAUnion;
import org.epics.pva.data.PVAny;

/**
 * A client of core-pva, as Phoebus has it: reads an image of a virtual camera once, then monitors it, and checks each
 * pixel. Arguments: name of the variable, number of frames. Where it searches, the settings of EPICS say.
 */
final class PvaFramesMain {
    private static final long INTENSITY = 1;
    private static final int LIMIT_SECONDS = 60;

    private final long wanted;
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();

    private PvaFramesMain(long wanted) {
        this.wanted = wanted;
    }

    public static void main(String[] arguments) throws Exception {
        PVAClient client = new PVAClient();
        PvaFramesMain main = new PvaFramesMain(Long.parseLong(arguments[1]));
        PVAChannel once = client.getChannel(arguments[0]);
        once.connect().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        PVAStructure got = once.read("").get(LIMIT_SECONDS, TimeUnit.SECONDS);
        System.out.println("got " + got.getStructureName() + ", bad bytes " + badBytes(got));
        client.getChannel(arguments[0], (channel, state) -> {
            if (state == ClientChannelState.CONNECTED) {
                main.subscribe(channel);
            }
        });
        synchronized (main) {
            while (main.frames.get() < main.wanted) {
                main.wait();
            }
        }
        System.out.println("monitored " + main.frames.get() + ", bad bytes " + main.bad.get());
        // The client would wait for its threads.
        System.exit(0);
    }

    private void subscribe(PVAChannel channel) {
        try {
            channel.subscribe("", (monitored, changes, overruns, data) -> {
                bad.addAndGet(badBytes(data));
                synchronized (this) {
                    frames.incrementAndGet();
                    notifyAll();
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long badBytes(PVAStructure value) {
        PVAUnion union = value.get("value");
        PVAByteArray pixels = union.get();
        PVAStructureArray dimensions = value.get("dimension");
        int[] sizes = Arrays.stream(dimensions.get())
                .mapToInt(dimension -> ((PVAInt) dimension.get("size")).get())
                .toArray();
        return TestPattern.countBadBytes(
                INTENSITY, PfncCodes.MONO8, frameId(value), sizes[0], sizes[1], ByteBuffer.wrap(pixels.get()));
    }

    private static long frameId(PVAStructure value) {
        PVAStructureArray attributes = value.get("attribute");
        for (PVAStructure attribute : attributes.get()) {
            if (attribute.get("name").toString().endsWith("FrameId")) {
                PVAny any = attribute.get("value");
                return ((PVALong) any.get()).get();
            }
        }
        throw new IllegalStateException("No FrameId in " + value);
    }
}
