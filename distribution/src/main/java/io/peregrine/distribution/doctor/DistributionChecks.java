package io.peregrine.distribution.doctor;

import io.peregrine.distribution.DistributionException;
import io.peregrine.distribution.DistributionSettings;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.HostChecks;
import io.peregrine.doctor.HostFiles;
import io.peregrine.doctor.ShellCommand.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Examines what publishing frames to other programs and hosts needs of a host. */
public final class DistributionChecks implements HostChecks {
    /** What the embedded media driver asks the system for, in each direction. */
    private static final long SOCKET_BUFFER_BYTES = 4L << 20;
    /** Logs of two publications or consumers with terms of 16 MiB, of which each has three, and Aeron's files. */
    private static final long SHARED_MEMORY_BYTES = 128L << 20;

    /** Linux of this major version and later joins what arrives to runs. */
    private static final int JOINS_DATAGRAMS = 5;

    private final HostFiles host;
    private final Supplier<DistributionSettings> settings;

    /** Of this host, with the settings of the environment. */
    public DistributionChecks() {
        this(HostFiles.system(), DistributionSettings::load);
    }

    DistributionChecks(HostFiles host, Supplier<DistributionSettings> settings) {
        this.host = host;
        this.settings = settings;
    }

    @Override
    public String group() {
        return "distribution";
    }

    @Override
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(sendBuffer());
        findings.add(runs());
        findings.add(sharedMemory());
        findings.add(mediaDriver());
        return findings;
    }

    private Finding sendBuffer() {
        Path file = host.proc().resolve("sys/net/core/wmem_max");
        OptionalLong value = HostFiles.number(file);
        if (value.isEmpty()) {
            return Finding.skip("send buffer", "net.core.wmem_max", file + " does not report it");
        }
        return value.getAsLong() >= SOCKET_BUFFER_BYTES
                ? Finding.pass("send buffer", "net.core.wmem_max", Long.toString(value.getAsLong()))
                : Finding.warn(
                                "send buffer",
                                "net.core.wmem_max",
                                value.getAsLong() + ", " + SOCKET_BUFFER_BYTES
                                        + " is enough: publishing frames to other hosts is slower",
                                "sysctl -w net.core.wmem_max=" + SOCKET_BUFFER_BYTES)
                        .by(Template.SYSCTL, "net/core/wmem_max", SOCKET_BUFFER_BYTES);
    }

    private Finding runs() {
        Path file = host.proc().resolve("sys/kernel/osrelease");
        try {
            String release = Files.readString(file).strip();
            return Integer.parseInt(release.split("\\.", 2)[0]) >= JOINS_DATAGRAMS
                    ? Finding.pass("runs of datagrams", "Linux", release + " cuts and joins them")
                    : Finding.warn(
                            "runs of datagrams",
                            "Linux",
                            release + " does not join them: publishing frames to other hosts takes more processor time",
                            "use Linux 5.0 or later");
        } catch (IOException | NumberFormatException e) {
            return Finding.skip("runs of datagrams", "Linux", file + " does not report its version");
        }
    }

    private Finding sharedMemory() {
        Path folder = host.dev().resolve("shm");
        try {
            long mebibytes = Files.getFileStore(folder).getUsableSpace() >> 20;
            String evidence = mebibytes + " MiB are free";
            return mebibytes >= SHARED_MEMORY_BYTES >> 20
                    ? Finding.pass("shared memory", folder.toString(), evidence)
                    : Finding.warn(
                            "shared memory",
                            folder.toString(),
                            evidence + ", publishing and receiving published frames needs "
                                    + (SHARED_MEMORY_BYTES >> 20),
                            "mount -o remount,size=1g " + folder + "; containers: --shm-size=1g");
        } catch (IOException e) {
            return Finding.skip("shared memory", folder.toString(), "not there: the media driver uses files instead");
        }
    }

    private Finding mediaDriver() {
        try {
            DistributionSettings now = settings.get();
            String directory = now.get(DistributionSettings.DIRECTORY);
            if (now.get(DistributionSettings.DRIVER).equals("embedded")) {
                return Finding.pass("media driver", "", "each program starts one when it publishes or subscribes");
            }
            if (directory.isEmpty()) {
                return Finding.skip("media driver", "", "external, in Aeron's default directory");
            }
            return Files.exists(Path.of(directory, "cnc.dat"))
                    ? Finding.pass("media driver", directory, "external")
                    : Finding.fail(
                            "media driver",
                            directory,
                            "external, and none was started there",
                            "start it, or set " + DistributionSettings.DRIVER + "=embedded");
        } catch (DistributionException e) {
            return Finding.fail("media driver", "", e.getMessage(), "correct distribution.properties");
        }
    }
}
