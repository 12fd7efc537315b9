package io.peregrine.genapi;

/**
 * The common features of the standard features naming convention, by name and type. A feature that the device does not
 * have throws a {@link GenApiException} when it is asked for; {@link NodeMap#find} tells whether it is there. Generated
 * from {@code src/main/features/features.csv}.
 */
public final class Features {
    private final NodeMap nodes;

    /**
     * Names the features of a node map.
     *
     * @param nodes the device's node map
     */
    public Features(NodeMap nodes) {
        this.nodes = nodes;
    }

    /** {@code DeviceVendorName}: name of the manufacturer. */
    public StringNode deviceVendorName() {
        return nodes.string("DeviceVendorName");
    }

    /** {@code DeviceModelName}: name of the model. */
    public StringNode deviceModelName() {
        return nodes.string("DeviceModelName");
    }

    /** {@code DeviceManufacturerInfo}: information that the manufacturer gives. */
    public StringNode deviceManufacturerInfo() {
        return nodes.string("DeviceManufacturerInfo");
    }

    /** {@code DeviceVersion}: version of the device. */
    public StringNode deviceVersion() {
        return nodes.string("DeviceVersion");
    }

    /** {@code DeviceFirmwareVersion}: version of the firmware. */
    public StringNode deviceFirmwareVersion() {
        return nodes.string("DeviceFirmwareVersion");
    }

    /** {@code DeviceSerialNumber}: serial number. */
    public StringNode deviceSerialNumber() {
        return nodes.string("DeviceSerialNumber");
    }

    /** {@code DeviceID}: identifier of the device. */
    public StringNode deviceId() {
        return nodes.string("DeviceID");
    }

    /** {@code DeviceUserID}: name that a user gave the device. */
    public StringNode deviceUserId() {
        return nodes.string("DeviceUserID");
    }

    /** {@code DeviceReset}: starts the device anew. */
    public CommandNode deviceReset() {
        return nodes.command("DeviceReset");
    }

    /** {@code DeviceTemperatureSelector}: place whose temperature is told. */
    public EnumerationNode deviceTemperatureSelector() {
        return nodes.enumeration("DeviceTemperatureSelector");
    }

    /** {@code DeviceTemperature}: temperature in degrees Celsius. */
    public FloatNode deviceTemperature() {
        return nodes.floating("DeviceTemperature");
    }

    /** {@code DeviceScanType}: area or line scan. */
    public EnumerationNode deviceScanType() {
        return nodes.enumeration("DeviceScanType");
    }

    /** {@code DeviceType}: what kind of device it is. */
    public EnumerationNode deviceType() {
        return nodes.enumeration("DeviceType");
    }

    /** {@code DeviceTLVersionMajor}: major version of the transport layer. */
    public IntegerNode deviceTlVersionMajor() {
        return nodes.integer("DeviceTLVersionMajor");
    }

    /** {@code DeviceTLVersionMinor}: minor version of the transport layer. */
    public IntegerNode deviceTlVersionMinor() {
        return nodes.integer("DeviceTLVersionMinor");
    }

    /** {@code DeviceStreamChannelCount}: number of stream channels. */
    public IntegerNode deviceStreamChannelCount() {
        return nodes.integer("DeviceStreamChannelCount");
    }

    /** {@code DeviceStreamChannelSelector}: stream channel that is meant. */
    public IntegerNode deviceStreamChannelSelector() {
        return nodes.integer("DeviceStreamChannelSelector");
    }

    /** {@code DeviceStreamChannelPacketSize}: size of a stream packet in bytes. */
    public IntegerNode deviceStreamChannelPacketSize() {
        return nodes.integer("DeviceStreamChannelPacketSize");
    }

    /** {@code DeviceLinkThroughputLimit}: bytes a second that the device sends at most. */
    public IntegerNode deviceLinkThroughputLimit() {
        return nodes.integer("DeviceLinkThroughputLimit");
    }

    /** {@code DeviceLinkThroughputLimitMode}: whether the throughput is limited. */
    public EnumerationNode deviceLinkThroughputLimitMode() {
        return nodes.enumeration("DeviceLinkThroughputLimitMode");
    }

    /** {@code DeviceLinkSpeed}: bytes a second of the link. */
    public IntegerNode deviceLinkSpeed() {
        return nodes.integer("DeviceLinkSpeed");
    }

    /** {@code DeviceRegistersStreamingStart}: begins writing registers without checks. */
    public CommandNode deviceRegistersStreamingStart() {
        return nodes.command("DeviceRegistersStreamingStart");
    }

