package io.peregrine.distribution;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.logbuffer.FrameDescriptor;
import io.peregrine.distribution.driver.FrameRuns;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.BitUtil;

/**
 * A way for frames from one publisher to its consumers, as users write it: {@code ipc}, {@code 239.192.7.1:40456},
 * {@code 10.0.0.7:40456} or {@code from:10.0.0.5:40456}.
 *
 * @param kind what leads to the consumers
 * @param address IPv4 address and port; empty text for shared memory
 */
record Route(Kind kind, String address) {
    /** Publications are paced only by consumers that must have each frame, which are of this group. */
    static final long MUST_HAVE_TAG = 1;

    /** Largest message of Aeron. */
    static final int MAX_MESSAGE_BYTES = FrameDescriptor.MAX_MESSAGE_LENGTH;

    private static final int MESSAGES_A_TERM = 8;
    private static final Pattern ENDPOINT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3}):(\\d{1,5})");
    private static final String FROM = "from:";
    private static final String IPC = "aeron:ipc";
    private static final int DESK_TERM = 64 << 10;
    /** A consumer that does not read for that long no longer holds up the others over shared memory. */
    private static final String UNTETHERED = "100ms";
    /** A consumer by its address asks for what is lost after that time; for groups, the driver has its own. */
    private static final String ASK_AFTER = "20us";
    /** Most gaps that are filled at the same time. */
    private static final int MAX_RESEND = 256;

    /** What leads to the consumers. */
    enum Kind {
        /** Shared memory of this host. */
        SHARED_MEMORY,
        /** A multicast group. */
        GROUP,
        /** One consumer, by its address. */
        CONSUMER,
        /** The publisher, by its address: any number of consumers register there. */
        PUBLISHER
    }

    /**
     * Reads {@link #toString()}.
     *
     * @throws DistributionException if it is something else
     */
    static Route parse(String text) {
        if (text.equals("ipc")) {
            return new Route(Kind.SHARED_MEMORY, "");
        }
        boolean publisher = text.startsWith(FROM);
        String endpoint = publisher ? text.substring(FROM.length()) : text;
        boolean group = address(endpoint, text).isMulticastAddress();
        if (publisher && group) {
            throw wrong(text);
        }
        return new Route(publisher ? Kind.PUBLISHER : group ? Kind.GROUP : Kind.CONSUMER, endpoint);
    }

    private static InetAddress address(String endpoint, String whole) {
        Matcher matcher = ENDPOINT.matcher(endpoint);
        if (!matcher.matches()) {
            throw wrong(whole);
        }
        int port = Integer.parseInt(matcher.group(2));
        try {
            InetAddress address = InetAddress.getByName(matcher.group(1));
            if (port >= 1 && port <= 65535 && address instanceof Inet4Address) {
                return address;
            }
        } catch (UnknownHostException e) {
            throw new DistributionException(wrong(whole).getMessage(), e);
        }
        throw wrong(whole);
    }

    private static DistributionException wrong(String text) {
        return new DistributionException("'" + text + "' is no route for frames: give ipc, a multicast group or the"
                + " address of a consumer with a port (239.192.7.1:40456), or from: and the address of the publisher"
                + " (from:10.0.0.5:40456)");
    }

    /** Address of the publisher where consumers register there. */
    Optional<InetAddress> publisher() {
        return kind == Kind.PUBLISHER ? Optional.of(address(address, toString())) : Optional.empty();
    }

    /** Whether the publisher does not wait for all of several consumers; by shared memory it does, for a while. */
    boolean leavesLateConsumersBehind() {
        return kind == Kind.GROUP || kind == Kind.PUBLISHER;
    }

    /** What to look at when nothing can be published here. */
    String publishingHint() {
        return switch (kind) {
            case SHARED_MEMORY -> "Check the media driver, and that /dev/shm has room";
            case GROUP ->
                "Check that " + DistributionSettings.INTERFACE + " is an address of this host, or that it has a"
                        + " route to the group";
            case CONSUMER -> "Check the address of the consumer, and that this host has a route to it";
            case PUBLISHER -> "After from: comes an address of this host, and a port that no other program uses";
        };
    }

    /**
     * Channel of a publication of announcements.
     *
     * @param largestBytes length of the largest, {@link #MAX_MESSAGE_BYTES} at the most: an eighth of the term
     */
    String announcing(DistributionSettings settings, int largestBytes) {
        int term = Math.max(settings.termBytes(), BitUtil.findNextPositivePowerOfTwo(largestBytes * MESSAGES_A_TERM));
        return publication(settings, settings.mtuBytes(), term);
    }

    /** Channel of a publication of frames. */
    String publication(DistributionSettings settings) {
        return publication(settings, runBytes(settings), settings.termBytes());
    }

    /** Most that the driver sends by one call, and cuts into datagrams if it can. */
    private int runBytes(DistributionSettings settings) {
        int datagram = settings.mtuBytes();
        return sentInRuns(settings) ? FrameRuns.most(datagram, settings.termBytes()) : datagram;
    }

    /** Whether the driver has to cut what it sends by one call. */
    boolean sentInRuns(DistributionSettings settings) {
        return settings.runs() && kind != Kind.SHARED_MEMORY;
    }

    private String publication(DistributionSettings settings, int mtu, int term) {
        ChannelUriStringBuilder uri =
                new ChannelUriStringBuilder().termLength(term).mtu(mtu);
        return switch (kind) {
            case SHARED_MEMORY -> untethered(uri.media("ipc")).build();
            case CONSUMER -> uri.media("udp").endpoint(address).build();
            case GROUP -> {
                settings.localAddress().ifPresent(uri::networkInterface);
                yield paced(uri.media("udp").endpoint(address), settings);
            }
            case PUBLISHER -> paced(uri.media("udp").controlEndpoint(address).controlMode("dynamic"), settings);
        };
    }

    /** Paced by the consumers that must have each frame. */
    private static String paced(ChannelUriStringBuilder uri, DistributionSettings settings) {
        return uri.maxResend(MAX_RESEND)
                        .flowControl(GroupFlowControl.parameter(MUST_HAVE_TAG, settings))
                        .build()
                + GroupFlowControl.datagram(settings);
    }

    /**
     * Channel of a subscription to announcements.
     *
     * @param local address and port where frames come in when consumers register at the publisher
     */
    String announcements(DistributionSettings settings, String local) {
        return tagged(subscription(settings, local, false), settings).build();
    }

    /**
     * Channel of a subscription to the frames of one publisher.
     *
     * @param local address and port where frames come in when consumers register at the publisher
     * @param session session of its publication: what others send is not received
     */
    String frames(DistributionSettings settings, String local, int session) {
        return tagged(subscription(settings, local, settings.mustHave()), settings)
                .sessionId(session)
                .build();
    }

    /** Announcements, too, come with the group: of all channels to an address, the driver takes that of the first. */
    private ChannelUriStringBuilder tagged(ChannelUriStringBuilder uri, DistributionSettings settings) {
        return leavesLateConsumersBehind() && settings.mustHave() ? uri.groupTag(MUST_HAVE_TAG) : uri;
    }

    /** Channel on which the publisher hears its consumers: on a free port of the address that leads to them. */
    String desk(DistributionSettings settings) {
        if (kind == Kind.SHARED_MEMORY) {
            return IPC;
        }
        String local = publisher()
                .map(InetAddress::getHostAddress)
                .or(settings::localAddress)
                .orElseGet(() ->
                        LocalEndpoint.towards(address(address, toString())).getHostAddress());
        return new ChannelUriStringBuilder().media("udp").endpoint(local + ":0").build();
    }

    /**
     * Channel on which a consumer speaks to its publisher.
     *
     * @param source address that announcements come from, for routes that do not have it
     * @param port port at the publisher
     */
    String toDesk(String source, int port) {
        return kind == Kind.SHARED_MEMORY
                ? IPC
                : new ChannelUriStringBuilder()
                        .media("udp")
                        .endpoint(deskAddress(source) + ":" + port)
                        .termLength(DESK_TERM)
                        .build();
    }

    private String deskAddress(String source) {
        return publisher().map(InetAddress::getHostAddress).orElse(source);
    }

    /** Channel on which a consumer of a shared stream expects its frames. */
    String lane(String source, int session) {
        ChannelUriStringBuilder uri = new ChannelUriStringBuilder().sessionId(session);
        if (kind == Kind.SHARED_MEMORY) {
            return uri.media("ipc").build();
        }
        String local = LocalEndpoint.towards(address(deskAddress(source) + ":1", toString()))
                .getHostAddress();
        return uri.media("udp").endpoint(local + ":0").nakDelay(ASK_AFTER).build();
    }

    /**
     * Channel on which the publisher of a shared stream sends frames to a consumer.
     *
     * @param consumer address that the consumer reports from: it can name none but its own
     */
    String toLane(DistributionSettings settings, String consumer, int port, int session) {
        ChannelUriStringBuilder uri = new ChannelUriStringBuilder()
                .termLength(settings.termBytes())
                .mtu(runBytes(settings))
                .sessionId(session);
        return kind == Kind.SHARED_MEMORY
                ? uri.media("ipc").build()
                : uri.media("udp")
                        .endpoint(consumer + ":" + port)
                        .maxResend(MAX_RESEND)
                        .build();
    }

    /** Channel on which a consumer that asks for features speaks to its publisher. */
    String toFeatures(String source, int port) {
        return kind == Kind.SHARED_MEMORY
                ? talk().media("ipc").build()
                : talk().media("udp").endpoint(deskAddress(source) + ":" + port).build();
    }

    /**
     * Channel on which the publisher answers.
     *
     * @param consumer address that the consumer asks from: it can name none but its own
     */
    String toAsker(String consumer, int port, int session) {
        return kind == Kind.SHARED_MEMORY
                ? talk().media("ipc").sessionId(session).build()
                : talk().media("udp")
                        .endpoint(consumer + ":" + port)
                        .sessionId(session)
                        .build();
    }

    private static ChannelUriStringBuilder talk() {
        return new ChannelUriStringBuilder().termLength(DESK_TERM).mtu(FeatureMessage.MTU_BYTES);
    }

    private static ChannelUriStringBuilder untethered(ChannelUriStringBuilder uri) {
        return uri.untetheredWindowLimitTimeout(UNTETHERED)
                .untetheredLingerTimeout(UNTETHERED)
                .untetheredRestingTimeout("1s");
    }

    private ChannelUriStringBuilder subscription(DistributionSettings settings, String local, boolean tethered) {
        ChannelUriStringBuilder uri = new ChannelUriStringBuilder();
        if (kind == Kind.SHARED_MEMORY) {
            return tethered ? uri.media("ipc") : untethered(uri.media("ipc")).tether(false);
        }
        uri.media("udp");
        if (kind == Kind.PUBLISHER) {
            return uri.endpoint(local).controlEndpoint(address).controlMode("dynamic");
        }
        if (kind == Kind.GROUP) {
            settings.localAddress().ifPresent(uri::networkInterface);
        }
        return uri.endpoint(address);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case SHARED_MEMORY -> "ipc";
            case PUBLISHER -> FROM + address;
            default -> address;
        };
    }
}
