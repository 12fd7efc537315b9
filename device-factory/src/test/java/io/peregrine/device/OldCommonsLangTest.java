package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OldCommonsLangTest {
    private static final String REMEDY = "<commons-lang3.version>3.20.0</commons-lang3.version>";

    private static LinkageError thrown(LinkageError error) {
        throw error;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'java.lang.Object org.apache.commons.lang3.ObjectUtils.getIfNull(java.lang.Object, java.lang.Object)'",
                "org/apache/commons/lang3/function/FailableSupplier",
                "Could not initialize class org.apache.commons.configuration2.interpol.DefaultLookups",
            })
    void whatCommonsConfigurationMissesIsToldWithTheVersionToSet(String missing) {
        for (LinkageError error : List.of(new NoSuchMethodError(missing), new NoClassDefFoundError(missing))) {
            DeviceException told =
                    assertThrows(DeviceException.class, () -> PeregrineSettings.linked(() -> thrown(error)));
            assertTrue(told.getMessage().contains(missing) && told.getMessage().contains(REMEDY), told.getMessage());
        }
    }

    @Test
    void whatSomethingElseMissesIsNotBlamedOnCommonsLang() {
        NoClassDefFoundError error = new NoClassDefFoundError("io/peregrine/device/Setting");
        assertSame(
                error, assertThrows(NoClassDefFoundError.class, () -> PeregrineSettings.linked(() -> thrown(error))));
    }

    private static URLClassLoader withClassesBefore(Path first) throws IOException {
        List<URL> path = new ArrayList<>(List.of(first.toUri().toURL()));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String each : classPath.split(File.pathSeparator, -1)) {
            path.add(Path.of(each).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Object firstSetting(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> settings = Class.forName(PeregrineSettings.class.getName(), true, loader);
        Object loaded = settings.getMethod("load").invoke(null);
        return settings.getMethod("value", String.class).invoke(loaded, PeregrineSettings.DISCOVERY_WINDOW);
    }

    @Test
    void aLibraryWithoutTheMethodThatIsCalledIsToldWithTheVersionToSet(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(
                folder.resolve("ObjectUtils.java"), "package org.apache.commons.lang3; public class ObjectUtils {}");
        assertEquals(
                0,
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.out, System.err, "-proc:none", "-d", folder.toString(), source.toString()));
        try (URLClassLoader loader = withClassesBefore(folder)) {
            Throwable told = assertThrows(InvocationTargetException.class, () -> firstSetting(loader))
                    .getCause();
            assertEquals(DeviceException.class.getName(), told.getClass().getName(), told::toString);
            assertTrue(
                    told.getMessage().contains("ObjectUtils.")
                            && told.getMessage().contains(REMEDY),
                    told::getMessage);
        }
    }
}
