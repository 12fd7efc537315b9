package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.BootstrapRegister;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How a camera comes to its address, and the name that users give it: bootstrap registers of its first network
 * interface (GigE Vision 2.2, bootstrap registers). Most cameras follow a change when they start the next time;
 * {@code DeviceReset} makes them.
 *
 * <p>Methods may be called from any thread, but changes by one thread at a time: some read a register and write it
 * back.
 */
public final class AddressSettings {
    private static final int USER_NAME_BYTES = 16;

    /** A way to an address. Those that are enabled are tried in this order. */
    public enum Method {
        /** The address that the camera keeps. */
        PERSISTENT(0x1),
        /** A DHCP server's. */
        DHCP(0x2),
        /** A free one of 169.254/16; cannot be disabled. */
        LINK_LOCAL(0x4);

        private final int bit;

        Method(int bit) {
            this.bit = bit;
        }

        private static Set<Method> of(int bits) {
            Set<Method> methods = EnumSet.noneOf(Method.class);
            for (Method method : values()) {
                if ((bits & method.bit) != 0) {
                    methods.add(method);
                }
            }
            return methods;
        }
    }

    /** Another one after each loss of the device. */
    private final Supplier<ControlChannel> control;

    AddressSettings(Supplier<ControlChannel> control) {
        this.control = control;
    }

    /** Where the camera stands now. */
    public AddressConfiguration current() {
        return configuration(
                BootstrapRegister.CURRENT_IP_ADDRESS,
                BootstrapRegister.CURRENT_SUBNET_MASK,
                BootstrapRegister.CURRENT_DEFAULT_GATEWAY);
    }

    /** The address that the camera keeps; used when {@link Method#PERSISTENT} is enabled. */
    public AddressConfiguration persistent() {
        return configuration(
                BootstrapRegister.PERSISTENT_IP_ADDRESS,
                BootstrapRegister.PERSISTENT_SUBNET_MASK,
                BootstrapRegister.PERSISTENT_DEFAULT_GATEWAY);
    }

    private AddressConfiguration configuration(int address, int mask, int gateway) {
        int[] values = control.get().readRegisters(address, mask, gateway);
        try {
            return new AddressConfiguration(
                    AddressConfiguration.ofBits(values[0]),
                    AddressConfiguration.ofBits(values[1]),
                    AddressConfiguration.ofBits(values[2]));
        } catch (IllegalArgumentException e) {
            throw new DeviceException("The camera's address registers hold nonsense: " + e.getMessage(), e);
        }
    }

    /**
     * Sets the address that the camera keeps, and reads it back.
     *
     * @throws DeviceException if the camera has no persistent address, or kept something else
     */
    public void persistent(AddressConfiguration configuration) {
        if (!supported().contains(Method.PERSISTENT)) {
            throw new DeviceException("The camera cannot keep an address: it supports " + supported());
        }
        int[] values = {
            AddressConfiguration.bits(configuration.address()),
            AddressConfiguration.bits(configuration.subnetMask()),
            AddressConfiguration.bits(configuration.gateway())
        };
        control.get().writeRegister(BootstrapRegister.PERSISTENT_IP_ADDRESS, values[0]);
        control.get().writeRegister(BootstrapRegister.PERSISTENT_SUBNET_MASK, values[1]);
        control.get().writeRegister(BootstrapRegister.PERSISTENT_DEFAULT_GATEWAY, values[2]);
        AddressConfiguration kept = persistent();
        if (!kept.equals(configuration)) {
            throw new DeviceException("The camera keeps " + kept + " instead of " + configuration);
        }
    }

    /** The ways that the camera knows. */
    public Set<Method> supported() {
        return Method.of(control.get().readRegister(BootstrapRegister.SUPPORTED_IP_CONFIGURATION));
    }

    /** The ways that are enabled. */
    public Set<Method> enabled() {
        return Method.of(control.get().readRegister(BootstrapRegister.CURRENT_IP_CONFIGURATION));
    }

    /**
     * Enables ways, and disables all others but {@link Method#LINK_LOCAL}.
     *
     * @throws DeviceException if the camera does not know one of them, or enabled others
     */
    public void enable(Set<Method> methods) {
        Set<Method> supported = supported();
        if (!supported.containsAll(methods)) {
            throw new DeviceException("The camera supports " + supported + ", not all of " + methods);
        }
        int old = control.get().readRegister(BootstrapRegister.CURRENT_IP_CONFIGURATION);
        int wanted = Method.LINK_LOCAL.bit;
        int all = 0;
        for (Method method : Method.values()) {
            all |= method.bit;
            wanted |= methods.contains(method) ? method.bit : 0;
        }
        // The register also switches pause frames.
        control.get().writeRegister(BootstrapRegister.CURRENT_IP_CONFIGURATION, (old & ~all) | wanted);
        Set<Method> now = enabled();
        if (!now.equals(Method.of(wanted))) {
            throw new DeviceException("The camera enabled " + now + " instead of " + Method.of(wanted));
        }
    }

    /** The name that a user gave the camera, empty text when there is none. */
    public String userName() {
        byte[] bytes = control.get().readMemory(BootstrapRegister.USER_NAME, USER_NAME_BYTES);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /**
     * Names the camera. Cameras keep the name.
     *
     * @param name at most 15 bytes of UTF-8
     * @throws DeviceException if the name is too long, or the camera cannot be named
     */
    public void userName(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= USER_NAME_BYTES || name.indexOf('\0') >= 0) {
            throw new DeviceException("'" + name + "' cannot be a camera's name: it may have " + (USER_NAME_BYTES - 1)
                    + " bytes of UTF-8, none of them 0");
        }
        if ((control.get().capability() & BootstrapRegister.GVCP_CAPABILITY_USER_NAME) == 0) {
            throw new DeviceException("The camera cannot be named: its GVCP capability lacks the user-defined name");
        }
        control.get().writeMemory(BootstrapRegister.USER_NAME, Arrays.copyOf(bytes, USER_NAME_BYTES));
    }
}
