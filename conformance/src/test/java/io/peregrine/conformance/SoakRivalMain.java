package io.peregrine.conformance;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Another application that wants a camera whenever a file tells so: one line with a number, a new one each time, and
 * the camera's address. Holds it for a short time if it gets it. Says "had NUMBER" or "refused NUMBER REASON".
 */
final class SoakRivalMain {
    private static final long LOOK_NANOS = 20_000_000;
    private static final long HOLD_NANOS = 300_000_000;

    private SoakRivalMain() {}

    public static void main(String[] arguments) throws Exception {
        Path orders = Path.of(arguments[0]);
        String last = "";
        while (true) {
            String order = Files.exists(orders) ? Files.readString(orders).strip() : "";
            if (!order.equals(last) && order.contains(" ")) {
                last = order;
                String[] parts = order.split(" ", 2);
                try (Device device = DeviceFactory.open(parts[1])) {
                    LockSupport.parkNanos(HOLD_NANOS);
                    System.out.println("had " + parts[0] + " " + device.info().serialNumber());
                } catch (RuntimeException e) {
                    System.out.println("refused " + parts[0] + " " + e.getMessage());
                }
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
