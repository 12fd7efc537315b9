package io.peregrine.virtualcamera.junit;

import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.StreamPayload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test a running camera, on a loopback address and a free port that no other test has, and stops it afterwards.
 * The place of the annotation determines how long the camera runs:
 *
 * <ul>
 *   <li>on a field, or a parameter of a test, of a {@code @BeforeEach} method or of a constructor: one camera for each
 *       test;
 *   <li>on a static field, or a parameter of a {@code @BeforeAll} method: one camera for the class;
 *   <li>on the class: one camera for the class, which every parameter without its own annotation gets.
 * </ul>
 *
 * <p>Fields and parameters are of type {@link io.peregrine.virtualcamera.VirtualCamera}, or of type
 * {@link java.net.InetSocketAddress} for its GVCP address. Several of them are several cameras. The camera does not
 * receive broadcasts, since its port is not the well-known one: discover it by its address.
 *
 * <p>Elements left at their defaults set nothing; {@link #scenario()} and then the defaults of
 * {@link io.peregrine.virtualcamera.Scenario} decide. Needs JUnit Jupiter 5.13 or newer.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(GevCameraExtension.class)
@SuppressWarnings("exports") // Those who write tests have JUnit.
public @interface GevCamera {
    /**
     * Serial number, up to 15 bytes.
     *
     * @return the serial number; by default it is made from the address
     */
    String serial() default "";

    /**
     * User-defined name (DeviceUserID), up to 15 bytes.
     *
     * @return the name
     */
    String userName() default "";

    /**
     * Image width, in pixels.
     *
     * @return a multiple of 2; 0 for the default
     */
    int width() default 0;

    /**
     * Image height, in lines.
     *
     * @return the height; 0 for the default
     */
    int height() default 0;

    /**
     * Frames a second.
     *
     * @return 0.1 to 10000; 0 for the default
     */
    double frameRate() default 0;

    /**
     * PFNC name of the pixel format of the intensity.
     *
     * @return such as {@code Mono8}
     */
    String pixelFormat() default "";

    /**
     * Components switched on at start.
     *
     * @return the components; none for the default, which is all of them
     */
    ComponentKind[] components() default {};

    /**
     * The contents of the blocks.
     *
     * @return the content
     */
    Content content() default Content.COMPONENTS;

    /**
     * The GVSP payload in which they are sent.
     *
     * @return the payload
     */
    StreamPayload payload() default StreamPayload.AUTOMATIC;

    /**
     * How GenDC containers are spread over flows.
     *
     * @return the layout
     */
    Scenario.Flows flows() default Scenario.Flows.SINGLE;

    /**
     * Provider of RDMA for the camera.
     *
     * @return {@code none}, {@code auto}, {@code verbs} or {@code software}
     */
    String rdmaProvider() default "";

    /**
     * Faults, as in the property {@code faults} of a scenario file.
     *
     * @return a JSON object, such as <code>{"lossPerMille": 5}</code>
     */
    String faults() default "";

    /**
     * Everything else, as in a scenario file. Its address and port are ignored.
     *
     * @return a JSON object
     */
    String scenario() default "";
}
