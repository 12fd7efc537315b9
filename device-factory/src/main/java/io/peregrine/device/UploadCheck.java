package io.peregrine.device;

/**
 * What one look before an upload found.
 *
 * @param what what was looked at
 * @param passed whether the upload can go ahead as far as this is concerned
 * @param evidence what was seen, and what to do when it did not pass
 */
public record UploadCheck(String what, boolean passed, String evidence) {}
