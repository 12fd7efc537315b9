package io.peregrine.rdma;

import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;

/** Chooses among the providers that are there. */
public final class RdmaProviders {
    /** Name that leaves the choice to the library. */
    public static final String AUTO = "auto";
    /** Environment variable with the IPv4 address of the interface that RDMA must use. */
    public static final String INTERFACE_VARIABLE = "PEREGRINE_RDMA_INTERFACE";
    /** Environment variable with the completion vector. */
    public static final String COMPLETION_VECTOR_VARIABLE = "PEREGRINE_RDMA_COMP_VECTOR";

    private RdmaProviders() {}

    /** Every provider, the preferred one first. */
    public static List<RdmaProvider> all() {
        List<RdmaProvider> found = new ArrayList<>();
        ServiceLoader.load(RdmaProvider.class, RdmaProvider.class.getClassLoader())
                .forEach(found::add);
        found.sort(Comparator.comparingInt(RdmaProvider::preference));
        return found;
    }

    /**
     * Opens a transport.
     *
     * @param name name of the provider, or {@link #AUTO} for the first that works
     * @param localAddress address of the interface
     * @return the transport and the reason for the choice
     * @throws RdmaUnavailableException if none works, with each one's reason
     */
    public static RdmaSelection open(String name, Inet4Address localAddress) {
        return open(all(), name, localAddress);
    }

    static RdmaSelection open(List<RdmaProvider> providers, String name, Inet4Address localAddress) {
        String wanted = name.toLowerCase(Locale.ROOT);
        // By reason, since what keeps one from working may keep all.
        Map<String, String> refusals = new LinkedHashMap<>();
        boolean known = false;
        for (RdmaProvider provider : providers) {
            if (!wanted.equals(AUTO) && !wanted.equals(provider.name())) {
                continue;
            }
            known = true;
            try {
                RdmaTransport transport = provider.open(localAddress);
                String reason = wanted.equals(AUTO)
                        ? refusals.isEmpty() ? "preferred provider" : text(refusals)
                        : "provider asked for by name";
                return new RdmaSelection(transport, reason);
            } catch (RdmaUnavailableException e) {
                refusals.merge(String.valueOf(e.getMessage()), "no " + provider.name(), (a, b) -> a + ", " + b);
            }
        }
        if (!known) {
            throw new RdmaUnavailableException(
                    "there is no RDMA provider '" + name + "': give auto" + names(providers));
        }
        throw new RdmaUnavailableException(text(refusals));
    }

    private static String text(Map<String, String> refusals) {
        List<String> parts = new ArrayList<>();
        refusals.forEach((reason, providers) -> parts.add(providers + ": " + reason));
        return String.join("; ", parts);
    }

    private static String names(List<RdmaProvider> providers) {
        StringBuilder text = new StringBuilder();
        for (RdmaProvider provider : providers) {
            text.append(" or ").append(provider.name());
        }
        return text.toString();
    }
}
