package io.peregrine.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Files on a disk that has only so many bytes, or that stands still until it is let go. */
final class ScriptedFiles implements Output.Opener {
    private long room = Long.MAX_VALUE;
    private volatile CountDownLatch standing = new CountDownLatch(0);
    final CountDownLatch reached = new CountDownLatch(1);
    private boolean cutFails;
    private volatile boolean forceFails;
    private volatile boolean broken;

    ScriptedFiles withRoom(long bytes) {
        room = bytes;
        return this;
    }

    ScriptedFiles withFailingCut() {
        cutFails = true;
        return this;
    }

    ScriptedFiles withFailingForce() {
        forceFails = true;
        return this;
    }

    /** Writing throws an error, as memory of a file does that another program has cut. */
    ScriptedFiles withError() {
        broken = true;
        return this;
    }

    void standStill() {
        standing = new CountDownLatch(1);
    }

    void letGo() {
        standing.countDown();
    }

    @Override
    public int bufferBytes() {
        return 4096;
    }

    @Override
    public Output create(Path path) throws IOException {
        Output file = Output.FILES.create(path);
        return new Output() {
            @Override
            public void write(ByteBuffer[] bytes) throws IOException {
                await();
                if (broken) {
                    throw new InternalError("a fault in memory of a file");
                }
                for (ByteBuffer piece : bytes) {
                    ByteBuffer fits = fitting(piece);
                    file.write(new ByteBuffer[] {fits});
                    piece.position(fits.position());
                    refuseRest(piece);
                }
            }

            @Override
            public void write(ByteBuffer bytes, long position) throws IOException {
                await();
                ByteBuffer fits = fitting(bytes);
                file.write(fits, position);
                bytes.position(fits.position());
                refuseRest(bytes);
            }

            private ByteBuffer fitting(ByteBuffer bytes) {
                int count = (int) Math.min(bytes.remaining(), room);
                room -= count;
                return bytes.duplicate().limit(bytes.position() + count);
            }

            private void refuseRest(ByteBuffer bytes) throws IOException {
                if (bytes.hasRemaining()) {
                    throw new IOException("No space left on device");
                }
            }

            @Override
            public int blockBytes() {
                return file.blockBytes();
            }

            @Override
            public void truncate(long sizeBytes) throws IOException {
                if (cutFails) {
                    throw new IOException("Input/output error");
                }
                file.truncate(sizeBytes);
            }

            @Override
            public void force() throws IOException {
                if (forceFails) {
                    throw new IOException("Input/output error");
                }
                file.force();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    private void await() throws IOException {
        if (standing.getCount() == 0) {
            return;
        }
        reached.countDown();
        try {
            standing.await();
        } catch (InterruptedException e) {
            throw new java.nio.channels.ClosedByInterruptException();
        }
    }
}