    /** {@code DeviceRegistersStreamingEnd}: ends writing registers without checks. */
    public CommandNode deviceRegistersStreamingEnd() {
        return nodes.command("DeviceRegistersStreamingEnd");
    }

    /** {@code DeviceFeaturePersistenceStart}: begins saving or loading settings. */
    public CommandNode deviceFeaturePersistenceStart() {
        return nodes.command("DeviceFeaturePersistenceStart");
    }

    /** {@code DeviceFeaturePersistenceEnd}: ends saving or loading settings. */
    public CommandNode deviceFeaturePersistenceEnd() {
        return nodes.command("DeviceFeaturePersistenceEnd");
    }

    /** {@code TimestampLatch}: notes the time. */
    public CommandNode timestampLatch() {
        return nodes.command("TimestampLatch");
    }

    /** {@code TimestampLatchValue}: time that was noted. */
    public IntegerNode timestampLatchValue() {
        return nodes.integer("TimestampLatchValue");
    }

    /** {@code TimestampReset}: sets the time to 0. */
    public CommandNode timestampReset() {
        return nodes.command("TimestampReset");
    }

    /** {@code SensorWidth}: pixels a line of the sensor. */
    public IntegerNode sensorWidth() {
        return nodes.integer("SensorWidth");
    }

    /** {@code SensorHeight}: lines of the sensor. */
    public IntegerNode sensorHeight() {
        return nodes.integer("SensorHeight");
    }

    /** {@code WidthMax}: largest width in pixels. */
    public IntegerNode widthMax() {
        return nodes.integer("WidthMax");
    }

    /** {@code HeightMax}: largest height in pixels. */
    public IntegerNode heightMax() {
        return nodes.integer("HeightMax");
    }

    /** {@code RegionSelector}: region that is meant. */
    public EnumerationNode regionSelector() {
        return nodes.enumeration("RegionSelector");
    }

    /** {@code RegionMode}: whether the region is in use. */
    public EnumerationNode regionMode() {
        return nodes.enumeration("RegionMode");
    }

    /** {@code Width}: width of the image in pixels. */
    public IntegerNode width() {
        return nodes.integer("Width");
    }

    /** {@code Height}: height of the image in pixels. */
    public IntegerNode height() {
        return nodes.integer("Height");
    }

    /** {@code OffsetX}: pixels left of the image. */
    public IntegerNode offsetX() {
        return nodes.integer("OffsetX");
    }

    /** {@code OffsetY}: lines above the image. */
    public IntegerNode offsetY() {
        return nodes.integer("OffsetY");
    }

    /** {@code BinningHorizontal}: pixels of a line that are put together. */
    public IntegerNode binningHorizontal() {
        return nodes.integer("BinningHorizontal");
    }

    /** {@code BinningVertical}: lines that are put together. */
    public IntegerNode binningVertical() {
        return nodes.integer("BinningVertical");
    }

    /** {@code DecimationHorizontal}: of how many pixels of a line one is sent. */
    public IntegerNode decimationHorizontal() {
        return nodes.integer("DecimationHorizontal");
    }

    /** {@code DecimationVertical}: of how many lines one is sent. */
    public IntegerNode decimationVertical() {
        return nodes.integer("DecimationVertical");
    }

    /** {@code ReverseX}: whether the image is mirrored from left to right. */
    public BooleanNode reverseX() {
        return nodes.bool("ReverseX");
    }

    /** {@code ReverseY}: whether the image is mirrored from top to bottom. */
    public BooleanNode reverseY() {
        return nodes.bool("ReverseY");
    }

    /** {@code PixelFormat}: format of the pixels. */
    public EnumerationNode pixelFormat() {
        return nodes.enumeration("PixelFormat");
    }

    /** {@code PixelSize}: bits a pixel. */
    public EnumerationNode pixelSize() {
        return nodes.enumeration("PixelSize");
    }

    /** {@code PixelColorFilter}: order of the colour filters on the pixels. */
    public EnumerationNode pixelColorFilter() {
        return nodes.enumeration("PixelColorFilter");
    }

    /** {@code PixelDynamicRangeMin}: smallest value of a pixel. */
    public IntegerNode pixelDynamicRangeMin() {
        return nodes.integer("PixelDynamicRangeMin");
    }

    /** {@code PixelDynamicRangeMax}: largest value of a pixel. */
    public IntegerNode pixelDynamicRangeMax() {
        return nodes.integer("PixelDynamicRangeMax");
    }

    /** {@code TestPattern}: pattern that is sent instead of an image. */
    public EnumerationNode testPattern() {
        return nodes.enumeration("TestPattern");
    }

