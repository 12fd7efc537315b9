package io.peregrine.pvaccess;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.epics.pva.data.PVABool;
import org.epics.pva.data.PVABoolArray;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVADoubleArray;
import org.epics.pva.data.PVAFloatArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAIntArray;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVALongArray;
import org.epics.pva.data.PVAShortArray;
import org.epics.pva.data.PVASize;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStructure;
import org.epics.pva.data.PVAStructureArray;
import org.epics.pva.data.PVAUnion;
import org.epics.pva.data.PVAny;
import org.epics.pva.data.nt.PVAAlarm;
import org.epics.pva.data.nt.PVADisplay;
import org.epics.pva.data.nt.PVATimeStamp;

/** The fields of NTNDArray (EPICS 7 Normative Types, 2.2.13), and their bytes. */
final class NdArrayType {
    static final String NAME = "epics:nt/NTNDArray:1.0";

    /** What arrays of the value may be, in the order of the union. */
    enum ElementType {
        BOOLEAN(1),
        BYTE(1),
        SHORT(2),
        INT(4),
        LONG(8),
        UBYTE(1),
        USHORT(2),
        UINT(4),
        ULONG(8),
        FLOAT(4),
        DOUBLE(8);

        private final int sizeBytes;

        ElementType(int sizeBytes) {
            this.sizeBytes = sizeBytes;
        }

        int sizeBytes() {
            return sizeBytes;
        }
    }

    /**
     * One dimension, the fastest first.
     *
     * @param size elements
     * @param offset of the first one on the sensor
     */
    record Dimension(int size, int offset) {}

    /**
     * All but the pixels.
     *
     * @param dimensions the fastest first
     * @param uniqueId number of the frame
     * @param taken time of the data
     * @param sent time of the update
     * @param attributes name and value: Integer, Long, Double, Boolean or a text
     */
    record Fields(
            List<Dimension> dimensions, int uniqueId, Instant taken, Instant sent, Map<String, Object> attributes) {}

    private static final String DRIVER_SOURCE = "Peregrine";
    /** NDAttrSourceDriver. */
    private static final int SOURCE_TYPE = 0;

    /** Room for the selector and for the number of elements. */
    private static final int VALUE_HEADER_BYTES = 10;

    private static final int FIXED_BYTES = 2048;
    private static final int DIMENSION_BYTES = 32;
    private static final int ATTRIBUTE_BYTES = 64;

    private NdArrayType() {}

    /** The fields without a frame. */
    static List<PVAData> fields() {
        return fields(0, new Fields(List.of(), 0, Instant.EPOCH, Instant.EPOCH, Map.of()));
    }

    private static List<PVAData> fields(long valueBytes, Fields fields) {
        List<PVAData> all = new ArrayList<>();
        all.add(new PVAUnion(
                "value",
                "",
                new PVABoolArray("booleanValue"),
                new PVAByteArray("byteValue", false),
                new PVAShortArray("shortValue", false),
                new PVAIntArray("intValue", false),
                new PVALongArray("longValue", false),
                new PVAByteArray("ubyteValue", true),
                new PVAShortArray("ushortValue", true),
                new PVAIntArray("uintValue", true),
                new PVALongArray("ulongValue", true),
                new PVAFloatArray("floatValue"),
                new PVADoubleArray("doubleValue")));
        all.add(new PVAStructure("codec", "codec_t", new PVAString("name", ""), new PVAny("parameters")));
        all.add(new PVALong("compressedSize", false, valueBytes));
        all.add(new PVALong("uncompressedSize", false, valueBytes));
        all.add(new PVAStructureArray(
                "dimension",
                dimension(new Dimension(0, 0)),
                fields.dimensions.stream().map(NdArrayType::dimension).toArray(PVAStructure[]::new)));
        all.add(new PVAInt("uniqueId", false, fields.uniqueId));
        all.add(new PVATimeStamp("dataTimeStamp", fields.taken));
        all.add(new PVAStructureArray(
                "attribute",
                attribute("", ""),
                fields.attributes.entrySet().stream()
                        .map(entry -> attribute(entry.getKey(), entry.getValue()))
                        .toArray(PVAStructure[]::new)));
        all.add(new PVAString("descriptor", ""));
        all.add(new PVAAlarm());
        all.add(new PVATimeStamp("timeStamp", fields.sent));
        all.add(new PVADisplay(0, 0, "", "", 0, PVADisplay.Form.DEFAULT));
        return all;
    }

