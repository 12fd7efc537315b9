/** Virtual cameras in tests by JUnit Jupiter. */
package io.peregrine.virtualcamera.junit;
