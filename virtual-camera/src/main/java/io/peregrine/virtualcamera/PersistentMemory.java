package io.peregrine.virtualcamera;

/** What the camera keeps without power: registers that outlive a restart, and its identity. */
final class PersistentMemory {
    static final int USE_PERSISTENT_ADDRESS = 0x1;
    static final int USE_LINK_LOCAL_ADDRESS = 0x4;
    /** Those two and DHCP. */
    static final int ALL_WAYS_TO_AN_ADDRESS = 0x7;

    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000L;

    /** MAC address, 48 bits. */
    final long mac;

    String userName;
    Location location;
    final UserSets userSets = new UserSets();
    final FileStore files = new FileStore();
    int ipConfiguration = USE_PERSISTENT_ADDRESS | USE_LINK_LOCAL_ADDRESS;

    PersistentMemory(long mac, String userName, Location location) {
        this.mac = mac;
        this.userName = userName;
        this.location = location;
    }

    /** The MAC address of a device that was not given one. */
    static long ownMac(Location location) {
        return LOCALLY_ADMINISTERED | Integer.toUnsignedLong(location.ip());
    }
}
