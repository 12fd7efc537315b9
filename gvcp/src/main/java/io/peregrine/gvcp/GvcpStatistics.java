package io.peregrine.gvcp;

/**
 * What a control channel has seen since it was opened.
 *
 * @param commands commands that wanted an answer, repetitions not counted
 * @param repetitions commands sent again because no answer came in time
 * @param timeouts commands that were never answered
 * @param failures commands answered with a failure status
 * @param staleAnswers datagrams dropped because they answer something else
 * @param malformedAnswers datagrams dropped because they are no well-formed answer
 * @param pendingAnswers how often the device asked for more time
 * @param resendRequests resend requests handed to the network
 * @param resendFailures resend requests that the network did not take
 * @param heartbeats heartbeats that the device answered
 */
public record GvcpStatistics(
        long commands,
        long repetitions,
        long timeouts,
        long failures,
        long staleAnswers,
        long malformedAnswers,
        long pendingAnswers,
        long resendRequests,
        long resendFailures,
        long heartbeats) {}