    /** {@code TestPatternGeneratorSelector}: generator of test patterns that is meant. */
    public EnumerationNode testPatternGeneratorSelector() {
        return nodes.enumeration("TestPatternGeneratorSelector");
    }

    /** {@code ImageCompressionMode}: how images are compressed. */
    public EnumerationNode imageCompressionMode() {
        return nodes.enumeration("ImageCompressionMode");
    }

    /** {@code ImageCompressionQuality}: how well images are compressed. */
    public IntegerNode imageCompressionQuality() {
        return nodes.integer("ImageCompressionQuality");
    }

    /** {@code ComponentSelector}: component that is meant. */
    public EnumerationNode componentSelector() {
        return nodes.enumeration("ComponentSelector");
    }

    /** {@code ComponentEnable}: whether the component is sent. */
    public BooleanNode componentEnable() {
        return nodes.bool("ComponentEnable");
    }

    /** {@code ComponentIDValue}: number of the component's kind. */
    public IntegerNode componentIdValue() {
        return nodes.integer("ComponentIDValue");
    }

    /** {@code AcquisitionMode}: whether one or several frames or frames without end are taken. */
    public EnumerationNode acquisitionMode() {
        return nodes.enumeration("AcquisitionMode");
    }

    /** {@code AcquisitionStart}: begins to take frames. */
    public CommandNode acquisitionStart() {
        return nodes.command("AcquisitionStart");
    }

    /** {@code AcquisitionStop}: ends with the frame that is being taken. */
    public CommandNode acquisitionStop() {
        return nodes.command("AcquisitionStop");
    }

    /** {@code AcquisitionAbort}: ends at once. */
    public CommandNode acquisitionAbort() {
        return nodes.command("AcquisitionAbort");
    }

    /** {@code AcquisitionFrameCount}: frames of a multi-frame acquisition. */
    public IntegerNode acquisitionFrameCount() {
        return nodes.integer("AcquisitionFrameCount");
    }

    /** {@code AcquisitionFrameRate}: frames a second. */
    public FloatNode acquisitionFrameRate() {
        return nodes.floating("AcquisitionFrameRate");
    }

    /** {@code AcquisitionFrameRateEnable}: whether the frame rate can be set. */
    public BooleanNode acquisitionFrameRateEnable() {
        return nodes.bool("AcquisitionFrameRateEnable");
    }

    /** {@code AcquisitionLineRate}: lines a second. */
    public FloatNode acquisitionLineRate() {
        return nodes.floating("AcquisitionLineRate");
    }

    /** {@code AcquisitionStatusSelector}: status that is meant. */
    public EnumerationNode acquisitionStatusSelector() {
        return nodes.enumeration("AcquisitionStatusSelector");
    }

    /** {@code AcquisitionStatus}: state of the status. */
    public BooleanNode acquisitionStatus() {
        return nodes.bool("AcquisitionStatus");
    }

    /** {@code TriggerSelector}: trigger that is meant. */
    public EnumerationNode triggerSelector() {
        return nodes.enumeration("TriggerSelector");
    }

    /** {@code TriggerMode}: whether the trigger is in use. */
    public EnumerationNode triggerMode() {
        return nodes.enumeration("TriggerMode");
    }

    /** {@code TriggerSoftware}: triggers. */
    public CommandNode triggerSoftware() {
        return nodes.command("TriggerSoftware");
    }

    /** {@code TriggerSource}: where the trigger comes from. */
    public EnumerationNode triggerSource() {
        return nodes.enumeration("TriggerSource");
    }

    /** {@code TriggerActivation}: edge or level that triggers. */
    public EnumerationNode triggerActivation() {
        return nodes.enumeration("TriggerActivation");
    }

    /** {@code TriggerOverlap}: whether a trigger counts during readout. */
    public EnumerationNode triggerOverlap() {
        return nodes.enumeration("TriggerOverlap");
    }

    /** {@code TriggerDelay}: microseconds from trigger to start. */
    public FloatNode triggerDelay() {
        return nodes.floating("TriggerDelay");
    }

    /** {@code TriggerDivider}: how many triggers are one. */
    public IntegerNode triggerDivider() {
        return nodes.integer("TriggerDivider");
    }

    /** {@code TriggerMultiplier}: how many triggers one becomes. */
    public IntegerNode triggerMultiplier() {
        return nodes.integer("TriggerMultiplier");
    }

    /** {@code ExposureMode}: what determines the exposure time. */
    public EnumerationNode exposureMode() {
        return nodes.enumeration("ExposureMode");
    }

    /** {@code ExposureTime}: exposure time in microseconds. */
    public FloatNode exposureTime() {
        return nodes.floating("ExposureTime");
    }

