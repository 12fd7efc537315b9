package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/**
 * One piece of a composite: an image, a plane or raw data. Its values stay readable for ever, its data until the
 * composite is closed.
 */
public abstract sealed class Item permits ImageItem, PlaneItem, BufferItem {

    /**
     * Values that an item is made of.
     *
     * @param typeId what it shows, as a number
     * @param partType header type of the GenDC part, 0 when there is none
     * @param format pixel format
     * @param width pixels in a line, or elements of one-dimensional data
     * @param height lines
     * @param paddingX bytes after each line
     * @param paddingY bytes at the end
     * @param offsetX pixels from the left edge of the sensor
     * @param offsetY lines from its top edge
     * @param groupId group of related components
     * @param sourceId sensor
     * @param regionId region
     * @param timestamp time in the unit of the device
     * @param valid whether the device says that the data can be used
     * @param missing why the data is not whole; empty when it is
     */
    record Values(
            long typeId,
            int partType,
            PixelFormat format,
            int width,
            int height,
            int paddingX,
            int paddingY,
            long offsetX,
            long offsetY,
            int groupId,
            int sourceId,
            int regionId,
            long timestamp,
            boolean valid,
            Optional<String> missing) {}

    private final Lease lease;
    private final Values values;
    private final ByteBuffer bytes;

    /** Takes a view that nobody else moves. */
    Item(Lease lease, Values values, ByteBuffer bytes) {
        this.lease = Objects.requireNonNull(lease, "lease");
        this.values = values;
        this.bytes = bytes.asReadOnlyBuffer();
    }

    /** What it shows. */
    public ComponentType componentType() {
        return ComponentType.of(values.typeId);
    }

    /** What it shows, as a number; vendors have their own. */
    public long typeId() {
        return values.typeId;
    }

    /** Header type of the GenDC part that it comes from ({@link io.peregrine.gendc.PartType}), 0 for other payloads. */
    public int partType() {
        return values.partType;
    }

    /** Pixel format, or the format of an element. */
    public PixelFormat format() {
        return values.format;
    }

    /** Pixels in a line, or elements of one-dimensional data; 0 when not known. */
    public int width() {
        return values.width;
    }

    /** Lines; 1 for one-dimensional data, 0 when not known. */
    public int height() {
        return values.height;
    }

    /** Bytes after each line. */
    public int paddingX() {
        return values.paddingX;
    }

    /** Bytes at the end. */
    public int paddingY() {
        return values.paddingY;
    }

    /** Pixels from the left edge of the sensor. */
    public long offsetX() {
        return values.offsetX;
    }

    /** Lines from the top edge of the sensor. */
    public long offsetY() {
        return values.offsetY;
    }

    /** Group of related components, 0xFFFF for all. */
    public int groupId() {
        return values.groupId;
    }

    /** Sensor. */
    public int sourceId() {
        return values.sourceId;
    }

    /** Region. */
    public int regionId() {
        return values.regionId;
    }

    /** Nanoseconds for GenDC, ticks of the device's clock for other payloads. */
    public long timestamp() {
        return values.timestamp;
    }

    /** Whether the device says that the data can be used. An invalid item keeps its place, so that indices stay. */
    public boolean valid() {
        return values.valid;
    }

    /** Whether every byte of the data arrived and the device says that it can be used. */
    public boolean complete() {
        return values.valid && values.missing.isEmpty();
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        return values.valid ? values.missing : Optional.of("the device marked the component as invalid");
    }

    /** Bytes of the data. */
    public int sizeBytes() {
        return bytes.limit();
    }

    /**
     * The data, padding included: a read-only little-endian view of the memory that the frame was received into, not a
     * copy. It must not be used after the composite was closed. Of an item that is not complete, bytes that did not
     * arrive can be anything; it is empty when the data has no possible place.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public ByteBuffer data() {
        lease.check();
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Kind, type, format, size and state in one line. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + componentType() + " " + format() + " " + width() + "x" + height()
                + ", " + sizeBytes() + " bytes"
                + incompleteReason().map(reason -> ", " + reason).orElse("") + "]";
    }
}
