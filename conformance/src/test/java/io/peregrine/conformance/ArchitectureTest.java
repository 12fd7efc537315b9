package io.peregrine.conformance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assertions;

/** The direction in which the modules know each other, and what none of them may do. */
@AnalyzeClasses(
        packages = "io.peregrine",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.WithoutTestSupport.class})
class ArchitectureTest {
    /** The module {@code testing} is part of the tests. */
    static final class WithoutTestSupport implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("io/peregrine/testing/");
        }
    }

    private static final String PFNC = "io.peregrine.pfnc..";
    private static final String GENDC = "io.peregrine.gendc..";
    private static final String GENAPI = "io.peregrine.genapi..";
    private static final String GVCP = "io.peregrine.gvcp..";
    private static final String DISCOVERY = "io.peregrine.discovery..";
    private static final String COMPOSITE = "io.peregrine.composite..";
    private static final String EXPORT = "io.peregrine.export..";
    private static final String RECORDING = "io.peregrine.recording..";
    private static final String DEVICE = "io.peregrine.device..";
    private static final String DOCTOR = "io.peregrine.doctor..";
    private static final String DISTRIBUTION = "io.peregrine.distribution..";
    private static final String PVACCESS = "io.peregrine.pvaccess..";
    private static final String TRAFFIC = "io.peregrine.traffic..";
    private static final String CAMERA = "io.peregrine.virtualcamera..";
    private static final String BROWSER = "io.peregrine.browser..";
    private static final String CLI = "io.peregrine.cli..";
    private static final String SAMPLES = "io.peregrine.samples..";
    private static final String NATIVE = "io.peregrine.nativeio..";
    private static final String RDMA = "io.peregrine.rdma..";
    private static final String RDMA_TEST = "io.peregrine.rdmatest..";
    /** The packages of the module that receives streams; it is one room. */
    private static final String[] STREAM = {
        "io.peregrine.stream..",
        "io.peregrine.gvsp..",
        RDMA,
        RDMA_TEST,
        "io.peregrine.rocev2..",
        "io.peregrine.verbs..",
        NATIVE
    };

    @ArchTest
    static void theRulesSeeEveryModule(JavaClasses imported) {
        Set<String> packages = new TreeSet<>();
        imported.forEach(type -> packages.add(type.getPackageName()));
        for (String name : new String[] {
            "pfnc",
            "gendc",
            "genapi",
            "gvcp",
            "discovery",
            "stream",
            "gvsp",
            "composite",
            "export",
            "recording",
            "device",
            "doctor",
            "distribution",
            "pvaccess",
            "traffic",
            "virtualcamera",
            "browser",
            "cli",
            "samples"
        }) {
            Assertions.assertTrue(packages.contains("io.peregrine." + name), () -> name + " is not in " + packages);
        }
    }

    @ArchTest
    static final ArchRule PFNC_KNOWS_ONLY_THE_JDK = packages(PFNC).mayUse();

    @ArchTest
    static final ArchRule GENDC_KNOWS_ONLY_PIXEL_FORMATS = packages(GENDC).mayUse(PFNC);

    @ArchTest
    static final ArchRule GENAPI_KNOWS_ONLY_THE_JDK = packages(GENAPI).mayUse();

    @ArchTest
    static final ArchRule GVCP_KNOWS_NO_OTHER_MODULE = packages(GVCP).mayUse();

    @ArchTest
    static final ArchRule DISCOVERY_KNOWS_ONLY_GVCP = packages(DISCOVERY).mayUse(GVCP);

    @ArchTest
    static final ArchRule STREAM_KNOWS_NO_OTHER_MODULE = packages(STREAM).mayUse("com.sun.jna..");

    @ArchTest
    static final ArchRule COMPOSITE_KNOWS_STREAM_GENDC_AND_PFNC =
            packages(COMPOSITE).mayUse("io.peregrine.stream..", GENDC, PFNC);

    @ArchTest
    static final ArchRule EXPORT_KNOWS_ONLY_COMPOSITES = packages(EXPORT).mayUse(COMPOSITE, GENDC, PFNC);

    @ArchTest
    static final ArchRule RECORDING_KNOWS_COMPOSITES_AND_STREAM =
            packages(RECORDING).mayUse(COMPOSITE, "io.peregrine.stream..", GENDC, PFNC);

    @ArchTest
    static final ArchRule DEVICE_WIRES_ALL_BUT_THE_PROGRAMS = classes()
            .that()
            .resideInAPackage(DEVICE)
            .should(onlyUse(DescribedPredicate.not(resideInAnyPackage(
                            DISTRIBUTION, PVACCESS, DOCTOR, CAMERA, BROWSER, CLI, SAMPLES, TRAFFIC, "com.sun.jna..")
                    .as("distribution, pvAccess, doctor, programs, cameras, recorded traffic and JNA"))));

    @ArchTest
    static final ArchRule DISTRIBUTION_KNOWS_FRAMES_FEATURES_HOW_DEVICES_ARE_FOUND_AND_THE_DOCTOR = packages(
                    DISTRIBUTION)
            .mayUse(
                    // Its exceptions: a camera that is asked through a publisher fails as one that is asked directly.
                    "io.peregrine.device",
                    "io.peregrine.device.spi..",
                    DOCTOR,
                    GENAPI,
                    RECORDING,
                    COMPOSITE,
                    "io.peregrine.stream..",
                    NATIVE,
                    "io.aeron..",
                    "org.agrona..");

    @ArchTest
    static final ArchRule ONLY_THE_MEDIA_DRIVER_OF_DISTRIBUTION_KNOWS_NATIVE_CALLS = noClasses()
            .that()
            .resideInAPackage(DISTRIBUTION)
            .and()
            .resideOutsideOfPackage("io.peregrine.distribution.driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(NATIVE);

    @ArchTest
    static final ArchRule ONLY_DISTRIBUTION_KNOWS_AERON = noClasses()
            .that()
            .resideOutsideOfPackage(DISTRIBUTION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.aeron..", "org.agrona..");

    @ArchTest
    static final ArchRule DOCTOR_LOOKS_AT_DEVICES_AND_THEIR_REGISTERS =
            packages(DOCTOR).mayUse(DEVICE, DISCOVERY, GVCP, GENAPI, "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule PVACCESS_KNOWS_COMPOSITES_AND_THE_LIBRARY =
            packages(PVACCESS).mayUse(COMPOSITE, "io.peregrine.stream..", GENDC, PFNC, "org.epics..");

    @ArchTest
    static final ArchRule ONLY_PVACCESS_KNOWS_EPICS = noClasses()
            .that()
            .resideOutsideOfPackage(PVACCESS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.epics..");

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_KNOWS_PVACCESS = noClasses()
            .that()
            .resideOutsideOfPackages(PVACCESS, CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(PVACCESS);

    @ArchTest
    static final ArchRule TRAFFIC_IS_ONLY_LOOKED_AT = packages(TRAFFIC)
            .mayUse(
                    GVCP,
                    GENAPI,
                    "io.peregrine.rocev2..",
                    NATIVE,
                    "io.peregrine.device", // for its exceptions
                    "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule VIRTUAL_CAMERA_HAS_A_CODEC_OF_ITS_OWN =
            packages(CAMERA).mayUse(GENDC, PFNC, RDMA, "com.fasterxml.jackson..", "com.sun.jna..", "org.junit..");

    @ArchTest
    static final ArchRule ONLY_THE_EXTENSION_FOR_TESTS_KNOWS_JUNIT = noClasses()
            .that()
            .resideOutsideOfPackage("io.peregrine.virtualcamera.junit")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.junit..");

    @ArchTest
    static final ArchRule PROGRAMS_USE_THE_PUBLIC_API_ONLY = classes()
            .that()
            .resideInAnyPackage(BROWSER, CLI, SAMPLES)
            .should(onlyUse(DescribedPredicate.not(
                    DescribedPredicate.describe("not for users", ArchitectureTest::notForUsers))));

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_KNOWS_THE_BROWSER = noClasses()
            .that()
            .resideOutsideOfPackages(BROWSER, CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(BROWSER);

    @ArchTest
    static final ArchRule ONLY_THE_BROWSER_KNOWS_JETTY = noClasses()
            .that()
            .resideOutsideOfPackage(BROWSER)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule THE_BROWSER_DOES_NOT_NEED_THE_VIRTUAL_CAMERA = noClasses()
            .that()
            .resideInAPackage(BROWSER)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CAMERA);

    @ArchTest
    static final ArchRule SAMPLES_DO_NOT_NEED_THE_VIRTUAL_CAMERA = noClasses()
            .that()
            .resideInAPackage(SAMPLES)
            .and()
            .doNotHaveSimpleName("LightingController") // It is a device itself.
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CAMERA);

    @ArchTest
    static final ArchRule NATIVE_CALLS_LIVE_IN_ONE_PACKAGE_AND_IN_THE_SENDER_OF_THE_CAMERA = noClasses()
            .that()
            .resideOutsideOfPackage(NATIVE)
            .and()
            .haveNameNotMatching("io\\.peregrine\\.virtualcamera\\.(Sockets|MmsgPacketOutput)")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.sun.jna..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.peregrine.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule LOGGING_GOES_TO_THE_SYSTEM_LOGGER = noClasses()
            .that()
            // A program may choose how what is logged is shown.
            // core-pva logs there, a warning for each frame that a client skips.
            .resideOutsideOfPackages(CLI, PVACCESS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging..");

    @ArchTest
    static final ArchRule ONLY_PROGRAMS_PRINT = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, SAMPLES)
            .and()
            .haveSimpleNameNotEndingWith("Main")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    @ArchTest
    static final ArchRule TEXT_DOES_NOT_DEPEND_ON_THE_LANGUAGE_OF_THE_USER = noClasses()
            .should()
            .callMethod(String.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(String.class, "formatted", Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "printf", String.class, Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
            .orShould()
            .callMethod(PrintWriter.class, "format", String.class, Object[].class)
            .because("in some languages %d writes other digits than 0 to 9, which no shell, camera or program reads");

    @ArchTest
    static final ArchRule NOTHING_SLEEPS = noClasses()
            .should()
            .accessTargetWhere(new DescribedPredicate<JavaAccess<?>>("it is a sleep") {
                @Override
                public boolean test(JavaAccess<?> access) {
                    return access.getTarget().getName().equals("sleep")
                            && access.getTargetOwner().getPackageName().startsWith("java.");
                }
            });

    /** Of what receives streams, {@code io.peregrine.stream} is for users; the packages of the machinery are not. */
    private static boolean notForUsers(JavaClass type) {
        boolean forUsers = type.isAssignableTo(Throwable.class)
                || type.getPackageName().equals("io.peregrine.stream")
                // The command rdma-test; exported to its module alone.
                || type.getPackageName().equals("io.peregrine.rdmatest")
                || type.getFullName().equals("io.peregrine.discovery.AddressConfiguration")
                // Words for people, the same in programs and in exceptions of the library.
                || type.getFullName().equals("io.peregrine.composite.internal.FileFailure");
        return !forUsers
                && (type.getPackageName().contains(".internal")
                        || resideInAnyPackage(STREAM)
                                .or(resideInAnyPackage(GVCP, DISCOVERY))
                                .test(type));
    }

    private static Room packages(String... names) {
        return new Room(resideInAnyPackage(names));
    }

    /** One room of the house, and what it may know. */
    private record Room(DescribedPredicate<JavaClass> inside) {
        /** Besides itself and the JDK. */
        ArchRule mayUse(String... others) {
            return mayUse(resideInAnyPackage(others));
        }

        /** Besides itself and the JDK. */
        ArchRule mayUse(DescribedPredicate<JavaClass> others) {
            return classes()
                    .that(inside)
                    .should(onlyUse(inside.or(others)
                            .or(resideInAnyPackage("java..", "javax..", "jdk.jfr..", "org.jspecify.annotations"))));
        }
    }

    /** By class files and by sources, where the constants of other classes are still seen. */
    private static ArchCondition<JavaClass> onlyUse(DescribedPredicate<? super JavaClass> allowed) {
        return new ArchCondition<>("only use classes which are " + allowed.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> !allowed.test(dependency.getTargetClass()))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
                Sources.named(type).stream()
                        .filter(named -> !allowed.test(named))
                        .forEach(named -> events.add(SimpleConditionEvent.violated(
                                type, "The source of " + type.getFullName() + " names " + named.getFullName())));
            }
        };
    }
}