    /** {@code ExposureAuto}: whether the device chooses the exposure time. */
    public EnumerationNode exposureAuto() {
        return nodes.enumeration("ExposureAuto");
    }

    /** {@code ExposureTimeSelector}: exposure that is meant. */
    public EnumerationNode exposureTimeSelector() {
        return nodes.enumeration("ExposureTimeSelector");
    }

    /** {@code GainSelector}: gain that is meant. */
    public EnumerationNode gainSelector() {
        return nodes.enumeration("GainSelector");
    }

    /** {@code Gain}: gain. */
    public FloatNode gain() {
        return nodes.floating("Gain");
    }

    /** {@code GainAuto}: whether the device chooses the gain. */
    public EnumerationNode gainAuto() {
        return nodes.enumeration("GainAuto");
    }

    /** {@code BlackLevelSelector}: black level that is meant. */
    public EnumerationNode blackLevelSelector() {
        return nodes.enumeration("BlackLevelSelector");
    }

    /** {@code BlackLevel}: black level. */
    public FloatNode blackLevel() {
        return nodes.floating("BlackLevel");
    }

    /** {@code BalanceRatioSelector}: colour whose ratio is meant. */
    public EnumerationNode balanceRatioSelector() {
        return nodes.enumeration("BalanceRatioSelector");
    }

    /** {@code BalanceRatio}: ratio of the colour to the reference. */
    public FloatNode balanceRatio() {
        return nodes.floating("BalanceRatio");
    }

    /** {@code BalanceWhiteAuto}: whether the device balances white. */
    public EnumerationNode balanceWhiteAuto() {
        return nodes.enumeration("BalanceWhiteAuto");
    }

    /** {@code Gamma}: exponent of the gamma correction. */
    public FloatNode gamma() {
        return nodes.floating("Gamma");
    }

    /** {@code BlackLevelAuto}: whether the device chooses the black level. */
    public EnumerationNode blackLevelAuto() {
        return nodes.enumeration("BlackLevelAuto");
    }

    /** {@code LUTSelector}: look-up table that is meant. */
    public EnumerationNode lutSelector() {
        return nodes.enumeration("LUTSelector");
    }

    /** {@code LUTEnable}: whether the look-up table is used. */
    public BooleanNode lutEnable() {
        return nodes.bool("LUTEnable");
    }

    /** {@code LUTIndex}: entry of the look-up table that is meant. */
    public IntegerNode lutIndex() {
        return nodes.integer("LUTIndex");
    }

    /** {@code LUTValue}: value of the entry. */
    public IntegerNode lutValue() {
        return nodes.integer("LUTValue");
    }

    /** {@code LUTValueAll}: all values of the look-up table. */
    public RegisterNode lutValueAll() {
        return nodes.register("LUTValueAll");
    }

    /** {@code LineSelector}: line that is meant. */
    public EnumerationNode lineSelector() {
        return nodes.enumeration("LineSelector");
    }

    /** {@code LineMode}: whether the line is input or output. */
    public EnumerationNode lineMode() {
        return nodes.enumeration("LineMode");
    }

    /** {@code LineInverter}: whether the signal is inverted. */
    public BooleanNode lineInverter() {
        return nodes.bool("LineInverter");
    }

    /** {@code LineStatus}: state of the line. */
    public BooleanNode lineStatus() {
        return nodes.bool("LineStatus");
    }

    /** {@code LineStatusAll}: state of all lines. */
    public IntegerNode lineStatusAll() {
        return nodes.integer("LineStatusAll");
    }

    /** {@code LineSource}: signal of an output. */
    public EnumerationNode lineSource() {
        return nodes.enumeration("LineSource");
    }

    /** {@code LineFormat}: electrical format of the line. */
    public EnumerationNode lineFormat() {
        return nodes.enumeration("LineFormat");
    }

    /** {@code UserOutputValueAll}: values of all user outputs. */
    public IntegerNode userOutputValueAll() {
        return nodes.integer("UserOutputValueAll");
    }

    /** {@code UserOutputSelector}: output bit that is meant. */
    public EnumerationNode userOutputSelector() {
        return nodes.enumeration("UserOutputSelector");
    }

    /** {@code UserOutputValue}: value of the output bit. */
    public BooleanNode userOutputValue() {
        return nodes.bool("UserOutputValue");
    }

    /** {@code CounterSelector}: counter that is meant. */
    public EnumerationNode counterSelector() {
        return nodes.enumeration("CounterSelector");
    }

