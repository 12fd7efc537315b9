/**
 * Recording composites and replaying them.
 *
 * <p>A recording is a directory of {@code .gendc} files or one file; {@link io.peregrine.recording.Recording} reads
 * both. Either way there is a recording file, {@code recording.pgr} in a directory. All numbers in it are
 * little-endian. It is only ever appended to:
 *
 * <pre>
 * file header, 64 bytes
 *    0  8  "PEREGREC"
 *    8  2  version, 1
 *   10  2  flags: bit 0 containers are separate files, frame-NNNNNNNNNN.gendc, in the same directory
 *   12  4  size of this header, 64
 *   16  8  when it was begun, milliseconds since 1970 UTC
 *   24 36  zero
 *   60  4  CRC-32C of the bytes before
 *
 * record, any number of times: header, metadata, container, zeros to a multiple of 8 bytes
 *    0  4  "PREC"
 *    4  2  type: 1 camera, 2 frame, 3 index
 *    6  2  zero
 *    8  8  number of the frame, from 0
 *   16  8  bytes of the container
 *   24  4  bytes of the metadata
 *   28  4  CRC-32C of metadata and container
 *   32  8  id of the composite
 *   40  8  timestamp in ticks of the device's clock
 *   48  8  when the recorder got it, nanoseconds since it was begun
 *   56  4  bytes of memory that replay needs
 *   60  4  CRC-32C of the bytes before
 * </pre>
 *
 * <p>Of a camera record, metadata is the length of a text and the text, with a line for each property (name, tab,
 * value), the same for its settings, then the content of its registers; the container is its XML. Of a frame record,
 * metadata is what the transport said of the block, and where pieces of the container lay in memory; the container is a
 * linear GenDC container, empty when nothing of the frame could be understood. Of an index record, metadata is the
 * place of the index record before it (8 bytes, 0 for none), for each record that it lists its place (8 bytes) and a
 * copy of its header, and at last the place of this index record (8 bytes) and "PEREGEND". An index lists records that
 * were forced to the disk before it was written; there is one from time to time, and one at the end for all that is
 * left. When the file does not end with an index, records are looked for from its start, and those that no index lists
 * are checked byte for byte: so what was written completely can be read after a crash. Until the recording is ended,
 * zeros may follow the last record to the end of a block of the file system. Files of containers are not forced; that
 * they are whole is seen when they are read.
 */
@NullMarked
package io.peregrine.recording;

import org.jspecify.annotations.NullMarked;
