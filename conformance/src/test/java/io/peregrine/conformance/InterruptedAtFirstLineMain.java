package io.peregrine.conformance;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;

/** Runs another main class and interrupts it as soon as it has printed something. Argument: the name of that class. */
final class InterruptedAtFirstLineMain {
    private InterruptedAtFirstLineMain() {}

    public static void main(String[] arguments) throws Throwable {
        Thread program = Thread.currentThread();
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8) {
            @Override
            public void println(Object value) {
                super.println(value);
                program.interrupt();
            }
        });
        MethodHandles.publicLookup()
                .findStatic(Class.forName(arguments[0]), "main", MethodType.methodType(void.class, String[].class))
                .invoke(new String[0]);
    }
}
