package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Descriptions of real devices, of the optional test data. */
class CorpusTest extends DescriptionsContract {
    @Override
    Map<String, byte[]> descriptions() {
        return Corpus.descriptions();
    }

    @Override
    int least() {
        return 1000;
    }

    @Test
    void constructsAreCountedAsTheIndexCountsThem() {
        List<List<String>> index = Corpus.table("index.csv");
        List<String> head = index.get(0);
        Map<String, List<String>> rows = new HashMap<>();
        index.forEach(row -> rows.put(row.get(0), row));
        List<String> differences = new ArrayList<>();
        for (String file : descriptions().keySet()) {
            List<String> row = rows.get(file);
            assertTrue(row != null, file + " is in the index");
            Map<String, Integer> counts =
                    Description.parse(descriptions().get(file)).constructs();
            for (int column = 0; column < head.size(); column++) {
                String construct = head.get(column);
                if (construct.startsWith("n:")) {
                    String name = construct.substring(2);
                    int expected = Integer.parseInt(row.get(column));
                    int counted = counts.getOrDefault(name, 0);
                    if (counted != expected) {
                        differences.add(file + ": " + name + " " + counted + " instead of " + expected);
                    }
                }
            }
        }
        assertEquals(List.of(), differences);
    }
}
