package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.exceptions.AeronException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users read of messages of Aeron 1.51. */
class AeronReasonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"io.aeron.exceptions.AeronException : ERROR - channel error - Cannot assign requested address (at"
                        + " java.base/sun.nio.ch.Net.bind0(Native Method)): aeron:udp?control=10.9.9.9:40998|mtu=1408,"
                        + " errorCodeValue=11\" | Cannot assign requested address",
                "\"java.lang.IllegalArgumentException: Unable to find multicast or loopback interface matching"
                        + " criteria: /10.9.9.8/32, errorCodeValue=1\" | Unable to find multicast or loopback interface"
                        + " matching criteria: /10.9.9.8/32",
                "CnC file not created: /tmp/driver/cnc.dat | CnC file not created: /tmp/driver/cnc.dat"
            })
    void itIsTheReasonAlone(String message, String reason) {
        assertEquals(reason, AeronReason.of(new AeronException(message)));
    }
}
