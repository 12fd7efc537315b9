package io.peregrine.virtualcamera;

/** Register addresses: the GigE Vision bootstrap space and the space of this device from 0xA000 on. */
final class Reg {
    static final int VERSION = 0x0000;
    static final int DEVICE_MODE = 0x0004;
    static final int MAC_HIGH = 0x0008;
    static final int MAC_LOW = 0x000C;
    static final int SUPPORTED_IP_CONFIGURATION = 0x0010;
    static final int CURRENT_IP_CONFIGURATION = 0x0014;
    static final int CURRENT_IP = 0x0024;
    static final int CURRENT_MASK = 0x0034;
    static final int CURRENT_GATEWAY = 0x0044;
    static final int MANUFACTURER = 0x0048;
    static final int MODEL = 0x0068;
    static final int DEVICE_VERSION = 0x0088;
    static final int MANUFACTURER_INFO = 0x00A8;
    static final int SERIAL = 0x00D8;
    static final int USER_NAME = 0x00E8;
    static final int DISCOVERY_BYTES = 0x00F8;
    static final int FIRST_URL = 0x0200;
    static final int SECOND_URL = 0x0400;
    static final int URL_BYTES = 512;
    static final int INTERFACE_COUNT = 0x0600;
    static final int PERSISTENT_IP = 0x064C;
    static final int PERSISTENT_MASK = 0x065C;
    static final int PERSISTENT_GATEWAY = 0x066C;
    static final int LINK_SPEED = 0x0670;
    static final int MESSAGE_CHANNEL_COUNT = 0x0900;
    static final int STREAM_CHANNEL_COUNT = 0x0904;
    static final int ACTION_SIGNAL_COUNT = 0x0908;
    static final int STREAM_CAPABILITY = 0x092C;
    static final int MESSAGE_CAPABILITY = 0x0930;
    static final int GVCP_CAPABILITY = 0x0934;
    static final int HEARTBEAT_TIMEOUT = 0x0938;
    static final int TICK_FREQUENCY_HIGH = 0x093C;
    static final int TICK_FREQUENCY_LOW = 0x0940;
    static final int TIMESTAMP_CONTROL = 0x0944;
    static final int TIMESTAMP_HIGH = 0x0948;
    static final int TIMESTAMP_LOW = 0x094C;
    static final int GVCP_CONFIGURATION = 0x0954;
    static final int PENDING_TIMEOUT = 0x0958;
    static final int GVSP_CONFIGURATION = 0x0960;
    static final int LINK_CAPABILITY = 0x0964;
    static final int LINK_CONFIGURATION = 0x0968;
    static final int SWITCHOVER_KEY = 0x095C;
    static final int CCP = 0x0A00;
    static final int PRIMARY_PORT = 0x0A04;
    static final int PRIMARY_IP = 0x0A14;
    static final int MCP = 0x0B00;
    static final int MCDA = 0x0B10;
    static final int MCTT = 0x0B14;
    static final int MCRC = 0x0B18;
    static final int MCSP = 0x0B1C;
    static final int SCP = 0x0D00;
    static final int SCPS = 0x0D04;
    static final int SCPD = 0x0D08;
    static final int SCDA = 0x0D18;
    static final int SCSP = 0x0D1C;
    static final int SCC = 0x0D20;
    static final int SCCFG = 0x0D24;
    static final int SCZ = 0x0D28;
    static final int SCZD = 0x0D2C;
    static final int SCMPC = 0x0D30;
    static final int SCMBS_HIGH = 0x0D34;
    static final int SCMBS_LOW = 0x0D38;
    static final int SCEBA = 0x0D3C;

    /** Header of 8 bytes and entries of 8 bytes, 512 bytes in all. */
    static final int MANIFEST = 0x9000;

    static final int MANIFEST_BYTES = 512;

    /** Where the space of the device begins. */
    static final int FEATURES = 0xA000;

    static final int SENSOR_WIDTH = FEATURES;
    static final int SENSOR_HEIGHT = 0xA004;
    static final int WIDTH = 0xA008;
    static final int HEIGHT = 0xA00C;
    static final int OFFSET_X = 0xA010;
    static final int OFFSET_Y = 0xA014;
    static final int PIXEL_FORMAT = 0xA018;
    static final int TEST_PATTERN = 0xA01C;
    static final int COMPONENT_SELECTOR = 0xA020;
    /** One word for each component type id from 0 to 6. */
    static final int COMPONENT_ENABLE = 0xA040;

