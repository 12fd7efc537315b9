package io.peregrine.virtualcamera.junit;

import io.peregrine.virtualcamera.VirtualCamera;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Starts the cameras of {@link GevCamera}. The stores of JUnit keep them, and close them with their context. */
final class GevCameraExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace CAMERAS =
            ExtensionContext.Namespace.create(GevCameraExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        Class<?> type = context.getRequiredTestClass();
        Optional<GevCamera> ofClass = AnnotationSupport.findAnnotation(type, GevCamera.class);
        if (ofClass.isPresent()) {
            camera(context, GevCamera.class, ofClass.get());
        }
        for (Field field : fields(type)) {
            if (Modifier.isStatic(field.getModifiers())) {
                fill(field, null, context);
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : fields(instance.getClass())) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fill(field, instance, context);
                }
            }
        }
    }

    /** A camera of a constructor lives as long as what it constructs. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    private static Iterable<Field> fields(Class<?> type) {
        return AnnotationSupport.findAnnotatedFields(
                type, GevCamera.class, field -> true, HierarchyTraversalMode.TOP_DOWN);
    }

    private static void fill(Field field, Object instance, ExtensionContext context) throws IllegalAccessException {
        if (!known(field.getType()) || Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException(
                    "@GevCamera needs a field that is not final, of type VirtualCamera or InetSocketAddress: " + field);
        }
        VirtualCamera camera = camera(context, field, field.getAnnotation(GevCamera.class));
        field.setAccessible(true);
        field.set(instance, as(field.getType(), camera));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (parameter.isAnnotated(GevCamera.class)) {
            if (!known(type)) {
                throw new ExtensionConfigurationException(
                        "@GevCamera needs a parameter of type VirtualCamera or InetSocketAddress: "
                                + parameter.getParameter());
            }
            return true;
        }
        return known(type) && cameraOfClass(context).isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return parameter
                .findAnnotation(GevCamera.class)
                .map(annotation -> as(type, camera(context, parameter.getParameter(), annotation)))
                .orElseGet(() -> as(type, cameraOfClass(context).orElseThrow()));
    }

    /** Inner contexts see what outer ones keep. */
    private static Optional<VirtualCamera> cameraOfClass(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(CAMERAS).get(GevCamera.class, Running.class))
                .map(Running::camera);
    }

    private static VirtualCamera camera(ExtensionContext context, Object key, GevCamera annotation) {
        Running running = new Running(TestCameras.start(annotation));
        context.getStore(CAMERAS).put(key, running);
        return running.camera;
    }

    private static boolean known(Class<?> type) {
        return type == VirtualCamera.class || type == InetSocketAddress.class;
    }

    private static Object as(Class<?> type, VirtualCamera camera) {
        return type == VirtualCamera.class ? camera : camera.address();
    }

    /** What the store closes. */
    private record Running(VirtualCamera camera) implements AutoCloseable {
        @Override
        public void close() {
            camera.close();
        }
    }
}
