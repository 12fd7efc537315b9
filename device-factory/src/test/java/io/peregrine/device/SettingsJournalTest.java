package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A journal that is full with two settings. */
class SettingsJournalTest {
    private static final List<String> FEATURES = List.of("First", "Second", "Third");

    private final Port registers = Port.memory(64);
    private final NodeMap nodes = NodeMap.load(description(), registers);
    private final SettingsJournal journal = SettingsJournal.begin(nodes, new RegisterJournal(), 2);

    private static byte[] description() {
        StringBuilder text = new StringBuilder("<RegisterDescription ModelName=\"M\" VendorName=\"V\""
                + " SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" SchemaSubMinorVersion=\"0\""
                + " xmlns=\"http://www.genicam.org/GenApi/Version_1_1\">\n<Category Name=\"Root\">");
        FEATURES.forEach(name -> text.append("<pFeature>").append(name).append("</pFeature>"));
        text.append("</Category>\n");
        for (int i = 0; i < FEATURES.size(); i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "<IntReg Name=\"%s\"><Streamable>Yes</Streamable><Address>%d</Address><Length>4</Length>"
                            + "<AccessMode>RW</AccessMode><pPort>Device</pPort><Sign>Unsigned</Sign>"
                            + "<Endianess>BigEndian</Endianess></IntReg>\n",
                    FEATURES.get(i),
                    i * Integer.BYTES));
        }
        return text.append("<Port Name=\"Device\"/></RegisterDescription>")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private void set(String feature, long value) {
        nodes.integer(feature).set(value);
    }

    private List<String> forgetAndRestore() {
        registers.write(0, ByteBuffer.allocate(64));
        nodes.invalidateAll();
        return journal.restore(Optional.empty());
    }

    @Test
    void aFullJournalStillNotesAnotherValueOfWhatItHas() {
        set("First", 1);
        set("Second", 2);
        set("First", 3);
        assertEquals(List.of(), forgetAndRestore());
        assertEquals(3, nodes.integer("First").value());
    }

    @Test
    void theFirstSettingThatAFullJournalHasNoRoomForIsNamed() {
        set("First", 1);
        set("Second", 2);
        set("Third", 3);
        List<String> problems = forgetAndRestore();
        assertEquals(1, problems.size());
        assertTrue(problems.get(0).contains("Third"), problems::toString);
    }
}
