package io.peregrine.samples;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;

/** Reads features, sets one, and sets it back. */
public final class ReadAndSetFeatures {
    private ReadAndSetFeatures() {}

    /** Runs the sample; it takes no arguments. */
    public static void main(String[] arguments) {
        try (Device device = DeviceFactory.open(DeviceFactory.first())) {
            NodeMap nodes = device.nodes();
            for (String name : new String[] {"DeviceVendorName", "DeviceModelName", "PixelFormat", "Width", "Height"}) {
                nodes.find(name)
                        .filter(Node::readable)
                        .ifPresent(node -> System.out.println(node.name() + " = " + node.valueAsText()));
            }
            IntegerNode width = nodes.integer("Width");
            long before = width.value();
            width.set(width.min());
            System.out.println("Width set to " + width.value() + ", its range is " + width.min() + " to " + width.max()
                    + " in steps of " + width.increment());
            width.set(before);
        }
    }
}
