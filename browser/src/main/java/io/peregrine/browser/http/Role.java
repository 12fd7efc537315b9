package io.peregrine.browser.http;

import java.util.Locale;

/** What a session may do. */
public enum Role {
    /** See cameras, features and frames. */
    VIEW,
    /** Also change them. */
    CONTROL;

    /** Whether a session of this role may do what asks for another one. */
    public boolean includes(Role asked) {
        return compareTo(asked) >= 0;
    }

    /** The name as it is written in JSON. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The role of a name.
     *
     * @throws HttpProblem if there is none
     */
    public static Role of(String text) {
        for (Role role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        throw HttpProblem.badRequest("no role is called " + text + ": use view or control");
    }
}