    private static PVAStructure dimension(Dimension dimension) {
        return new PVAStructure(
                "",
                "dimension_t",
                new PVAInt("size", false, dimension.size),
                new PVAInt("offset", false, dimension.offset),
                // At least; how large the sensor is, frames do not say.
                new PVAInt(
                        "fullSize", false, (int) Math.min(Integer.MAX_VALUE, (long) dimension.offset + dimension.size)),
                new PVAInt("binning", false, 1),
                new PVABool("reverse", false));
    }

    private static PVAStructure attribute(String name, Object value) {
        return new PVAStructure(
                "",
                "epics:nt/NTAttribute:1.0",
                new PVAString("name", name),
                new PVAny("value", value(value)),
                new PVAString("descriptor", ""),
                new PVAInt("sourceType", false, SOURCE_TYPE),
                new PVAString("source", DRIVER_SOURCE));
    }

    private static PVAData value(Object value) {
        if (value instanceof Integer number) {
            return new PVAInt("", false, number);
        } else if (value instanceof Long number) {
            return new PVALong("", false, number);
        } else if (value instanceof Double number) {
            return new PVADouble("", number);
        } else if (value instanceof Boolean truth) {
            return new PVABool("", truth);
        }
        return new PVAString("", value.toString());
    }

    /** Bytes of a frame, as they travel. */
    static byte[] encode(PixelArray pixels, Fields fields) throws Exception {
        long valueBytes = pixels.sizeBytes();
        ByteBuffer rest = rest(valueBytes, fields);
        ByteBuffer header = ByteBuffer.allocate(VALUE_HEADER_BYTES).order(ByteOrder.nativeOrder());
        PVASize.encodeSize(pixels.type().ordinal(), header);
        PVASize.encodeSize(pixels.count(), header);
        header.flip();
        long size = header.remaining() + valueBytes + rest.remaining();
        byte[] encoded = new byte[Math.toIntExact(size)];
        ByteBuffer target = ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder());
        target.put(header);
        pixels.writer().write(target.slice(target.position(), (int) valueBytes).order(ByteOrder.nativeOrder()));
        target.position(target.position() + (int) valueBytes);
        target.put(rest);
        return encoded;
    }

    /** A value before the first frame: no array is selected. */
    static byte[] encodeNone() throws Exception {
        ByteBuffer rest = rest(0, new Fields(List.of(), 0, Instant.EPOCH, Instant.EPOCH, Map.of()));
        byte[] encoded = new byte[1 + rest.remaining()];
        encoded[0] = -1;
        rest.get(encoded, 1, encoded.length - 1);
        return encoded;
    }

    private static ByteBuffer rest(long valueBytes, Fields fields) throws Exception {
        int room = FIXED_BYTES + DIMENSION_BYTES * fields.dimensions.size();
        for (Map.Entry<String, Object> attribute : fields.attributes.entrySet()) {
            room += ATTRIBUTE_BYTES
                    + PVAString.getEncodedSize(attribute.getKey())
                    + PVAString.getEncodedSize(attribute.getValue().toString());
        }
        ByteBuffer rest = ByteBuffer.allocate(room).order(ByteOrder.nativeOrder());
        List<PVAData> all = fields(valueBytes, fields);
        for (PVAData field : all.subList(1, all.size())) {
            field.encode(rest);
        }
        return rest.flip();
    }
}
