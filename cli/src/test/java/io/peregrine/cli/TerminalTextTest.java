package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {
    /** First and last of each range. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 7, 9, 10, 13, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029,
                0x202A, 0x202E, 0x2066, 0x2069, 0xD800, 0xDBFF, 0xDC00, 0xDFFF
            })
    void oneLineHasNoneOfThem(int character) {
        assertEquals("a\uFFFDb", TerminalText.line("a" + (char) character + "b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Länge 3 µm", "\u05D0\u05D1", "\u2027\u202F\u2065\u206A", "\uD83D\uDCF7", " ~\u00A0"})
    void otherTextsStayAsTheyAre(String text) {
        assertSame(text, TerminalText.line(text));
    }

    @Test
    void linesKeepTheirEndsAndTabs() {
        assertEquals("a\tb\nc\nd\uFFFDe", TerminalText.lines("a\tb\r\nc\nd\re"));
    }

    @Test
    void jsonKeepsItsMeaning() throws JsonProcessingException {
        String text = "\u001B\u007F\u009B\u202E\u2066\u2028\u061C\uD800 \uD83D\uDCF7\n";
        String json = TerminalText.json(new ObjectMapper().writeValueAsString(text));
        assertEquals("\"\\u001B\\u007F\\u009B\\u202E\\u2066\\u2028\\u061C\\uD800 \uD83D\uDCF7\\n\"", json);
        assertEquals(text, new ObjectMapper().readValue(json, String.class));
    }
}