    /** {@code CounterEventSource}: what is counted. */
    public EnumerationNode counterEventSource() {
        return nodes.enumeration("CounterEventSource");
    }

    /** {@code CounterReset}: sets the counter to 0. */
    public CommandNode counterReset() {
        return nodes.command("CounterReset");
    }

    /** {@code CounterValue}: value of the counter. */
    public IntegerNode counterValue() {
        return nodes.integer("CounterValue");
    }

    /** {@code TimerSelector}: timer that is meant. */
    public EnumerationNode timerSelector() {
        return nodes.enumeration("TimerSelector");
    }

    /** {@code TimerDuration}: duration in microseconds. */
    public FloatNode timerDuration() {
        return nodes.floating("TimerDuration");
    }

    /** {@code TimerDelay}: delay in microseconds. */
    public FloatNode timerDelay() {
        return nodes.floating("TimerDelay");
    }

    /** {@code TimerTriggerSource}: what starts the timer. */
    public EnumerationNode timerTriggerSource() {
        return nodes.enumeration("TimerTriggerSource");
    }

    /** {@code EventSelector}: event that is meant. */
    public EnumerationNode eventSelector() {
        return nodes.enumeration("EventSelector");
    }

    /** {@code EventNotification}: whether the event is told. */
    public EnumerationNode eventNotification() {
        return nodes.enumeration("EventNotification");
    }

    /** {@code EventTest}: id of the test event. */
    public IntegerNode eventTest() {
        return nodes.integer("EventTest");
    }

    /** {@code EventTestTimestamp}: time of the test event. */
    public IntegerNode eventTestTimestamp() {
        return nodes.integer("EventTestTimestamp");
    }

    /** {@code EventFrameStart}: id of the event at the start of a frame. */
    public IntegerNode eventFrameStart() {
        return nodes.integer("EventFrameStart");
    }

    /** {@code EventFrameStartTimestamp}: time of the start of the frame. */
    public IntegerNode eventFrameStartTimestamp() {
        return nodes.integer("EventFrameStartTimestamp");
    }

    /** {@code EventFrameStartFrameID}: id of the frame that started. */
    public IntegerNode eventFrameStartFrameId() {
        return nodes.integer("EventFrameStartFrameID");
    }

    /** {@code EventFrameEnd}: id of the event at the end of a frame. */
    public IntegerNode eventFrameEnd() {
        return nodes.integer("EventFrameEnd");
    }

    /** {@code EventFrameEndTimestamp}: time of the end of the frame. */
    public IntegerNode eventFrameEndTimestamp() {
        return nodes.integer("EventFrameEndTimestamp");
    }

    /** {@code EventFrameEndFrameID}: id of the frame that ended. */
    public IntegerNode eventFrameEndFrameId() {
        return nodes.integer("EventFrameEndFrameID");
    }

    /** {@code EventExposureStart}: id of the event at the start of an exposure. */
    public IntegerNode eventExposureStart() {
        return nodes.integer("EventExposureStart");
    }

    /** {@code EventExposureStartTimestamp}: time of the start of the exposure. */
    public IntegerNode eventExposureStartTimestamp() {
        return nodes.integer("EventExposureStartTimestamp");
    }

    /** {@code EventExposureStartFrameID}: id of the frame that is exposed. */
    public IntegerNode eventExposureStartFrameId() {
        return nodes.integer("EventExposureStartFrameID");
    }

    /** {@code EventExposureEnd}: id of the event at the end of an exposure. */
    public IntegerNode eventExposureEnd() {
        return nodes.integer("EventExposureEnd");
    }

    /** {@code EventExposureEndTimestamp}: time of the end of the exposure. */
    public IntegerNode eventExposureEndTimestamp() {
        return nodes.integer("EventExposureEndTimestamp");
    }

    /** {@code EventExposureEndFrameID}: id of the frame that was exposed. */
    public IntegerNode eventExposureEndFrameId() {
        return nodes.integer("EventExposureEndFrameID");
    }

    /** {@code EventError}: id of the event of an error. */
    public IntegerNode eventError() {
        return nodes.integer("EventError");
    }

    /** {@code EventErrorTimestamp}: time of the error. */
    public IntegerNode eventErrorTimestamp() {
        return nodes.integer("EventErrorTimestamp");
    }

    /** {@code EventErrorCode}: code of the error. */
    public IntegerNode eventErrorCode() {
        return nodes.integer("EventErrorCode");
    }

    /** {@code TestEventGenerate}: causes the test event. */
    public CommandNode testEventGenerate() {
        return nodes.command("TestEventGenerate");
    }

