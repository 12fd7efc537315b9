package io.peregrine.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the system that report what no file has. */
@FunctionalInterface
public interface ExternalTool {

    /** Output of a program; empty when it is not there, fails, or takes too long. */
    Optional<String> output(String... command);

    /** Runs programs for at most two seconds. */
    static ExternalTool ofSystem() {
        return command -> {
            try {
                ProcessBuilder builder =
                        new ProcessBuilder(List.of(command)).redirectError(ProcessBuilder.Redirect.DISCARD);
                // Their words are read here.
                builder.environment().put("LC_ALL", "C");
                Process process = builder.start();
                process.getOutputStream().close();
                // What these programs print fits into the pipe, so that it can be read once they have ended.
                if (!process.waitFor(2, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return Optional.empty();
                }
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return process.exitValue() == 0 ? Optional.of(output) : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        };
    }
}
