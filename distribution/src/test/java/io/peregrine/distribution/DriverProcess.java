package io.peregrine.distribution;

import java.util.concurrent.CountDownLatch;

/** Runs a media driver, in a process that tests end. */
final class DriverProcess {
    private DriverProcess() {}

    /** Runs it as the system properties say. */
    public static void main(String[] arguments) throws InterruptedException {
        AeronHost host = AeronHost.open(DistributionSettings.load());
        System.out.println("running " + host.aeron().clientId());
        new CountDownLatch(1).await();
    }
}
