/** Small programs, one idea each. */
module io.peregrine.samples {
    requires io.peregrine.device;
    requires io.peregrine.virtualcamera;
}