    static final int ACQUISITION_MODE = 0xA080;
    static final int ACQUISITION_START = 0xA084;
    static final int ACQUISITION_STOP = 0xA088;
    static final int ACQUISITION_ABORT = 0xA08C;
    static final int ACQUISITION_FRAME_COUNT = 0xA090;
    static final int ACQUISITION_STATUS = 0xA094;
    static final int FRAME_RATE = 0xA098;
    static final int EXPOSURE_TIME = 0xA0A0;
    static final int TRIGGER_SELECTOR = 0xA0A8;
    static final int TRIGGER_MODE = 0xA0AC;
    static final int TRIGGER_SOURCE = 0xA0B0;
    static final int TRIGGER_SOFTWARE = 0xA0B4;
    static final int EXPOSURE_MODE = 0xA0B8;
    static final int EXPOSURE_AUTO = 0xA0BC;
    static final int GAIN = 0xA0C0;
    static final int BLACK_LEVEL = 0xA0C8;
    static final int GAMMA = 0xA0D0;
    static final int GAIN_AUTO = 0xA0D8;
    static final int GAIN_SELECTOR = 0xA0DC;
    static final int ACQUISITION_STATUS_SELECTOR = 0xA0E0;
    /** One bit for each pixel format that can be set, in the order of the XML. */
    static final int PIXEL_FORMATS_AVAILABLE = 0xA0E4;

    static final int TRIGGER_ACTIVATION = 0xA0E8;
    static final int LINE_SELECTOR = 0xA0EC;

    static final int TL_PARAMS_LOCKED = 0xA100;
    static final int PAYLOAD_SIZE = 0xA104;
    static final int GENDC_STREAMING_MODE = 0xA108;
    static final int GENDC_STREAMING_STATUS = 0xA10C;
    static final int GENDC_DESCRIPTOR_LENGTH = 0xA110;
    static final int GENDC_FLOW_TABLE_LENGTH = 0xA114;
    static final int USER_SET_SELECTOR = 0xA120;
    static final int USER_SET_LOAD = 0xA124;
    static final int DEVICE_RESET = 0xA128;
    static final int USER_SET_SAVE = 0xA12C;
    static final int DEVICE_TEMPERATURE = 0xA130;
    static final int USER_SET_DEFAULT = 0xA138;
    /** One bit for each line. */
    static final int LINE_STATUS_ALL = 0xA13C;

    static final int CHUNK_MODE_ACTIVE = 0xA140;
    static final int CHUNK_SELECTOR = 0xA144;
    static final int CHUNK_XML_ENABLE = 0xA148;
    static final int TEST_PAYLOAD_FORMAT_MODE = 0xA14C;
    /** One word for each chunk of the selector. */
    static final int CHUNK_ENABLE = 0xA150;

    static final int EVENT_SELECTOR = 0xA180;
    static final int TEST_EVENT_GENERATE = 0xA184;
    /** One word for each event of the selector. */
    static final int EVENT_NOTIFICATION = 0xA190;

    /** Where the registers of the RDMA stream begin; the XML publishes it. */
    static final int RDMA = 0xB000;

    static final int RDMA_BYTES = 0x50;
    static final int RDMA_MAGIC = RDMA;
    static final int RDMA_VERSION = RDMA + 0x04;
    static final int RDMA_CAPABILITY = RDMA + 0x08;
    static final int RDMA_PORT = RDMA + 0x0C;
    static final int RDMA_MODE = RDMA + 0x10;
    static final int RDMA_BLOCKS_DROPPED = RDMA + 0x14;
    static final int RDMA_STATUS = RDMA + 0x18;
    static final int RDMA_NONCE_HIGH = RDMA + 0x20;
    static final int RDMA_NONCE_LOW = RDMA + 0x24;
    static final int RDMA_BLOCKS_SENT = RDMA + 0x28;

    static final int FILE_SELECTOR = 0xC000;
    static final int FILE_OPERATION_SELECTOR = 0xC004;
    static final int FILE_OPERATION_EXECUTE = 0xC008;
    static final int FILE_OPEN_MODE = 0xC00C;
    static final int FILE_ACCESS_OFFSET = 0xC010;
    static final int FILE_ACCESS_LENGTH = 0xC014;
    static final int FILE_OPERATION_STATUS = 0xC018;
    static final int FILE_OPERATION_RESULT = 0xC01C;
    static final int FILE_SIZE = 0xC020;
    static final int FILE_ACCESS_BUFFER = 0xD000;
    static final int FILE_ACCESS_BUFFER_BYTES = 4096;

    static final int LOW_SPACE_BYTES = 0x10000;
    static final int XML = 0x00100000;
    static final int ZIPPED_XML = 0x00200000;
    static final int EXTENDED_BOOTSTRAP = 0x20000000;
    static final int GENDC_DESCRIPTOR = 0x20010000;
    static final int GENDC_FLOW_TABLE = 0x20020000;

    private Reg() {}
}
