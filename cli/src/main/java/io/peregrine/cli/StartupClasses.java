package io.peregrine.cli;

import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs what commands do, so that an archive of the classes they need can be made: reads a description, and receives
 * frames of a virtual camera. Sends to the loopback interface only.
 */
final class StartupClasses {
    private static final String XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <RegisterDescription xmlns="http://www.genicam.org/GenApi/Version_1_1" ModelName="M" VendorName="V"
            ToolTip=""
                StandardNameSpace="None" SchemaMajorVersion="1" SchemaMinorVersion="1" SchemaSubMinorVersion="0"
                MajorVersion="1" MinorVersion="0" SubMinorVersion="0">
              <Category Name="Root"><pFeature>I</pFeature><pFeature>F</pFeature><pFeature>E</pFeature>
                <pFeature>C</pFeature><pFeature>B</pFeature><pFeature>S</pFeature><pFeature>T</pFeature>
                <pFeature>K</pFeature><pFeature>N</pFeature><pFeature>R</pFeature><pFeature>X</pFeature></Category>
              <Integer Name="I"><pIsAvailable>One</pIsAvailable><pIsLocked>Mask</pIsLocked><pValue>Reg</pValue>
                <pMax>Int</pMax><Inc>1</Inc><Representation>Linear</Representation></Integer>
              <Integer Name="One"><Value>1</Value><pSelected>I</pSelected></Integer>
              <Float Name="F"><pValue>N</pValue><Unit>us</Unit></Float>
              <Enumeration Name="E"><EnumEntry Name="Off"><Value>0</Value></EnumEntry><pValue>Reg</pValue></Enumeration>
              <Command Name="C"><pValue>Reg</pValue><CommandValue>1</CommandValue></Command>
              <Boolean Name="B"><pValue>Mask</pValue></Boolean>
              <StringReg Name="S"><Address>16</Address><Length>16</Length><AccessMode>RO</AccessMode><pPort>P</pPort>
              </StringReg>
              <String Name="T"><Value>text</Value></String>
              <SwissKnife Name="K"><pVariable Name="A">Reg</pVariable><Formula>(A = 1) ? LN(A) : A * 2.5</Formula>
              </SwissKnife>
              <IntSwissKnife Name="Int"><pVariable Name="A">Reg</pVariable><Formula>A * 4 + (1 &lt;&lt; 3)</Formula>
              </IntSwissKnife>
              <Converter Name="N"><FormulaTo>FROM * 2</FormulaTo><FormulaFrom>TO / 2</FormulaFrom><pValue>Reg</pValue>
              </Converter>
              <IntConverter Name="IntN"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>Reg</pValue>
              </IntConverter>
              <Register Name="R"><Address>32</Address><Length>8</Length><AccessMode>RO</AccessMode><pPort>P</pPort>
              </Register>
              <FloatReg Name="X"><Address>40</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>P</pPort>
                <Endianess>BigEndian</Endianess></FloatReg>
              <IntReg Name="Reg"><Address>0</Address><pAddress>One</pAddress><Length>4</Length>
              <AccessMode>RW</AccessMode>
                <pPort>P</pPort><PollingTime>1000</PollingTime><pInvalidator>C</pInvalidator>
                <Endianess>BigEndian</Endianess>
              </IntReg>
              <MaskedIntReg Name="Mask"><Address>4</Address><Length>4</Length><AccessMode>RW</AccessMode>
              <pPort>P</pPort>
                <Bit>3</Bit><Endianess>BigEndian</Endianess></MaskedIntReg>
              <StructReg Comment="bits"><Address>8</Address><Length>4</Length><pPort>P</pPort>
                <StructEntry Name="Bits"><LSB>0</LSB><MSB>3</MSB></StructEntry></StructReg>
              <Port Name="P"/>
            </RegisterDescription>
            """;

    private static final String FRAMES = "3";

    private StartupClasses() {}

    /** Runs the commands with a separate description and camera. */
    public static void main(String[] arguments) throws IOException {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        LogLines.install(nowhere);
        Path folder = Files.createTempDirectory("peregrine");
        Path file = Files.writeString(folder.resolve("startup.xml"), XML);
        try {
            run(nowhere, "--help");
            run(nowhere, "xml", "--help");
            run(nowhere, "xml", "--file", file.toString());
            run(nowhere, "xml", "--check", "--file", file.toString());
            run(nowhere, "xml", "--check", "--json", "--file", file.toString());
            run(nowhere, "list", "--unknown");
            try (VirtualCamera camera =
                    VirtualCamera.start(Scenario.builder().port(0).build())) {
                String address = "127.0.0.1:" + camera.address().getPort();
                run(nowhere, "list", "--address", address);
                run(nowhere, "info", address);
                run(nowhere, "get", address, "Width");
                run(nowhere, "stream", address, "--frames", FRAMES);
            }
        } finally {
            Files.delete(file);
            Files.delete(folder);
        }
    }

    private static void run(PrintWriter err, String... command) {
        PeregrineMain.run(OutputStream.nullOutputStream(), err, false, command);
    }
}
