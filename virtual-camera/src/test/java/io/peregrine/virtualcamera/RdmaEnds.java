package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.gendc.GenDcContainer;
import io.peregrine.rdma.RdmaTransport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A camera that streams by RDMA, an application that controls it, and a host that receives: one of each in a test. */
abstract class RdmaEnds {
    static final int CONTINUOUS = 0;
    static final int MULTI_FRAME = 2;

    VirtualCamera camera;
    Client client;
    RdmaHost host;

    void start(VirtualCamera started, RdmaTransport transport, int mode) throws IOException {
        camera = started;
        client = new Client(camera);
        host = new RdmaHost(transport, client, mode);
    }

    void acquire(int acquisitionMode, int frames) throws IOException {
        client.write(0xA080, acquisitionMode);
        client.write(0xA090, frames);
        client.start();
    }

    @AfterEach
    void stop() {
        if (host != null) {
            host.close();
        }
        if (client != null) {
            client.close();
        }
        if (camera != null) {
            camera.close();
        }
    }

    /** Checks every byte of a container with the three components. */
    static void assertPattern(RdmaHost.Block block, long blockId, int width, int height) {
        GenDcContainer container = GenDcContainer.parse(block.container());
        assertEquals(List.of(), container.problems());
        assertEquals(blockId, container.descriptor().id(), "container id");
        assertEquals(3, container.components().size());
        for (var component : container.components()) {
            var part = component.parts().get(0);
            var data = block.container().slice((int) part.dataOffset(), (int) part.dataSize());
            assertEquals(
                    0,
                    TestPattern.countBadBytes(component.typeId(), component.format(), blockId, width, height, data),
                    "component " + component.typeId());
        }
    }
}
