package io.peregrine.conformance.softroce;

import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaPing;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;

/**
 * What rping talks with, in a process of its own. Arguments: provider, local address, then {@code serve CLIENTS} for
 * clients one after the other, or {@code connect HOST ROUNDS} and {@code PORT:BYTES} for each server.
 */
final class RpingMain {
    private static final int LARGEST = 1 << 20;

    private RpingMain() {}

    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        try (RdmaTransport transport =
                RdmaProviders.open(words.get(0), RdmaPeer.ipv4(words.get(1))).transport()) {
            if (words.get(2).equals("serve")) {
                serve(transport, Integer.parseInt(words.get(3)));
                return;
            }
            for (String server : words.subList(5, words.size())) {
                String[] parts = server.split(":", -1);
                InetSocketAddress address = new InetSocketAddress(words.get(3), Integer.parseInt(parts[0]));
                ping(transport, address, Integer.parseInt(parts[1]), Integer.parseInt(words.get(4)));
            }
        }
    }

    private static void serve(RdmaTransport transport, int clients) {
        try (RdmaListener listener = transport.listen(0)) {
            System.out.println("port " + listener.port());
            for (int i = 0; i < clients; i++) {
                System.out.println(serve(transport, listener));
            }
        }
    }

    /** Serves a client to its end; tells what it had. */
    static String serve(RdmaTransport transport, RdmaListener listener) {
        try (RdmaPing ping = RdmaPing.accept(transport, RdmaPeer.next(listener), LARGEST, RdmaPeer.LIMIT)) {
            int bytes = 0;
            for (OptionalInt round = ping.serve(); round.isPresent(); round = ping.serve()) {
                bytes = round.getAsInt();
            }
            return "served " + ping.rounds() + " rounds of " + bytes;
        }
    }

    private static void ping(RdmaTransport transport, InetSocketAddress server, int bytes, int rounds) {
        try (RdmaPing ping = RdmaPing.connect(transport, server, bytes, RdmaPeer.LIMIT)) {
            for (int i = 0; i < rounds; i++) {
                ping.ping();
            }
            System.out.println("made " + ping.rounds() + " rounds of " + bytes);
        }
    }
}
