// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiProxy

@Suite(.supervised) struct AcceptedCodingsTests {
    @Test(arguments: [
        ("gzip, deflate, br, zstd", "gzip, deflate, br, zstd"),
        ("gzip;q=0.5 , compress, identity; q=0", "gzip;q=0.5, identity; q=0"),
        ("x-gzip, dcz", "x-gzip"),
        ("compress", "identity"),
        ("", "identity"),
        ("*", "gzip, deflate, br, zstd"),
        ("gzip, *;q=0", "gzip, deflate;q=0, br;q=0, zstd;q=0, identity;q=0"),
        ("identity, *;q=0.0", "identity, gzip;q=0.0, deflate;q=0.0, br;q=0.0, zstd;q=0.0"),
        ("gzip, * ;\tQ = 0.00", "gzip, deflate;\tQ = 0.00, br;\tQ = 0.00, zstd;\tQ = 0.00, identity;\tQ = 0.00"),
        ("gzip, *;q=0.01", "gzip, deflate;q=0.01, br;q=0.01, zstd;q=0.01"),
        ("x-gzip;q=1, *;q=0.1", "x-gzip;q=1, deflate;q=0.1, br;q=0.1, zstd;q=0.1"),
    ])
    func `what is accepted is reduced to what can be undone`(value: String, reduced: String) {
        #expect(AcceptedCodings.reduced(value) == reduced)
    }
}
