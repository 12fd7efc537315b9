package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A multi-part block: every part of the composition, one after the other with the room that each may need. */
final class MultiPartLayout extends BlockLayout {
    /** GVSP payload type. */
    static final int PAYLOAD_TYPE = 0x000A;

    private static final int IMAGE_2D = 1;
    private static final int PLANE_OF_TWO_2D = 2;
    private static final int IMAGE_3D = 5;
    private static final int PLANE_OF_TWO_3D = 6;
    private static final int CONFIDENCE = 9;
    private static final int CHUNK = 10;
    private static final int JPEG = 11;
    private static final int JPEG_2000 = 12;
    private static final int DEVICE_SPECIFIC = 0x8000;

    private static final int LEADER_PART_BYTES = 48;
    private static final int TRAILER_PART_BYTES = 16;
    private static final long TICKS_PER_SECOND = 1_000_000_000L;

    private record Place(Component component, Part part, int at) {}

    private final List<Place> places = new ArrayList<>();
    private final int blockBytes;

    MultiPartLayout(Composition composition) {
        super(composition);
        int at = 0;
        for (Component component : composition.components()) {
            for (Part part : component.parts()) {
                places.add(new Place(component, part, at));
                at = Math.addExact(at, part.data().maxBytes());
            }
        }
        blockBytes = at;
    }

    @Override
    int payloadType() {
        return PAYLOAD_TYPE;
    }

    @Override
    int blockBytes() {
        return blockBytes;
    }

    @Override
    int dataType(Component component, Part part) {
        boolean is3d = component.typeId() == TestPattern.RANGE;
        int planes = component.parts().size();
        return switch (part.type()) {
            case Part.CHUNK -> CHUNK;
            case Part.JPEG -> JPEG;
            case Part.JPEG_2000 -> JPEG_2000;
            case Part.ARRAY -> IMAGE_3D;
            case Part.IMAGE -> {
                if (component.typeId() == TestPattern.CONFIDENCE) {
                    yield CONFIDENCE;
                } else if (planes == 1) {
                    yield is3d ? IMAGE_3D : IMAGE_2D;
                }
                yield (is3d ? PLANE_OF_TWO_3D : PLANE_OF_TWO_2D) + planes - 2;
            }
            default -> DEVICE_SPECIFIC + (part.type() & 0xFF);
        };
    }

    private static boolean image(int dataType) {
        return dataType <= CONFIDENCE;
    }

    @Override
    Wire wire(Stamp stamp) {
        List<Place> present = present(stamp);
        ByteBuffer leader = ByteBuffer.allocate(12 + LEADER_PART_BYTES * present.size());
        leader.putShort((short) 0).putShort((short) PAYLOAD_TYPE).putLong(stamp.timestamp());
        ByteBuffer trailer = ByteBuffer.allocate(4 + TRAILER_PART_BYTES * present.size());
        trailer.putShort((short) 0).putShort((short) PAYLOAD_TYPE);
        List<Wire.Run> runs = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            Place place = present.get(i);
            int bytes = bytes(place, stamp);
            leaderPart(leader.position(12 + LEADER_PART_BYTES * i), place);
            trailer.position(4 + TRAILER_PART_BYTES * i);
            int dataType = dataType(place.component, place.part);
            length(trailer.putShort((short) dataType), bytes);
            trailer.putInt(image(dataType) ? lines(place.part, stamp) : 0);
            // Receivers of real cameras, Baumer's and Aravis' among them, take the offset as one in the block.
            runs.add(new Wire.Run(i, place.at, place.at, bytes, 0, Wire.NO_DESCRIPTOR, false));
        }
        return new Wire(
                Wire.MULTI_PART, present.size(), leader.clear(), trailer.clear(), stamp.timestamp(), runs, true, false);
    }

    private List<Place> present(Stamp stamp) {
        List<Component> components = composition().components(stamp);
        return places.stream()
                .filter(place -> components.contains(place.component))
                .toList();
    }

    private static int bytes(Place place, Stamp stamp) {
        return place.component.invalid(stamp) ? 0 : place.part.data().bytes(stamp);
    }

    /** One-dimensional data is sent as one line. */
    private static int lines(Part part, Stamp stamp) {
        return part.twoDimensional() ? part.data().count(stamp) : 1;
    }

    private void leaderPart(ByteBuffer out, Place place) {
        Component component = place.component;
        Part part = place.part;
        int dataType = dataType(component, part);
        length(out.putShort((short) dataType), part.data().maxBytes());
        out.putInt(part.format()).putShort((short) 0).put((byte) component.sourceId());
        out.put((byte) 0).putInt(0);
        // The purpose of data is the SFNC id of its component.
        out.putShort((short) component.typeId()).putShort((short) component.regionId());
        if (image(dataType)) {
            out.putInt(part.twoDimensional() ? part.width() : part.data().count(Composition.full()));
            out.putInt(lines(part, Composition.full()));
            out.putInt(component.offsetX()).putInt(component.offsetY());
            out.putShort((short) part.paddingX()).putShort((short) part.paddingY());
        } else if (dataType == JPEG || dataType == JPEG_2000) {
            out.putInt(0).putLong(TICKS_PER_SECOND).putInt(part.format());
        }
    }

    private static void length(ByteBuffer out, long bytes) {
        out.putShort((short) (bytes >>> 32)).putInt((int) bytes);
    }

    @Override
    void render(Stamp stamp, boolean damaged, ByteBuffer memory) {
        for (Place place : present(stamp)) {
            if (!place.component.invalid(stamp)) {
                memory.position(place.at);
                place.part.data().fill(stamp, memory);
            }
        }
        memory.clear();
    }

    @Override
    SentBlock sent(Stamp stamp) {
        return new SentBlock(PAYLOAD_TYPE, blockBytes, parts(stamp), Optional.empty(), 0);
    }
}