    /** {@code UserSetSelector}: set of settings that is meant. */
    public EnumerationNode userSetSelector() {
        return nodes.enumeration("UserSetSelector");
    }

    /** {@code UserSetLoad}: loads the set. */
    public CommandNode userSetLoad() {
        return nodes.command("UserSetLoad");
    }

    /** {@code UserSetSave}: saves the set. */
    public CommandNode userSetSave() {
        return nodes.command("UserSetSave");
    }

    /** {@code UserSetDefault}: set that the device starts with. */
    public EnumerationNode userSetDefault() {
        return nodes.enumeration("UserSetDefault");
    }

    /** {@code ChunkModeActive}: whether chunks come with frames. */
    public BooleanNode chunkModeActive() {
        return nodes.bool("ChunkModeActive");
    }

    /** {@code ChunkSelector}: chunk that is meant. */
    public EnumerationNode chunkSelector() {
        return nodes.enumeration("ChunkSelector");
    }

    /** {@code ChunkEnable}: whether the chunk comes with frames. */
    public BooleanNode chunkEnable() {
        return nodes.bool("ChunkEnable");
    }

    /** {@code ChunkFrameID}: id of the frame. */
    public IntegerNode chunkFrameId() {
        return nodes.integer("ChunkFrameID");
    }

    /** {@code ChunkTimestamp}: time of the frame. */
    public IntegerNode chunkTimestamp() {
        return nodes.integer("ChunkTimestamp");
    }

    /** {@code ChunkWidth}: pixels in a line of the frame. */
    public IntegerNode chunkWidth() {
        return nodes.integer("ChunkWidth");
    }

    /** {@code ChunkHeight}: lines of the frame. */
    public IntegerNode chunkHeight() {
        return nodes.integer("ChunkHeight");
    }

    /** {@code ChunkOffsetX}: first pixel of the lines of the frame. */
    public IntegerNode chunkOffsetX() {
        return nodes.integer("ChunkOffsetX");
    }

    /** {@code ChunkOffsetY}: first line of the frame. */
    public IntegerNode chunkOffsetY() {
        return nodes.integer("ChunkOffsetY");
    }

    /** {@code ChunkPixelFormat}: format of the pixels of the frame. */
    public EnumerationNode chunkPixelFormat() {
        return nodes.enumeration("ChunkPixelFormat");
    }

    /** {@code ChunkExposureTime}: exposure time of the frame. */
    public FloatNode chunkExposureTime() {
        return nodes.floating("ChunkExposureTime");
    }

    /** {@code ChunkGain}: gain of the frame. */
    public FloatNode chunkGain() {
        return nodes.floating("ChunkGain");
    }

    /** {@code ChunkBlackLevel}: black level of the frame. */
    public FloatNode chunkBlackLevel() {
        return nodes.floating("ChunkBlackLevel");
    }

    /** {@code ChunkLineStatusAll}: lines at the time of the frame. */
    public IntegerNode chunkLineStatusAll() {
        return nodes.integer("ChunkLineStatusAll");
    }

    /** {@code ChunkCounterValue}: value of a counter at the time of the frame. */
    public IntegerNode chunkCounterValue() {
        return nodes.integer("ChunkCounterValue");
    }

    /** {@code ChunkSequencerSetActive}: sequencer set of the frame. */
    public IntegerNode chunkSequencerSetActive() {
        return nodes.integer("ChunkSequencerSetActive");
    }

    /** {@code FileSelector}: file that is meant. */
    public EnumerationNode fileSelector() {
        return nodes.enumeration("FileSelector");
    }

    /** {@code FileOperationSelector}: what is done with the file. */
    public EnumerationNode fileOperationSelector() {
        return nodes.enumeration("FileOperationSelector");
    }

    /** {@code FileOperationExecute}: does it. */
    public CommandNode fileOperationExecute() {
        return nodes.command("FileOperationExecute");
    }

    /** {@code FileOpenMode}: how the file is opened. */
    public EnumerationNode fileOpenMode() {
        return nodes.enumeration("FileOpenMode");
    }

    /** {@code FileAccessBuffer}: bytes to and from the file. */
    public RegisterNode fileAccessBuffer() {
        return nodes.register("FileAccessBuffer");
    }

    /** {@code FileAccessOffset}: place in the file in bytes. */
    public IntegerNode fileAccessOffset() {
        return nodes.integer("FileAccessOffset");
    }

    /** {@code FileAccessLength}: bytes that are read or written. */
    public IntegerNode fileAccessLength() {
        return nodes.integer("FileAccessLength");
    }

    /** {@code FileOperationStatus}: how the operation ended. */
    public EnumerationNode fileOperationStatus() {
        return nodes.enumeration("FileOperationStatus");
    }

