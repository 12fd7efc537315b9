package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Formulas as long and as deep as the reference implementation takes them. */
@Timeout(60)
class FormulaSizeTest {
    private static NodeMap load(String kind, String formula, String more) {
        return NodeMap.load(
                Xml.description(value("A", 1) + "<" + kind + " Name=\"K\"><pVariable Name=\"A\">A</pVariable>" + more
                        + "<Formula>" + formula + "</Formula></" + kind + ">"),
                new MemoryPort(64));
    }

    static List<Named<IntFunction<String>>> shapes() {
        return List.of(
                Named.of("brackets", n -> "(".repeat(n) + "A" + ")".repeat(n)),
                Named.of("terms", n -> "1" + "-1+A".repeat(n / 2)),
                Named.of("signs", n -> "-(".repeat(n) + "A" + ")".repeat(n)),
                Named.of("nested terms", n -> "0*A+(".repeat(n) + "A" + ")".repeat(n)),
                Named.of("nested conditions", n -> "A?(".repeat(n) + "A" + "):2".repeat(n)),
                Named.of("chained conditions", n -> "A=2?3:".repeat(n) + "A"),
                Named.of("functions", n -> "ABS(".repeat(n) + "A" + ")".repeat(n)),
                Named.of("logic", n -> "A" + "&amp;&amp;A".repeat(n)),
                Named.of("powers", n -> "A" + "**A".repeat(n)));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aHundredThousandPartsHaveAValue(IntFunction<String> shape) {
        for (String kind : new String[] {"SwissKnife", "IntSwissKnife"}) {
            assertEquals(
                    1,
                    Numbers.parseDouble(
                            "K", load(kind, shape.apply(100_000), "").node("K").valueAsText()));
        }
    }

    @Test
    void aSmallStackOfTheThreadIsEnough() throws InterruptedException {
        String[] result = new String[1];
        Thread small = new Thread(
                null,
                () -> result[0] = load("IntSwissKnife", "(A+".repeat(300_000) + "A" + ")".repeat(300_000), "")
                        .node("K")
                        .valueAsText(),
                "small stack",
                160 << 10);
        small.start();
        small.join(TimeUnit.SECONDS.toMillis(50));
        assertEquals("300001", result[0]);
    }

    @Test
    void expressionsThatDoubleEachOtherAreRefused() {
        StringBuilder expressions = new StringBuilder("<Expression Name=\"E0\">A</Expression>");
        for (int i = 1; i < 40; i++) {
            expressions.append("<Expression Name=\"E" + i + "\">E" + (i - 1) + "+E" + (i - 1) + "</Expression>");
        }
        NodeMap nodes = load("IntSwissKnife", "E39", expressions.toString());
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("K").value());
        assertTrue(e.getMessage().contains("longer than any real formula"), e.getMessage());
    }

    @Test
    void whatIsFarLongerIsRefusedWithTheLimit() {
        NodeMap nodes = load("IntSwissKnife", "A" + "+1".repeat(3 << 20), "");
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("K").value());
        assertTrue(e.getMessage().contains("has more than 4194304 characters"), e.getMessage());
    }
}
