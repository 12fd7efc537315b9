package io.peregrine.conformance;

import com.github.dockerjava.api.model.Network.Ipam;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Decides for {@link EnabledIfDocker}. */
final class DockerCondition implements ExecutionCondition {
    private static Optional<String> obstacle;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> reason = obstacle();
        if (reason.isEmpty()) {
            return ConditionEvaluationResult.enabled("a Docker engine answers");
        }
        return ConditionEvaluationResult.disabled(reason.get());
    }

    /** Looks once; the answer holds for the run. */
    private static synchronized Optional<String> obstacle() {
        if (obstacle == null) {
            obstacle = look();
            // Else a check that started an engine could be green without a single container.
            if (obstacle.isPresent() && Boolean.getBoolean("peregrine.containers.required")) {
                throw new AssertionError("Containers are required, but " + obstacle.get());
            }
        }
        return obstacle;
    }

    private static Optional<String> look() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of("needs a Docker engine that answers (DOCKER_HOST=" + System.getenv("DOCKER_HOST")
                    + "); ./check as root starts one of its own");
        }
        for (Ipam.Config config : DockerClientFactory.instance()
                .client()
                .inspectNetworkCmd()
                .withNetworkId("bridge")
                .exec()
                .getIpam()
                .getConfig()) {
            if (config.getGateway() != null && ofThisHost(config.getGateway())) {
                return Optional.empty();
            }
        }
        return Optional.of(
                "needs containers on this host: those of this Docker engine are in a virtual machine, where no"
                        + " broadcast reaches them");
    }

    private static boolean ofThisHost(String address) {
        try {
            return Objects.nonNull(NetworkInterface.getByInetAddress(InetAddress.getByName(address)));
        } catch (SocketException | UnknownHostException e) {
            return false;
        }
    }
}
