package io.peregrine.distribution;

import io.aeron.driver.AbstractMinMulticastFlowControl;
import io.aeron.driver.Configuration;
import io.aeron.driver.FlowControlSupplier;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.net.InetSocketAddress;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Paces a publication by the consumers that must have each frame: Aeron's flow control by a group tag, but it does not
 * wait again for one that has joined already.
 *
 * <p>A consumer that joins asks for a setup. When that is sent, Aeron keeps the sender's limit until a consumer is new,
 * so that the one that joins is not left behind. One setup serves all that join, and those that asked a moment later
 * get another: it finds them present, none is new after it, and Aeron keeps the limit until the timeout. All consumers
 * stand still. Here, the limit is kept only if one that asked is not present yet. And what one consumer asks for again
 * does not hold up the others. For the thread of the sender.
 */
final class GroupFlowControl extends AbstractMinMulticastFlowControl {
    private static final String TAGGED = "tagged";
    /** What strangers send takes no more memory than that many consumers. */
    private static final int MAX_RECEIVERS = 256;

    private static final long NEVER = Long.MIN_VALUE;
    /** Parameter of a channel: bytes of a datagram, of which Aeron knows only the longest run. */
    private static final String DATAGRAM = "datagram";

    /** When each was heard last. */
    private final Long2LongHashMap present = new Long2LongHashMap(NEVER);

    private final LongHashSet asking = new LongHashSet();
    private final ResendBudget resends;
    /** 0 if it is not known. */
    private final int datagramBytes;

    GroupFlowControl(UdpChannel channel, long nowNanos) {
        super(true);
        datagramBytes = Integer.parseInt(channel.channelUri().get(DATAGRAM, "0"));
        resends = new ResendBudget(nowNanos);
    }

    /** Aeron's choice for all channels but those with group tags. */
    static FlowControlSupplier supplier() {
        FlowControlSupplier others = Configuration.multicastFlowControlSupplier();
        return (channel, stream, registration) -> isTagged(channel)
                ? new GroupFlowControl(channel, System.nanoTime())
                : others.newInstance(channel, stream, registration);
    }

    private static boolean isTagged(UdpChannel channel) {
        String named = channel.channelUri().get("fc", "");
        return named.equals(TAGGED) || named.startsWith(TAGGED + ",");
    }

    /** Value of a channel's {@code fc}, of this and of Aeron's own. */
    static String parameter(long tag, DistributionSettings settings) {
        return TAGGED + ",g:" + tag + ",t:" + settings.goneAfter().toMillis() + "ms";
    }

    /** Further parameter of a channel: what a consumer gets again in any case. */
    static String datagram(DistributionSettings settings) {
        return "|" + DATAGRAM + "=" + settings.mtuBytes();
    }

    @Override
    public long onStatusMessage(
            StatusMessageFlyweight message,
            InetSocketAddress from,
            long senderLimit,
            int initialTermId,
            int positionBitsToShift,
            long nowNanos) {
        // Consumers report many times a second: that is a clock.
        resends.update(nowNanos);
        boolean paces = paces(message);
        if (paces) {
            boolean leaves = (message.flags() & StatusMessageFlyweight.END_OF_STREAM_FLAG) != 0;
            note(message.receiverId(), leaves, nowNanos);
        }
        return processStatusMessage(message, senderLimit, initialTermId, positionBitsToShift, nowNanos, paces);
    }

    private boolean paces(StatusMessageFlyweight message) {
        return message.asfLength() == Long.BYTES && message.groupTag() == groupTag();
    }

    private void note(long receiver, boolean leaves, long nowNanos) {
        if (leaves) {
            present.remove(receiver);
            return;
        }
        if (present.size() >= MAX_RECEIVERS && !present.containsKey(receiver)) {
            present.values().removeIf(heard -> isPast(heard, nowNanos));
        }
        if (present.size() < MAX_RECEIVERS || present.containsKey(receiver)) {
            present.put(receiver, nowNanos);
        }
    }

    private boolean isPast(long heard, long nowNanos) {
        return heard + receiverTimeoutNs() - nowNanos < 0;
    }

    @Override
    public void onTriggerSendSetup(StatusMessageFlyweight message, InetSocketAddress from, long nowNanos) {
        boolean paces = paces(message);
        if (paces && asking.size() < MAX_RECEIVERS) {
            asking.add(message.receiverId());
        }
        processSendSetupTrigger(message, from, nowNanos, paces);
    }

    @Override
    public long onSetup(
            SetupFlyweight setup, long senderLimit, long senderPosition, int positionBitsToShift, long nowNanos) {
        boolean oneJoins = oneJoins(nowNanos);
        asking.clear();
        return oneJoins
                ? super.onSetup(setup, senderLimit, senderPosition, positionBitsToShift, nowNanos)
                : senderLimit;
    }

    private boolean oneJoins(long nowNanos) {
        LongHashSet.LongIterator each = asking.iterator();
        while (each.hasNext()) {
            long heard = present.get(each.nextValue());
            if (heard == NEVER || isPast(heard, nowNanos)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onError(ErrorFlyweight error, InetSocketAddress from, long nowNanos) {
        boolean paces = error.hasGroupTag() && error.groupTag() == groupTag();
        if (paces) {
            present.remove(error.receiverId());
        }
        processError(error, from, nowNanos, paces);
    }

    @Override
    public int maxRetransmissionLength(int termOffset, int resendLength, int termBufferLength, int mtuLength) {
        int possible = super.maxRetransmissionLength(termOffset, resendLength, termBufferLength, mtuLength);
        return resends.grant(possible, datagramBytes == 0 ? mtuLength : datagramBytes);
    }
}
