package io.peregrine.browser.cameras;

import io.peregrine.device.Bandwidth;
import io.peregrine.device.DeviceException;
import io.peregrine.doctor.HostFiles;
import io.peregrine.genapi.GenApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the open cameras of one interface share its link.
 *
 * @param networkInterface name of the interface
 * @param link its speed
 * @param members the cameras, with the streams that they would send
 * @param plan what their streams should do, in the order of those that have one
 */
public record LinkPlan(String networkInterface, Link link, List<Member> members, Bandwidth.Plan plan) {
    private static final long MEGABIT = 1_000_000;

    /**
     * Speed of a link.
     *
     * @param bitsPerSecond speed
     * @param source what it comes from
     */
    public record Link(long bitsPerSecond, Source source) {
        /** Where a speed comes from. */
        public enum Source {
            /** The user gave it. */
            GIVEN,
            /** The adapter of this host reports it. */
            ADAPTER,
            /** A camera reports it. */
            CAMERA,
            /** Unknown: one gigabit per second. */
            ASSUMED
        }
    }

    /**
     * A camera on the link.
     *
     * @param camera which one
     * @param stream what it would send; empty when that is unknown
     * @param delayTicks the packet delay that it is set to now, if it reports it
     * @param problem why its stream is unknown; empty when it is known
     */
    public record Member(Camera camera, Optional<Bandwidth.Stream> stream, OptionalLong delayTicks, String problem) {
        static Member of(Camera camera, OpenCamera open) {
            OptionalLong delay = open.number("GevSCPD");
            try {
                Bandwidth.Stream known = open.device().network().bandwidth(0, 0);
                Bandwidth.Stream named = new Bandwidth.Stream(
                        camera.label(),
                        known.payloadBytes(),
                        known.framesPerSecond(),
                        known.packetSizeBytes(),
                        known.extendedIds(),
                        known.tickFrequencyHz());
                return new Member(camera, Optional.of(named), delay, "");
            } catch (DeviceException | GenApiException e) {
                return new Member(camera, Optional.empty(), delay, String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Plans for all interfaces that have open cameras; nothing is set.
     *
     * @param cameras of these, those that are open and no recordings count
     * @param given speeds by interface that count more than what adapters report, in Mbit/s
     */
    public static List<LinkPlan> of(List<Camera> cameras, Map<String, Long> given) {
        Map<String, List<Member>> byInterface = new LinkedHashMap<>();
        for (Camera camera : cameras) {
            Optional<OpenCamera> open = camera.isFile() ? Optional.empty() : camera.opened();
            open.ifPresent(one -> byInterface
                    .computeIfAbsent(camera.info().interfaceName(), name -> new ArrayList<>())
                    .add(Member.of(camera, one)));
        }
        List<LinkPlan> plans = new ArrayList<>();
        byInterface.forEach((name, members) -> {
            Link link = link(name, members, Optional.ofNullable(given.get(name)));
            List<Bandwidth.Stream> streams =
                    members.stream().flatMap(member -> member.stream().stream()).toList();
            plans.add(new LinkPlan(name, link, members, Bandwidth.plan((double) link.bitsPerSecond(), streams)));
        });
        return plans;
    }

    /** What the plan says of a camera. */
    public Optional<Bandwidth.Share> share(Member member) {
        return plan.shares().stream()
                .filter(share -> member.stream().filter(share.stream()::equals).isPresent())
                .findFirst();
    }

    private static Link link(String name, List<Member> members, Optional<Long> givenMegabits) {
        if (givenMegabits.isPresent()) {
            return new Link(givenMegabits.get() * MEGABIT, Link.Source.GIVEN);
        }
        OptionalLong adapter = HostFiles.number(
                HostFiles.system().sys().resolve("class/net").resolve(name).resolve("speed"));
        if (adapter.orElse(0) > 0) {
            return new Link(adapter.getAsLong() * MEGABIT, Link.Source.ADAPTER);
        }
        for (Member member : members) {
            OptionalLong bytes = member.camera()
                    .opened()
                    .map(open -> open.number("DeviceLinkSpeed"))
                    .orElse(OptionalLong.empty());
            if (bytes.orElse(0) > 0) {
                return new Link(8 * bytes.getAsLong(), Link.Source.CAMERA);
            }
        }
        return new Link(1000 * MEGABIT, Link.Source.ASSUMED);
    }
}
