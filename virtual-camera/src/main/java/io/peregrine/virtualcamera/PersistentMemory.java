package io.peregrine.virtualcamera;

/** What the camera keeps while it is without power: registers that outlive a restart, and who it is. */
final class PersistentMemory {
    static final int USE_PERSISTENT_ADDRESS = 0x1;
    static final int USE_LINK_LOCAL_ADDRESS = 0x4;
    /** Those two and DHCP. */
    static final int ALL_WAYS_TO_AN_ADDRESS = 0x7;

    final int macLow;
    String userName;
    Location location;
    final UserSets userSets = new UserSets();
    final FileStore files = new FileStore();
    int ipConfiguration = USE_PERSISTENT_ADDRESS | USE_LINK_LOCAL_ADDRESS;

    PersistentMemory(int macLow, String userName, Location location) {
        this.macLow = macLow;
        this.userName = userName;
        this.location = location;
    }
}