    /** {@code FileOperationResult}: bytes that were read or written. */
    public IntegerNode fileOperationResult() {
        return nodes.integer("FileOperationResult");
    }

    /** {@code FileSize}: size of the file in bytes. */
    public IntegerNode fileSize() {
        return nodes.integer("FileSize");
    }

    /** {@code SequencerMode}: whether the sequencer is in use. */
    public EnumerationNode sequencerMode() {
        return nodes.enumeration("SequencerMode");
    }

    /** {@code SequencerConfigurationMode}: whether the sequencer is being configured. */
    public EnumerationNode sequencerConfigurationMode() {
        return nodes.enumeration("SequencerConfigurationMode");
    }

    /** {@code SequencerSetSelector}: set of the sequencer that is meant. */
    public IntegerNode sequencerSetSelector() {
        return nodes.integer("SequencerSetSelector");
    }

    /** {@code SequencerSetActive}: sequencer set in use. */
    public IntegerNode sequencerSetActive() {
        return nodes.integer("SequencerSetActive");
    }

    /** {@code SequencerSetSave}: saves the sequencer set. */
    public CommandNode sequencerSetSave() {
        return nodes.command("SequencerSetSave");
    }

    /** {@code SequencerSetLoad}: loads the sequencer set. */
    public CommandNode sequencerSetLoad() {
        return nodes.command("SequencerSetLoad");
    }

    /** {@code SequencerSetNext}: set that follows. */
    public IntegerNode sequencerSetNext() {
        return nodes.integer("SequencerSetNext");
    }

    /** {@code SequencerSetStart}: set that is first. */
    public IntegerNode sequencerSetStart() {
        return nodes.integer("SequencerSetStart");
    }

    /** {@code ActionDeviceKey}: key that action commands need. */
    public IntegerNode actionDeviceKey() {
        return nodes.integer("ActionDeviceKey");
    }

    /** {@code ActionSelector}: action that is meant. */
    public IntegerNode actionSelector() {
        return nodes.integer("ActionSelector");
    }

    /** {@code ActionGroupKey}: group of the action. */
    public IntegerNode actionGroupKey() {
        return nodes.integer("ActionGroupKey");
    }

    /** {@code ActionGroupMask}: groups of the action. */
    public IntegerNode actionGroupMask() {
        return nodes.integer("ActionGroupMask");
    }

    /** {@code TransferSelector}: transfer that is meant. */
    public EnumerationNode transferSelector() {
        return nodes.enumeration("TransferSelector");
    }

    /** {@code TransferControlMode}: who starts transfers. */
    public EnumerationNode transferControlMode() {
        return nodes.enumeration("TransferControlMode");
    }

    /** {@code TransferStart}: starts the transfer. */
    public CommandNode transferStart() {
        return nodes.command("TransferStart");
    }

    /** {@code TransferStop}: stops the transfer. */
    public CommandNode transferStop() {
        return nodes.command("TransferStop");
    }

    /** {@code PayloadSize}: bytes of a frame. */
    public IntegerNode payloadSize() {
        return nodes.integer("PayloadSize");
    }

    /** {@code TLParamsLocked}: 1 while frames are sent. */
    public IntegerNode tlParamsLocked() {
        return nodes.integer("TLParamsLocked");
    }

    /** {@code GevSCPSPacketSize}: bytes of a packet with its headers. */
    public IntegerNode gevScpsPacketSize() {
        return nodes.integer("GevSCPSPacketSize");
    }

    /** {@code GevSCPD}: ticks between packets. */
    public IntegerNode gevScpd() {
        return nodes.integer("GevSCPD");
    }

    /** {@code GevSCDA}: address that frames are sent to. */
    public IntegerNode gevScda() {
        return nodes.integer("GevSCDA");
    }

    /** {@code GevSCPHostPort}: port that frames are sent to. */
    public IntegerNode gevScpHostPort() {
        return nodes.integer("GevSCPHostPort");
    }

    /** {@code GevSCPSFireTestPacket}: sends a test packet. */
    public BooleanNode gevScpsFireTestPacket() {
        return nodes.bool("GevSCPSFireTestPacket");
    }

    /** {@code GevSCPSDoNotFragment}: whether packets must not be fragmented. */
    public BooleanNode gevScpsDoNotFragment() {
        return nodes.bool("GevSCPSDoNotFragment");
    }

    /** {@code GevStreamChannelSelector}: stream channel that is meant. */
    public IntegerNode gevStreamChannelSelector() {
        return nodes.integer("GevStreamChannelSelector");
    }

