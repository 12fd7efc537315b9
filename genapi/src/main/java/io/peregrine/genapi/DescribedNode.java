package io.peregrine.genapi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What a node says of itself by its element alone. */
abstract class DescribedNode implements Node {
    final Element element;
    final String name;

    private volatile Visibility imposedVisibility = Visibility.BEGINNER;

    DescribedNode(Element element, String name) {
        this.element = element;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return element.name();
    }

    @Override
    public String displayName() {
        return element.rawValue("DisplayName").orElse(name);
    }

    @Override
    public String description() {
        return element.rawValue("Description").orElse("");
    }

    @Override
    public String toolTip() {
        return element.rawValue("ToolTip").orElse("");
    }

    @Override
    public void imposeVisibility(Visibility least) {
        imposedVisibility = least;
    }

    @Override
    public Visibility visibility() {
        return atLeast(ownVisibility());
    }

    final Visibility atLeast(Visibility own) {
        Visibility least = imposedVisibility;
        return own.compareTo(least) < 0 ? least : own;
    }

    private Visibility ownVisibility() {
        return switch (element.value("Visibility").orElse("Beginner").toLowerCase(Locale.ROOT)) {
            case "expert" -> Visibility.EXPERT;
            case "guru" -> Visibility.GURU;
            case "invisible" -> Visibility.INVISIBLE;
            default -> Visibility.BEGINNER;
        };
    }

    @Override
    public List<Property> properties() {
        List<Property> properties = new ArrayList<>();
        String[] attributes = element.attributes();
        for (int i = 0; i < attributes.length; i += 2) {
            properties.add(new Property(attributes[i], attributes[i + 1], Map.of()));
        }
        for (Element child : element.children()) {
            if (child.children().length == 0) {
                properties.add(new Property(child.name(), child.raw(), attributes(child)));
            }
        }
        return List.copyOf(properties);
    }

    private static Map<String, String> attributes(Element element) {
        Map<String, String> found = new LinkedHashMap<>();
        String[] attributes = element.attributes();
        for (int i = 0; i < attributes.length; i += 2) {
            found.put(attributes[i], attributes[i + 1]);
        }
        return Collections.unmodifiableMap(found);
    }

    @Override
    public Optional<String> property(String property) {
        return element.rawValue(property).or(() -> element.attribute(property));
    }

    @Override
    public Optional<String> documentationUrl() {
        return element.value("DocuURL");
    }

    @Override
    public boolean deprecated() {
        return element.value("IsDeprecated").orElse("No").equals("Yes");
    }

    @Override
    public Optional<Duration> pollingTime() {
        return element.value("PollingTime").map(text -> Duration.ofMillis(Math.max(0, Numbers.parseLong(name, text))));
    }

    @Override
    public OptionalLong eventId() {
        String text = element.valueOrNull("EventID");
        return text == null ? OptionalLong.empty() : OptionalLong.of(Numbers.parseHex(name, text));
    }

    @Override
    public boolean standardName() {
        return element.attribute("NameSpace").orElse("Custom").equals("Standard");
    }

    @Override
    public boolean streamable() {
        return switch (element.value("Streamable").orElse("No")) {
            case "Yes", "true", "1" -> true;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return kind() + " " + name;
    }
}