    /** {@code GevHeartbeatTimeout}: milliseconds until control is given up. */
    public IntegerNode gevHeartbeatTimeout() {
        return nodes.integer("GevHeartbeatTimeout");
    }

    /** {@code GevMACAddress}: hardware address. */
    public IntegerNode gevMacAddress() {
        return nodes.integer("GevMACAddress");
    }

    /** {@code GevCurrentIPAddress}: iP address. */
    public IntegerNode gevCurrentIpAddress() {
        return nodes.integer("GevCurrentIPAddress");
    }

    /** {@code GevCurrentSubnetMask}: subnet mask. */
    public IntegerNode gevCurrentSubnetMask() {
        return nodes.integer("GevCurrentSubnetMask");
    }

    /** {@code GevCurrentDefaultGateway}: gateway. */
    public IntegerNode gevCurrentDefaultGateway() {
        return nodes.integer("GevCurrentDefaultGateway");
    }

    /** {@code GevTimestampTickFrequency}: ticks a second of the timestamp. */
    public IntegerNode gevTimestampTickFrequency() {
        return nodes.integer("GevTimestampTickFrequency");
    }

    /** {@code PtpEnable}: whether clocks are synchronized by IEEE 1588. */
    public BooleanNode ptpEnable() {
        return nodes.bool("PtpEnable");
    }

    /** {@code PtpStatus}: state of the synchronization. */
    public EnumerationNode ptpStatus() {
        return nodes.enumeration("PtpStatus");
    }

    /** {@code PtpOffsetFromMaster}: nanoseconds from the master clock. */
    public IntegerNode ptpOffsetFromMaster() {
        return nodes.integer("PtpOffsetFromMaster");
    }

    /** {@code GenDCStreamingMode}: whether frames are sent as GenDC. */
    public EnumerationNode genDcStreamingMode() {
        return nodes.enumeration("GenDCStreamingMode");
    }

    /** {@code GenDCStreamingStatus}: whether frames are now sent as GenDC. */
    public EnumerationNode genDcStreamingStatus() {
        return nodes.enumeration("GenDCStreamingStatus");
    }

    /** {@code GenDCDescriptor}: descriptor of the container. */
    public RegisterNode genDcDescriptor() {
        return nodes.register("GenDCDescriptor");
    }

    /** {@code GenDCFlowMappingTable}: table of the flows. */
    public RegisterNode genDcFlowMappingTable() {
        return nodes.register("GenDCFlowMappingTable");
    }

    /** {@code Scan3dCoordinateSelector}: axis that is meant. */
    public EnumerationNode scan3dCoordinateSelector() {
        return nodes.enumeration("Scan3dCoordinateSelector");
    }

    /** {@code Scan3dCoordinateScale}: scale of the axis. */
    public FloatNode scan3dCoordinateScale() {
        return nodes.floating("Scan3dCoordinateScale");
    }

    /** {@code Scan3dCoordinateOffset}: offset of the axis. */
    public FloatNode scan3dCoordinateOffset() {
        return nodes.floating("Scan3dCoordinateOffset");
    }

    /** {@code Scan3dDistanceUnit}: unit of distances. */
    public EnumerationNode scan3dDistanceUnit() {
        return nodes.enumeration("Scan3dDistanceUnit");
    }

    /** {@code Scan3dOutputMode}: what the values of an image mean. */
    public EnumerationNode scan3dOutputMode() {
        return nodes.enumeration("Scan3dOutputMode");
    }

    /** {@code Scan3dFocalLength}: focal length in pixels. */
    public FloatNode scan3dFocalLength() {
        return nodes.floating("Scan3dFocalLength");
    }

    /** {@code Scan3dBaseline}: distance of the cameras. */
    public FloatNode scan3dBaseline() {
        return nodes.floating("Scan3dBaseline");
    }

    /** {@code Scan3dPrincipalPointU}: column of the principal point. */
    public FloatNode scan3dPrincipalPointU() {
        return nodes.floating("Scan3dPrincipalPointU");
    }

    /** {@code Scan3dPrincipalPointV}: line of the principal point. */
    public FloatNode scan3dPrincipalPointV() {
        return nodes.floating("Scan3dPrincipalPointV");
    }

    /** {@code Scan3dInvalidDataFlag}: whether one value means none. */
    public BooleanNode scan3dInvalidDataFlag() {
        return nodes.bool("Scan3dInvalidDataFlag");
    }

    /** {@code Scan3dInvalidDataValue}: value that means none. */
    public FloatNode scan3dInvalidDataValue() {
        return nodes.floating("Scan3dInvalidDataValue");
    }
}
